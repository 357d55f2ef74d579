"""The game record: what a reader takes and refuses, at which action; what a writer writes, and for whose eyes."""

import random
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence

import pytest

from pokade import records
from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.errors import BadRecord
from pokade.games.play import Play
from pokade.games.state import CHANCE, packed
from pokade.testing import positions, random_game, tables
from tests.patience import PATIENCE

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hans")
VIEWS = ("public", *(f"p{seat}" for seat in range(1, 9)))
THROW = "d roll O TT -"
BLOCK = "{ p1 pick O | p2 pick T | p3 pick T }"
LOW, HIGH = "7c8c9cTcJcQcKcAc7d8d9dTdJdQdKdAd", "7h8h9hThJhQhKhAh7s8s9sTsJsQsKsAs"
DEAL = ("d dealer p2", f"d deal p1 {LOW}", f"d deal p2 {HIGH}")
SECONDS = 10 * PATIENCE  # of the processor: hours would be far too many, and it takes less than two


def a_record(
    *actions: object, game: str = "pok", seats: int = 3, options: str = "", view: str = '"full"', more: str = ""
) -> str:
    """The text of a record; actions that are no strings are written as they stand in TOML."""
    lines = ", ".join(f"'{action}'" if isinstance(action, str) else str(action) for action in actions)
    return (
        f'format = "record/1"\ngame = "{game}"\nrules = "{game}/1"\noptions = {{ {options} }}\n'
        f"players = {list(NAMES[:seats])}\nview = {view}\nactions = [{lines}]\n{more}\n"
    )


def replayed(text: str) -> Play:
    return records.replay(records.read(text))


def refusal(text: str | bytes) -> BadRecord:
    """Why a record is refused; the reason is always one line."""
    with pytest.raises(BadRecord) as caught:
        records.replay(records.read(text))
    assert "\n" not in str(caught.value)
    assert str(caught.value)
    return caught.value


def refused_at(*actions: object, game: str = "pok", seats: int = 3, options: str = "") -> int:
    return refusal(a_record(*actions, game=game, seats=seats, options=options)).action


def test_a_record_gives_the_state_that_its_actions_lead_to():
    play = replayed(a_record(THROW, BLOCK, more="[result]\npoints = [1, 1, 1]"))

    assert play.points() == (1, 1, 1)
    assert not play.is_over


def test_a_record_may_stop_anywhere_before_the_end():
    assert replayed(a_record()).steps == []
    assert replayed(a_record(THROW)).points() == (0, 0, 0)


@pytest.mark.parametrize("key", ["format", "game", "rules", "players", "actions"])
def test_a_required_key_that_is_missing_is_refused_at_0(key: str):
    lines = a_record(THROW).splitlines()

    trouble = refusal("\n".join(line for line in lines if not line.startswith(key)))

    assert trouble.action == 0
    assert str(trouble) == f"{key} is missing"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"record/1"', '"record/2"'),
        ('"record/1"', "1"),
        ('game = "pok"', 'game = "ludo"'),
        ('game = "pok"', "game = 1"),
        ('game = "pok"', "game = []"),
        ('"pok/1"', '"pok/2"'),
        ('"pok/1"', '"poch/1"'),
        ('"pok/1"', "1"),
        ("['Ada', 'Ben', 'Cleo']", "['Ada', 'Ben']"),
        ("['Ada', 'Ben', 'Cleo']", "['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']"),
        ("['Ada', 'Ben', 'Cleo']", "['Ada', 'Ben', 3]"),
        ("['Ada', 'Ben', 'Cleo']", "'Ada Ben Cleo'"),
        ("['Ada', 'Ben', 'Cleo']", "{ p1 = 'Ada' }"),
        ("options = {  }", "options = []"),
        ("options = {  }", "options = 'memory'"),
        ("options = {  }", "options = { colour = 'red' }"),
        ("options = {  }", "options = { memory = 'good' }"),
        ("options = {  }", "options = { max_rounds = 9.0 }"),
        ("options = {  }", "options = { max_rounds = true }"),
        ("options = {  }", "options = { max_rounds = 0 }"),
        ("options = {  }", "options = { max_rounds = 10001 }"),
        ("options = {  }", "options = { max_rounds = '9' }"),
        ('view = "full"', 'view = "all"'),
        ('view = "full"', 'view = "p4"'),
        ('view = "full"', 'view = "p0"'),
        ('view = "full"', "view = 1"),
        ("actions = [", "actions = { a = ["),
        ("actions = [", "actions = 'd roll' #"),
    ],
)
def test_a_bad_header_is_refused_at_0(old: str, new: str):
    text = a_record(THROW)
    assert old in text

    assert refusal(text.replace(old, new)).action == 0


def test_a_default_may_be_written_out():
    assert replayed(a_record(THROW, options="memory = 'strict', max_rounds = 200")).options == {}


def test_options_and_view_may_be_absent():
    lines = [line for line in a_record(THROW).splitlines() if not line.startswith(("options", "view"))]

    assert replayed("\n".join(lines)).n_seats == 3


def test_other_keys_are_ignored():
    more = "[proof]\nscheme = 1\n[table]\nid.of.it = [1.5, 2.5]\n[[chat]]\nsaid = { at = 1979-05-27, by = [[1], [2]] }"

    assert replayed(a_record(THROW, more=more)).points() == (0, 0, 0)
    assert replayed("proof = 7\nnote = nan\n" + a_record(THROW)).points() == (0, 0, 0)


def test_names_are_any_strings():
    text = a_record(THROW).replace("['Ada', 'Ben', 'Cleo']", r'["", "", "[red]\u202e\u0000\n{x}"]')

    assert records.read(text).players == ("", "", "[red]\u202e\0\n{x}")


@pytest.mark.parametrize("view", ["public", "p1", "p3"])
def test_only_a_full_record_can_be_replayed(view: str):
    text = a_record("d roll X", view=f'"{view}"')

    assert records.read(text).view == view
    assert refusal(text).action == 0


def test_the_header_comes_before_the_first_bad_action_and_that_before_the_result():
    wrong = "[result]\npoints = [9, 9, 9]"

    assert refusal(a_record("x", options="memory = 1", more=wrong)).action == 0
    assert refusal(a_record(THROW, "x", "y", more=wrong)).action == 2
    assert refusal(a_record(THROW, more=wrong)).action == 0


@pytest.mark.parametrize("action", [1, 1.5, "true", "1979-05-27", "[]", "{ a = 1 }", "['d roll O TT -']"])
def test_an_action_that_is_no_string_is_refused_at_its_own_number(action: object):
    text = a_record(THROW, BLOCK).replace(f"'{BLOCK}'", str(action))

    assert refusal(text).action == 2


def test_spaces_at_either_end_and_between_words_do_not_matter():
    play = replayed(a_record("  d   roll O  TT -   ", "   { p1  pick O |   p2 pick T|p3 pick T   }  "))

    assert play.points() == (1, 1, 1)


def test_braces_and_bars_need_no_spaces():
    assert replayed(a_record(THROW, "{p1 pick O|p2 pick T|p3 pick T}")).points() == (1, 1, 1)


@pytest.mark.parametrize(
    "white", ["\t", "\u00a0", "\u3000", "\u2003", "\\n", "\\r", "\x0c", "\u2028", "\u200b", "\ufeff"]
)
def test_other_white_space_is_malformed(white: str):
    for action in (f"d{white}roll O TT -", f"{white}d roll O TT -", f"d roll O TT -{white}", f"d roll{white} O TT -"):
        text = a_record("t timeout p1", 1).replace("1]", f'"{action}"]'.replace("\x0c", "\\f"))

        assert refusal(text).action == 2


def test_an_action_may_carry_a_comment():
    play = replayed(a_record("d roll O TT -# a good one", BLOCK + " # ? { | } # oh", "t resign p1#"))

    assert play.points() == (1, 1, 1)


@pytest.mark.parametrize(
    "action",
    [
        "",
        " ",
        "#",
        "# only a comment",
        "  # only a comment",
        "d",
        "p1",
        "t",
        "roll O TT -",
        "D roll O TT -",
        "x roll O TT -",
        "d Roll O TT -",
        "d roll",
        "d roll O TT",
        "d roll O TT - -",
        "d roll o TT -",
        "d roll O T -",
        "d roll - TT -",
        "d roll TT O -",
        "d roll O TTT -",
        "d roll O ? -",
        "d roll O TT ?",
        "d roll O TT –",
        "d throw O TT -",
        "{ d roll O TT - }",
        "{ d roll O TT - | p1 pick O | p2 pick T }",
        "p1 pick O",
        BLOCK,
        "{}",
        "{ | }",
        "{",
        "|",
        "d roll O TT - }",
        "d roll O TT - | d roll O TT -",
    ],
)
def test_what_is_no_throw_is_refused_where_a_throw_is_due(action: str):
    assert refused_at("t timeout p1", action, BLOCK) == 2


@pytest.mark.parametrize(
    "action",
    [
        "p1 pick O",  # made together, so written together
        "{ p1 pick O }",
        "{ p1 pick O | p2 pick T }",
        "{ p1 pick O | p2 pick T | p3 pick T | p4 pick T }",
        "{ p1 pick O | p2 pick T | p3 pick T | }",
        "{ | p1 pick O | p2 pick T | p3 pick T }",
        "{ p1 pick O || p2 pick T | p3 pick T }",
        "{ p2 pick T | p1 pick O | p3 pick T }",
        "{ p1 pick O | p1 pick O | p3 pick T }",
        "{ p1 pick O | p2 pick T | p9 pick T }",
        "{ x pick O | p2 pick T | p3 pick T }",
        "{ d pick O | p2 pick T | p3 pick T }",
        "{ t timeout p1 | p2 pick T | p3 pick T }",
        "{ p01 pick O | p2 pick T | p3 pick T }",
        "{ p１ pick O | p2 pick T | p3 pick T }",  # a digit, but none of ASCII
        "{ p1 pick X | p2 pick T | p3 pick T }",
        "{ p1 pick ? | p2 pick T | p3 pick T }",
        "{ p1 pick | p2 pick T | p3 pick T }",
        "{ p1 pick O O | p2 pick T | p3 pick T }",
        "{ p1 card O | p2 pick T | p3 pick T }",
        "{ { p1 pick O | p2 pick T | p3 pick T } }",
        "{ p1 pick O | p2 pick T | p3 pick T } }",
        "{ p1 pick O | p2 pick T | p3 pick T",
        "p1 pick O | p2 pick T | p3 pick T }",
        "p1 pick O | p2 pick T | p3 pick T",
        "{ p1 pick O | p2 pick T # | p3 pick T }",
        "x { p1 pick O | p2 pick T | p3 pick T }",
        "{ p1 pick O | p2 pick T | p3 pick T } x",
        THROW,
    ],
)
def test_a_sealed_block_has_one_choice_of_each_in_seat_order(action: str):
    assert refused_at(THROW, action, THROW) == 2


def test_a_counter_that_is_gone_can_not_be_shown_again():
    gone = ("d roll O TT OOO", "{ p1 pick O | p2 pick S | p3 pick S }")

    assert refused_at(*gone, *gone, *gone) == 6


def test_notes_of_the_table_stand_anywhere_before_the_end_and_change_nothing():
    notes = [f"t {verb} p{seat}" for verb in ("timeout", "standby", "return", "resign") for seat in (1, 2, 3)]

    play = replayed(a_record(*notes, THROW, *notes, BLOCK, *notes))

    assert play.steps == replayed(a_record(THROW, BLOCK)).steps


@pytest.mark.parametrize(
    "note",
    [
        "t timeout",
        "t timeout p4",
        "t timeout p0",
        "t Timeout p1",
        "t pause p1",
        "t timeout p1 p2",
        "t resign d",
        "t # p1",
    ],
)
def test_a_note_has_a_known_verb_and_a_seat_that_exists(note: str):
    assert refused_at(THROW, note) == 2


@pytest.mark.parametrize("action", [THROW, BLOCK, "t timeout p1", "# bye", 1])
def test_nothing_stands_behind_the_end(action: object):
    assert refused_at(THROW, BLOCK, action, options="max_rounds = 1") == 3


def test_the_first_active_player_is_drawn_before_anything_else():
    def at(*actions: str, options: str = "") -> int:
        return refused_at(*actions, game="pokerdice", seats=2, options=options)

    assert at("d roll 1 2 3 4 5") == 1
    assert at("d first p3") == 1
    assert at("d first p6") == 1
    assert at("d first") == 1
    assert at("d first p1", "d first p1") == 2
    assert at("t resign p2", "d first p1", options="first_active = 'p2'") == 2  # it must agree with the option


def test_rethrows_name_dice_upward_and_throw_just_those():
    start = ("d first p2", "d roll 1 3 3 5 6", "{ p1 card pair | p2 card joker }")

    def at(*actions: str) -> int:
        return refused_at(*start, *actions, game="pokerdice", seats=2)

    assert [at(f"p2 rethrow{dice}") for dice in ("", " 0", " 6", " 2 1", " 1 1", " 01", " +1", " ٣", " 1 4 x")] == [
        4
    ] * 9
    assert [at("p1 rethrow 1"), at("p1 stop"), at("p2 stop 1"), at("{ p1 stop | p2 stop }")] == [4] * 4
    assert at("p2 rethrow 1 4", "d roll 6") == 5
    assert at("p2 rethrow 1 4", "d roll 6 2 2") == 5
    assert at("p2 rethrow 1 4", "d roll 6 7") == 5
    assert at("p2 rethrow 1 4", "p2 stop") == 5
    assert at("p2 rethrow 1 4", "d roll 6 2", "p2 rethrow 1", "d roll 1", "p2 stop") == 8  # it has resolved by itself


def test_the_two_cards_of_the_double_game_come_in_any_order():
    start = ("d first p1", "d roll 1 3 3 5 6")

    def at(block: str) -> int:
        return refused_at(*start, block, "x", game="pokerdice", seats=2, options="variant = 'double'")

    assert at("{ p1 card four pair | p2 card joker joker }") == 4
    assert at("{ p1 card four | p2 card joker joker }") == 3
    assert at("{ p1 card four pair three | p2 card joker joker }") == 3


def test_a_card_of_poko_pop_exists_six_times():
    def at(*actions: str, options: str = "") -> int:
        return refused_at(*actions, game="pokopop", options=options)

    clash = "{ p1 poko | p2 poko | p3 poko }"
    assert at("d deal 5 5", clash, "d flip 5", "d deal 5 5", clash, "d flip 5", "d deal 1 5") == 7
    assert at("d deal 5") == 1
    assert at("d deal 5 5 5") == 1
    assert at("d deal 5 6") == 1
    assert at("d deal 5 5@1") == 1  # only with effects
    assert at("d deal 5 5", options="effects = true") == 1  # there is one plain 5 then
    assert at("d deal 5@5 1x2", "x", options="effects = true") == 2
    assert at("d deal 5 5", "{ p1 poko | p2 wait | p3 wait }", "{ p1 wait | p2 wait | p3 wait }") == 3
    assert at("d deal 5 5", clash, "d deal 1 1") == 3
    assert at("d deal 5 5", clash, "d flip 5 5") == 3


@pytest.mark.parametrize(
    "hand",
    [
        LOW[:-2],
        LOW + "7h",
        LOW[:-2] + "7c",
        LOW[:-2] + "1h",
        LOW[:-2] + "7x",
        LOW[:-2] + "??",
        LOW[:-1],
        LOW + "/d",
        LOW.lower(),
        LOW[:16] + " " + LOW[16:],
        LOW * 1000,
    ],
)
def test_a_bad_poch_hand_is_refused_at_its_own_action(hand: str):
    assert refused_at("d dealer p2", f"d deal p1 {hand}", f"d deal p2 {HIGH}", game="poch", seats=2) == 2


def test_poch_hands_come_in_seat_order_after_the_dealer():
    def at(*actions: str) -> int:
        return refused_at(*actions, game="poch", seats=2)

    assert at(DEAL[1]) == 1
    assert at("d dealer p3") == 1
    assert at(DEAL[0], DEAL[2]) == 2
    assert at(DEAL[0], DEAL[1], f"d deal p2 {LOW}") == 3
    assert at(*DEAL, "d dealer p2") == 4


def test_the_dealers_last_card_makes_trumps():
    spades = replayed(a_record(*DEAL, game="poch", seats=2))
    hearts = replayed(a_record(*DEAL[:2], f"d deal p2 {HIGH[16:]}{HIGH[:16]}", game="poch", seats=2))

    assert (spades.state.trumps, hearts.state.trumps) == (3, 2)


@pytest.mark.parametrize("number", ["0", "01", "+1", "-1", "1.0", "1_0", "１", "٣", "²", "11", "9" * 100_000, "?", "x"])
def test_a_number_is_ascii_digits_and_not_too_large(number: str):
    assert refused_at(*DEAL, f"p1 bid {number}", game="poch", seats=2) == 4


def test_poch_choices_are_refused_at_their_own_action():
    def at(*actions: str) -> int:
        return refused_at(*DEAL, *actions, game="poch", seats=2)

    assert at("p2 pass") == 4
    assert at("p1 hold") == 4
    assert at("p1 bid") == 4
    assert at("{ p1 pass | p2 pass }") == 4
    assert at("p1 bid 4", "p2 bid 4") == 5
    assert at("p1 pass", "p2 pass", "p1 start 8c") == 6
    assert at("p1 pass", "p2 pass", "p2 start 7h") == 6
    assert at("p1 pass", "p2 pass", "p1 suit c") == 6


OVER = a_record("d roll O - -", "{ p1 pick O | p2 pick S | p3 pick S }", options="max_rounds = 1")


@pytest.mark.parametrize(
    "result",
    [
        "",
        "points = [1, 0, 0]",
        "shares = [1, 0, 0]",
        "points = [1, 0, 0]\nshares = [0.9999995, 4e-7, 0]\nmood = 'good'",
    ],
)
def test_a_right_result_is_taken_and_either_key_may_be_absent(result: str):
    assert replayed(f"{OVER}[result]\n{result}").is_over


@pytest.mark.parametrize(
    "result",
    [
        "points = [1, 0]",
        "points = [1, 0, 0, 0]",
        "points = [0, 1, 0]",
        "points = [1.0, 0, 0]",
        "points = [true, false, false]",
        "points = ['1', 0, 0]",
        "points = 1",
        "points = { p1 = 1 }",
        "points = [0x" + "f" * 9999 + ", 0, 0]",
        "shares = [1, 0]",
        "shares = [0, 1, 0]",
        "shares = [0.99999, 0, 0]",
        "shares = [true, false, false]",
        "shares = [nan, 0, 0]",
        "shares = [inf, 0, 0]",
        "shares = [-inf, 0, 0]",
        "shares = [0x" + "f" * 9999 + ", 0, 0]",
        "shares = ['1', 0, 0]",
        "shares = 1.0",
    ],
)
def test_a_wrong_result_is_refused_at_0(result: str):
    assert refusal(f"{OVER}[result]\n{result}").action == 0


@pytest.mark.parametrize("result", ["1", "[]", "'points'", "false", "[{ points = [1, 0, 0] }]"])
def test_a_result_that_is_no_table_is_wrong(result: str):
    assert refusal(f"result = {result}\n{OVER}").action == 0


def test_shares_are_wrong_in_a_game_still_on():
    assert refusal(a_record(THROW, more="[result]\nshares = [0, 0, 0]")).action == 0
    assert refusal(a_record(THROW, more="[result]\nshares = []")).action == 0


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff",
        b"\xef\xbb\xbf" + OVER.encode(),
        OVER.encode() + b"\x00",
        OVER.replace("\n", "\r").encode(),
        b"\xed\xa0\x80",
    ],
)
def test_bytes_that_are_no_toml_are_refused_at_0(raw: bytes):
    assert refusal(raw).action == 0


def test_half_a_character_is_refused_like_any_bad_encoding():
    assert refusal("\ud800").action == 0


def test_lines_may_end_as_on_windows():
    assert replayed(OVER.replace("\n", "\r\n")).is_over


def test_a_record_is_at_most_one_mebibyte():
    room = (1 << 20) - len(OVER) - 1

    assert replayed(OVER + "#" + "x" * room).is_over
    assert str(refusal(OVER + "#" + "x" * (room + 1))) == "a record is at most 1 MiB"
    assert str(refusal(OVER + "#" + "é" * (room // 2 + 1))) == "a record is at most 1 MiB"


def test_nesting_and_keys_of_moderate_depth_are_no_trouble():
    deep = f"x = {'[' * 20}1{']' * 20}\n[{'.'.join('abcdefghij')}]\n{'.'.join('abcdefghij')} = 'a.b.c'\n"
    quotes = 's = \'\'\'\n[[["\'\'\'\'\nt = """\\"""{{"""""\nu = "it\'s # no comment" # it\'s a comment\n'

    assert replayed(quotes + OVER + deep).is_over


KIB = 1024
FILLERS = {  # what a hostile file is full of, up to a mebibyte
    "dotted keys": ("a" + ".a" * 400_000 + " = 1\n", ""),
    "quoted dotted keys": ("''" + ".''" * 300_000 + " = 1\n", ""),
    "a dotted header": ("[a" + ".a" * 400_000 + "]\n", ""),
    "headers and dotted keys": ("", "[a.a.a.k{}]\nb.b.b.b = 1\n"),
    "short dotted keys": ("", "[a.k{}]\nb.c = []\n"),
    "tables": ("", "[k{}]\n"),
    "arrays of tables": ("", "[[a]]\nk{} = 1\n"),
    "keys": ("", "k{} = 1\n"),
    "open brackets": ("x = " + "[" * 900 * KIB, ""),
    "brackets": ("x = " + "[" * 400 * KIB + "]" * 400 * KIB, ""),
    "inline tables": ("x = " + "{a = " * 150 * KIB, ""),
    "closed brackets": ("x = " + "]" * 900 * KIB, ""),
    "numbers": ("x = [" + "1," * 500 * KIB + "]\n", ""),
    "a long number": ("x = " + "9" * 900 * KIB + "\n", ""),
    "a long hexadecimal number": ("x = 0x" + "f" * 900 * KIB + "\n", ""),
    "a long fraction": ("x = 0." + "1" * 900 * KIB + "\n", ""),
    "escapes": ('x = "' + "\\u00e9" * 150 * KIB + '"\n', ""),
    "an open string of escapes": ('x = "' + '\\"' * 450 * KIB, ""),
    "open long strings": ('x = """' + '\\"""' * 200 * KIB, ""),
    "quotes": ('"' * 900 * KIB, ""),
    "open strings": ("'\"\n" * 300 * KIB, ""),
    "backslashes": ('x = "' + "\\" * 900 * KIB + '"\n', ""),
    "nothing": ("\0" * 900 * KIB, ""),
    "half characters": ('x = "' + "\\ud800" * 100 * KIB + '"\n', ""),
}


def _filled(filler: str) -> str:
    fixed, counted = FILLERS[filler]
    lines: list[str] = []
    size = 0
    while counted and size < 900 * KIB:
        lines.append(counted.format(len(lines)))
        size += len(lines[-1])
    return OVER + fixed + "".join(lines)


def answered(text: str) -> BadRecord | None:
    try:
        replayed(text)
    except BadRecord as trouble:
        return trouble
    return None


@pytest.mark.parametrize("filler", FILLERS)
def test_a_hostile_file_is_answered_in_a_moment(filler: str):
    text = _filled(filler)
    before = time.process_time()

    answer = answered(text)

    assert time.process_time() - before < SECONDS
    assert answer is None or (answer.action == 0 and len(str(answer)) < 300)


@pytest.mark.parametrize(
    ("actions", "refused"),
    [
        ("'', " * 200_000, 1),
        ("1, " * 300_000, 1),
        ("'t timeout p1', " * 60_000, None),
        (f"'{'d ' * 400_000}'", 1),
        (f"'{{{'p1 pick O|' * 90_000}}}'", 1),
        (f"'{THROW}', '{{ {'p1 pick O | ' * 80_000} p2 pick O }}'", 2),
        (f"'{THROW} {'#' * 900_000}', 'x'", 2),
        ("'d roll S - -', '{p1 pick O|p2 pick O|p3 pick O}', " * 15_000, 20_001),
    ],
)
def test_endless_actions_are_answered_in_a_moment(actions: str, refused: int | None):
    text = a_record(options="max_rounds = 10000").replace("actions = []", f"actions = [{actions}]")
    before = time.process_time()

    if refused is None:
        assert replayed(text).steps == []
    else:
        assert refusal(text).action == refused
    assert time.process_time() - before < SECONDS


def test_a_hostile_file_does_not_hang_a_fresh_process():
    code = "import sys; from pokade import records; records.read(sys.stdin.buffer.read())"
    text = OVER + "a" + ".a" * 400_000 + " = 1"

    done = subprocess.run(
        [sys.executable, "-c", code], input=text.encode(), capture_output=True, timeout=PATIENCE, check=False
    )

    assert b"BadRecord" in done.stderr


def test_lines_of_three_dashes_separate_records(tmp_path):
    file = tmp_path / "several"
    file.write_bytes(b"one\n---\ntwo\r\n---\r\n\n ---\n----\n---x\n---\n---")

    with file.open("rb") as opened:
        assert list(records.pieces(opened)) == [
            (1, b"one\n"),
            (2, b"two\r\n"),
            (3, b"\n ---\n----\n---x\n"),
            (4, b""),
            (5, b""),
        ]


def test_a_lone_record_has_no_number(tmp_path):
    file = tmp_path / "one"
    file.write_bytes(b"one\r---\rtwo")

    with file.open("rb") as opened:
        assert list(records.pieces(opened)) == [(0, b"one\r---\rtwo")]


def test_a_record_that_is_too_large_is_not_kept_whole(tmp_path):
    file = tmp_path / "large"
    file.write_bytes(b"x" * (5 << 20) + b"---\n---\n" + b"y")

    with file.open("rb") as opened:
        (_, first), (_, second) = records.pieces(opened)

    assert records.LARGEST < len(first) < 2 * records.LARGEST
    assert second == b"y"


every_game = pytest.mark.parametrize("name", GAMES)


def games(name: str, times: int = 2) -> Iterator[Play]:
    """Random games with every number of seats and every value of every option."""
    for number, (n_seats, options) in enumerate([*tables(GAMES[name])] * times):
        yield random_game(GAMES[name], n_seats, options, f"{name} {number}")


def moments(name: str, seeds: int = 1) -> Iterator[Play]:
    """Moments of random games, also with a round half played."""
    for seed in range(seeds):
        for n_seats, options in tables(GAMES[name]):
            rng = random.Random(f"{name} {n_seats} {options} {seed}")
            for play in positions(Play(GAMES[name], n_seats, options), Seeded(rng.random().hex())):
                if rng.random() < 0.02:
                    yield play


@every_game
def test_a_game_that_is_written_and_read_is_the_same_game(name: str):
    for play in games(name):
        text = records.write(play, NAMES[: play.n_seats])
        again = replayed(text)

        assert packed(again.state) == packed(play.state)
        assert again.options == play.options
        assert records.write(again, NAMES[: play.n_seats]) == text


@every_game
def test_a_game_still_on_is_written_up_to_its_last_complete_action(name: str):
    for play in moments(name):
        again = replayed(records.write(play, NAMES[: play.n_seats]))

        assert len(again.steps) <= len(play.steps)
        assert again.points() == play.points()
        assert records.actions_of(again) == records.actions_of(play)


def in_order(play: Play, order: int) -> Play:
    """The same game with every sealed round chosen, and every hand dealt, in another order."""
    twin = Play(play.game, play.n_seats, play.options)
    rng = random.Random(order)
    steps = list(play.steps)
    while steps:
        is_chance = twin.turn == CHANCE
        count = twin.game.together(twin.state) if is_chance else twin.turn.bit_count()
        group, steps = steps[:count], steps[count:]
        if not is_chance:
            rng.shuffle(group)
        elif may_be_shuffled(twin):  # but the dealer's last card makes trumps
            group = [*rng.sample(group[:-1], count - 1), group[-1]]
        for actor, value in group:
            twin.take(actor, value)
    return twin


def may_be_shuffled(play: Play) -> bool:
    """Is a hand or the last pile dealt now? (Dice and the cards on Pokos have their places.)"""
    words, state = play.game.words, play.state
    written = words.write_chance(state.phase, words.dealt_to(state), state, [0, 0], False)
    return written.startswith(("deal p", "pile"))


@every_game
def test_equal_games_give_equal_bytes_whatever_order_things_came_in(name: str):
    for number, play in enumerate(games(name, times=1)):
        text = records.write(play, NAMES[: play.n_seats])

        assert records.write(in_order(play, number + 1), NAMES[: play.n_seats]) == text


def test_a_writer_sorts_hands_but_for_the_dealers_last_card():
    mixed = a_record(
        "d dealer p1", f"d deal p1 {HIGH[:4]}{HIGH[6:]}{HIGH[4:6]}", f"d deal p2 {LOW}", game="poch", seats=2
    )

    lines = records.actions_of(replayed(mixed))

    assert lines[1] == "d deal p1 7h7s8h8s9sThTsJhJsQhQsKhKsAhAs9h"
    assert lines[2] == "d deal p2 7c7d8c8d9c9dTcTdJcJdQcQdKcKdAcAd"


def test_a_writer_sorts_the_two_cards_of_the_double_game():
    block = "{ p1 card four pair | p2 card no-odds two-pairs }"
    text = a_record("d first p1", "d roll 1 3 3 5 6", block, game="pokerdice", seats=2, options="variant = 'double'")

    assert records.actions_of(replayed(text))[2] == "{ p1 card pair four | p2 card two-pairs no-odds }"


def test_notes_are_written_where_they_were_made():
    play = replayed(a_record(THROW, BLOCK))

    lines = records.actions_of(play, notes=[(6, "return p1"), (3, "timeout p1"), (3, "standby p1"), (0, "resign p2")])

    assert lines == ["t resign p2", THROW, "t timeout p1", "t standby p1", BLOCK, "t return p1"]
    assert replayed(a_record(*lines)).steps == play.steps


def test_a_note_made_after_the_end_is_not_written():
    lines = records.actions_of(replayed(OVER), notes=[(6, "return p1")])

    assert len(lines) == 2


def test_any_name_can_be_written_and_read_again():
    names = ('"', "\\", "\x00\x1f\x7f\x80", "\u2028 \U0001f600", "a\nb\tc")

    text = records.write(random_game(GAMES["pok"], 5, {}, 1), names)

    assert records.read(text).players == names


def test_half_a_character_in_a_name_does_not_spoil_a_record():
    text = records.write(random_game(GAMES["pok"], 3, {}, 1), ("\ud800", "b", "c"))

    assert records.read(text.encode()).players == ("?", "b", "c")


def is_refined_by(seen: str, full: str) -> bool:
    """Does the full action say the same as the seen one wherever that one says anything?"""
    pairs = list(zip(seen.split(" "), full.split(" "), strict=True))
    return all(word in (whole, "?") or _is_same_hand(word, whole) for word, whole in pairs)


def _is_same_hand(seen: str, full: str) -> bool:
    """A hand in a view: the cards that were seen, sorted, a `?` for each other card, the dealer's with the suit."""
    hand, _, trumps = seen.partition("/")
    known, whole = _cards(hand.rstrip("?")), _cards(full)
    order = [f"{rank}{suit}" for rank in "789TJQKA" for suit in "cdhs"]
    return (
        known == sorted(known, key=order.index)
        and set(known) <= set(whole)
        and len(known) + hand.count("?") == len(whole)
        and trumps in ("", whole[-1][1])
    )


def _cards(hand: str) -> list[str]:
    return [hand[at : at + 2] for at in range(0, len(hand), 2)]


def views_of(play: Play) -> Sequence[str]:
    return VIEWS[: play.n_seats + 1]


@every_game
def test_every_view_is_refined_by_the_full_record(name: str):
    for play in [*games(name, times=1), *moments(name)]:
        full = records.actions_of(play)
        for view in views_of(play):
            seen = records.actions_of(play, view)

            assert len(seen) == len(full)
            assert all(map(is_refined_by, seen, full)), (view, seen, full)


def unknown(lines: Iterable[str]) -> int:
    return sum(line.count("?") for line in lines)


@every_game
def test_a_seat_knows_no_less_than_the_public(name: str):
    for play in moments(name):
        public = records.actions_of(play, "public")
        for view in views_of(play)[1:]:
            assert all(map(_says_no_less, records.actions_of(play, view), public))


def _says_no_less(seat: str, public: str) -> bool:
    return all(
        word in (one, "?") or set(_cards(word.partition("/")[0].rstrip("?"))) <= set(_cards(one.partition("/")[0]))
        for one, word in zip(seat.split(" "), public.split(" "), strict=True)
    )


@pytest.mark.parametrize("name", ["pok", "pokopop"])
def test_blocks_that_open_at_once_have_nothing_unknown(name: str):
    for play in moments(name):
        assert all(records.actions_of(play, view) == records.actions_of(play) for view in views_of(play))


PROMISES = ("d first p2", "d roll 1 3 3 5 6", "{ p1 card pair | p2 card joker | p3 card four }")


def seen_of(view: str, *actions: str, game: str, seats: int, options: str = "") -> list[str]:
    return records.actions_of(replayed(a_record(*actions, game=game, seats=seats, options=options)), view)


def test_promises_of_others_are_unknown_until_the_round_is_resolved():
    def block(view: str, *actions: str) -> str:
        return seen_of(view, *PROMISES, *actions, game="pokerdice", seats=3)[2]

    assert block("public") == "{ p1 card ? | p2 card joker | p3 card ? }"
    assert block("p1", "p2 rethrow 1", "d roll 1") == "{ p1 card pair | p2 card joker | p3 card ? }"
    assert block("p2") == "{ p1 card ? | p2 card joker | p3 card ? }"
    assert block("p3") == "{ p1 card ? | p2 card joker | p3 card four }"
    assert block("public", "p2 stop") == PROMISES[2]
    assert block("public", "p2 stop", "d roll 1 1 1 1 1") == PROMISES[2]


def test_two_unknown_promises_are_two_question_marks():
    block = "{ p1 card pair four | p2 card joker joker }"

    seen = seen_of(
        "p1", "d first p1", "d roll 1 3 3 5 6", block, game="pokerdice", seats=2, options="variant = 'double'"
    )

    assert seen[2] == "{ p1 card pair four | p2 card ? ? }"


def test_a_hand_of_poch_shows_what_the_viewer_has_seen_by_now():
    def hands(view: str, *actions: str) -> list[str]:
        return [line.split()[-1] for line in seen_of(view, *DEAL, *actions, game="poch", seats=2)[1:3]]

    own = "7h7s8h8s9h9sThTsJhJsQhQsKhKsAhAs/s"
    collected = "7s8s9sTsJsQsKsAs????????/s"  # of the trump suit every card takes a plate
    assert hands("public") == ["????????????????", collected]
    assert hands("p1") == ["7c7d8c8d9c9dTcTdJcJdQcQdKcKdAcAd", collected]
    assert hands("p2") == ["????????????????", own]
    assert hands("public", "p1 bid 1", "p2 hold")[0] == "AcAd??????????????"  # the best sets were compared
    assert hands("public", "p1 pass", "p2 pass", "p1 start 7c")[0] == "7c8c9cTcJcQcKcAc????????"


def test_before_the_whole_deal_is_out_nothing_says_trumps():
    first = ("d dealer p1", f"d deal p1 {HIGH}")

    assert seen_of("public", *first, game="poch", seats=2)[1] == "d deal p1 ????????????????"
    assert seen_of("p2", *first, game="poch", seats=2)[1] == "d deal p1 ????????????????"


def test_a_new_deal_forgets_nothing_of_the_last_one():
    for seed in range(20):
        play = random_game(GAMES["poch"], 4, {"deals": 3}, seed)
        one = Play(GAMES["poch"], 4, {"deals": 3})
        for actor, value in play.steps:
            one.happen(value) if actor == CHANCE else one.choose(actor, value)
            if one.state.round == 2:
                break
        if one.is_over:
            continue
        for view in views_of(play):
            then = records.actions_of(one, view)
            assert records.actions_of(play, view)[: len(then)] == then


def other_promises(play: Play, viewer: int, rng: random.Random) -> Play:
    """The same game, but the others' cards that are still face down are other ones."""
    twin = Play(play.game, play.n_seats, play.options)
    at_round = play.state.round
    for actor, value in play.steps:
        is_secret = (
            twin.state.round == at_round and twin.turn.bit_count() > 1 and actor not in (viewer, twin.state.active)
        )
        if actor == CHANCE:
            twin.happen(value)
        elif is_secret and twin.turn > 0:
            choices = twin.view(actor).choices
            twin.choose(actor, rng.choice(choices))
        else:
            twin.choose(actor, value)
    return twin


def test_records_of_games_that_differ_in_hidden_promises_are_equal():
    rng = random.Random(7)
    differing = 0
    for seed in range(60):
        n_seats = 2 + seed % 4
        options = {"variant": "double"} if n_seats == 2 else {}
        for play in positions(Play(GAMES["pokerdice"], n_seats, options), Seeded(f"twins {seed}")):
            if play.state.phase != 3 or rng.random() < 0.8:  # rethrowing: the block is complete, the cards face down
                continue
            viewer = rng.randrange(-1, n_seats)
            twin = other_promises(play, viewer, rng)
            view = "public" if viewer < 0 else f"p{viewer + 1}"
            assert records.write(twin, NAMES[:n_seats], view=view) == records.write(play, NAMES[:n_seats], view=view)
            differing += records.actions_of(twin) != records.actions_of(play)
    assert differing > 20


def test_records_of_deals_that_differ_in_hidden_cards_are_equal():
    rng = random.Random(8)
    differing = 0
    for _ in range(200):
        hands = _dealt(rng)
        other = _swapped(hands, rng)
        play, twin = (replayed(a_record("d dealer p4", *deal, game="poch", seats=4)) for deal in (hands, other))
        for view in ("public", "p1"):
            assert records.write(play, NAMES[:4], view=view) == records.write(twin, NAMES[:4], view=view)
        differing += records.actions_of(play) != records.actions_of(twin)
    assert differing > 100


def _dealt(rng: random.Random) -> list[str]:
    cards = [f"{rank}{suit}" for rank in "789TJQKA" for suit in "cdhs"]
    rng.shuffle(cards)
    return [f"d deal p{seat + 1} " + "".join(cards[seat * 8 : seat * 8 + 8]) for seat in range(4)]


def _swapped(hands: Sequence[str], rng: random.Random) -> list[str]:
    """Two plain cards of p2, p3 or p4 change places: none of trumps, since those collect, and not the last one."""
    dealt = [_cards(hand.split()[-1]) for hand in hands]
    trumps = dealt[3][-1][1]
    plain = [(seat, at) for seat in (1, 2, 3) for at in range(7) if dealt[seat][at][1] != trumps]
    (one, here), (two, there) = rng.sample(plain, 2)
    dealt[one][here], dealt[two][there] = dealt[two][there], dealt[one][here]
    return [f"d deal p{seat + 1} " + "".join(hand) for seat, hand in enumerate(dealt)]

"""Provable fairness: the draws follow from what was committed to, and whatever is changed afterwards is found."""

import hashlib
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

import pytest

from pokade import fairness, records
from pokade.chance import Chance, Seeded, advance
from pokade.fairness import LONGEST, SPAN, Note, Provable, commitment, encoded, proof_of, unbiased, verify
from pokade.games import GAMES
from pokade.games.errors import BadRecord, BadSalt, Unfair
from pokade.games.game import Value
from pokade.games.play import Play
from pokade.games.state import CHANCE
from pokade.loop import run
from pokade.testing import at_random, tables

SEED = bytes(range(32))
TABLE = "table-1"
SALTS = ("", "salt", "Sälz 🧂")
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hans")
PROMISE = "eeffe14c5a779b771ed5ee359dc526a254eb3e4727a097becc51a57cfff1f811"
DOC = Path(__file__).parents[1] / "docs" / "fairness.md"
each_game = pytest.mark.parametrize("name", GAMES)


def provable(seed: bytes = SEED, table: str = TABLE, salts: Sequence[str] = SALTS, label: str = "pok") -> Provable:
    return Provable(seed, table, salts, label)


def tickets(chance: Chance, n: int = 1000, draws: int = 10) -> list[int]:
    return [chance.draw(n) for _ in range(draws)]


def salts_of(n_seats: int) -> tuple[str, ...]:
    return tuple(f"salt of {name}" for name in NAMES[:n_seats])


def fair_play(name: str, n_seats: int, options: dict[str, Value] | None = None) -> Play:
    """A game to its end: provable dice, any choices."""
    play, chance = Play(GAMES[name], n_seats, options), Provable(SEED, TABLE, salts_of(n_seats), name)
    choices = Seeded("choices")
    for _ in run(play, chance, at_random(choices)):
        pass
    return play


def fair_record(name: str, n_seats: int, options: dict[str, Value] | None = None) -> str:
    play = fair_play(name, n_seats, options)
    return records.write(play, NAMES[:n_seats], proof=proof_of(SEED, TABLE, salts_of(n_seats)))


def trouble(text: str, shown: str = "") -> BadRecord | None:
    """Why a record is not fair; None if it is."""
    try:
        verify(records.read(text), shown)
    except BadRecord as error:
        return error
    return None


def changed(text: str, line: str, new: str) -> str:
    """A record with another line in its proof."""
    found = re.search(rf"^{line} = .*$", text, re.MULTILINE)
    assert found
    return text[: found.start()] + new + text[found.end() :]


def test_no_two_rows_of_texts_are_encoded_alike():
    assert encoded("ab", "c") == b"2:ab,1:c,"
    assert encoded("Ä", "") == b"2:\xc3\x84,0:,"
    assert len({encoded("a", "b"), encoded("ab"), encoded("ab", ""), encoded("", "ab"), encoded("1:a,")}) == 5


def test_the_commitment_binds_seed_and_table():
    assert commitment(SEED, TABLE) == PROMISE
    assert commitment(SEED, "table-2") != PROMISE
    assert commitment(bytes(32), TABLE) != PROMISE


def test_a_new_seed_is_32_bytes_and_never_the_same():
    seeds = {fairness.new_seed() for _ in range(100)}

    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {32}


def test_the_same_seed_table_and_salts_give_the_same_draws():
    assert tickets(provable()) == tickets(provable())


@pytest.mark.parametrize(
    "other",
    [
        {"seed": bytes(32)},
        {"table": "table-2"},
        {"label": "poch"},
        {"salts": ("salt", "", "Sälz 🧂")},
        {"salts": ("", "salt", "Sälz 🧂", "")},
        {"salts": ("", "sal", "tSälz 🧂")},
        {"salts": ("", "salt", "Salz 🧂")},
    ],
)
def test_another_seed_table_salt_or_label_gives_other_draws(other: dict[str, object]):
    assert tickets(provable(**other)) != tickets(provable())


def test_chance_is_taken_up_at_any_draw():
    chance = provable()
    whole = tickets(chance)
    later = Provable(SEED, TABLE, SALTS, "pok", drawn=4)

    assert (chance.drawn, tickets(later, draws=6), later.drawn) == (10, whole[4:], 10)


def test_chance_after_some_draws_is_another_one_and_changes_nothing():
    first = Provable(SEED, TABLE, SALTS, "pok")
    drawn = [first.after(number).draw(1000) for number in (0, 1, 2, 0)]

    assert first.drawn == 0
    assert drawn == [*(first.draw(1000) for _ in range(3)), drawn[0]]


def test_each_draw_depends_on_its_number_and_not_on_what_was_asked_before():
    chance = provable()
    chance.draw(6)

    assert chance.draw(1000) == tickets(provable())[1]


def test_nothing_secret_is_shown():
    chance, proof = provable(), proof_of(SEED, TABLE, SALTS)
    secrets = (SEED.hex(), repr(SEED), fairness.key(SEED, TABLE, SALTS).hex())

    for shown in (repr(chance), str(chance), f"{chance}", repr(proof), str(proof)):
        assert not any(secret in shown for secret in secrets)
    assert "table-1" in repr(chance)
    assert not hasattr(chance, "__dict__")


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_has_32_bytes(seed: bytes):
    with pytest.raises(ValueError, match="32 bytes"):
        provable(seed=seed)


@pytest.mark.parametrize("salt", ["x" * (LONGEST + 1), "é" * LONGEST, "\ud800", None, 7])
def test_a_salt_is_a_short_text(salt: object):
    with pytest.raises(BadSalt) as refused:
        provable(salts=["", salt])

    assert refused.value.code == "salt/text"


def test_a_salt_may_be_empty_or_anything_short():
    for salt in ("", "x" * LONGEST, "\0", "é" * (LONGEST // 2), "\n,:"):
        fairness.check_salt(salt)


@pytest.mark.parametrize("n", [0, -1, SPAN + 1])
def test_nothing_is_drawn_where_there_are_no_tickets(n: int):
    with pytest.raises(ValueError, match="ticket"):
        provable().draw(n)


@pytest.mark.parametrize("n", range(1, 17))
def test_every_ticket_stands_on_as_many_numbers(n: int):
    """Of all numbers below 16 each ticket gets the same share, and those left over are passed over."""

    def numbers(first: int) -> list[int]:
        return [first, 0]

    def is_passed_over(first: int) -> bool:
        return first >= n * (16 // n)

    landed = Counter(unbiased(numbers(first).__getitem__, 16, n) for first in range(16) if not is_passed_over(first))

    assert landed == dict.fromkeys(range(n), 16 // n)
    assert {unbiased(numbers(first).__getitem__, 16, n) for first in range(16) if is_passed_over(first)} <= {0}


def test_numbers_are_asked_for_until_one_counts():
    numbers = [15, 12, 13, 7]

    assert unbiased(numbers.__getitem__, 16, 6) == 1


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 11, 30, 32])
def test_draws_are_even(n: int):
    for seed in (SEED, bytes(32), b"\xff" * 32):
        times = Counter(tickets(provable(seed=seed), n, 200 * n))
        chi_square = sum((times[ticket] - 200) ** 2 / 200 for ticket in range(n))

        assert chi_square < (n - 1) + 6 * (2 * (n - 1)) ** 0.5  # six standard deviations above its mean


def test_neighbouring_draws_do_not_hang_together():
    drawn = tickets(provable(), 6, 7201)
    pairs = Counter(pairwise(drawn))

    assert sum((pairs[a, b] - 200) ** 2 / 200 for a in range(6) for b in range(6)) < 35 + 6 * 70**0.5


@each_game
def test_a_fair_game_of_any_table_is_verified(name: str):
    for n_seats, options in tables(GAMES[name]):
        play = fair_play(name, n_seats, options)
        text = records.write(play, NAMES[:n_seats], proof=proof_of(SEED, TABLE, salts_of(n_seats)))

        draws = verify(records.read(text))

        assert [draw.outcome for draw in draws] == [outcome for actor, outcome in play.steps if actor == CHANCE]


@each_game
def test_the_draws_are_listed_with_their_tickets_and_actions(name: str):
    record = records.read(fair_record(name, 4))

    draws = verify(record)

    chance = Provable(SEED, TABLE, salts_of(4), name)
    assert [draw.number for draw in draws] == list(range(len(draws)))
    assert [draw.ticket for draw in draws] == [chance.draw(draw.tickets) for draw in draws]
    assert sorted({draw.action for draw in draws}) == [
        number for number, action in enumerate(record.actions, 1) if str(action).startswith("d ")
    ]


def test_notes_comments_and_spaces_make_no_difference():
    text = fair_record("pok", 3)
    noted = text.replace('  "d roll', '  "t timeout p1",\n  "d  roll').replace(' }",', '}# oh",')

    assert len(verify(records.read(noted))) == len(verify(records.read(text)))
    assert verify(records.read(noted))[0].action == 2


def test_the_order_of_cards_in_a_hand_makes_no_difference():
    text = fair_record("poch", 8)
    hand = re.search(r"d deal p1 (\w+)", text)
    dealer = re.search(r"d dealer p(\d)", text)
    assert hand
    assert dealer
    assert dealer[1] != "1"  # whose last card may not move
    turned = "".join(reversed(re.findall("..", hand[1])))

    assert trouble(text.replace(hand[1], turned)) is None


@each_game
def test_every_changed_character_of_the_proof_is_found(name: str):
    text = fair_record(name, 4, {"deals": 1} if name == "poch" else None)
    start = text.index("[proof]")
    values = [
        at for quoted in re.finditer(r'"([^"]*)"', text) if quoted.start() > start for at in range(*quoted.span(1))
    ]

    assert len(values) > 2 * 64
    for at in values:
        for new in {"0", "f", "A", " ", "é"} - {text[at]}:
            assert trouble(text[:at] + new + text[at + 1 :]), (at, new)


@each_game
def test_every_changed_character_of_what_chance_did_is_found(name: str):
    text = fair_record(name, 4, {"deals": 1} if name == "poch" else None)
    before = text[: text.index("actions = [")].count("\n") + 1
    places = [at for line in re.finditer(r'^  "(d .*)",$', text, re.MULTILINE) for at in range(*line.span(1))]

    assert len(places) > 30
    for at in places:
        for new in set("15cO#") - {text[at]}:
            found = trouble(text[:at] + new + text[at + 1 :])
            assert found is not None, (at, new)
            assert found.action >= text[:at].count("\n") - before + 1


def test_the_first_difference_is_told_with_its_action():
    text = fair_record("pokerdice", 3)
    number, throw = [(at, str(act)) for at, act in enumerate(records.read(text).actions, 1) if "d roll" in str(act)][1]
    words = throw.split()
    other = " ".join([*words[:2], str(7 - int(words[2])), *words[3:]])

    found = trouble(text.replace(f'"{throw}"', f'"{other}"', 1))

    assert isinstance(found, Unfair)
    assert found.action == number
    assert str(found) == f"the seed gives {throw[2:]}, and not {other[2:]}"


def test_a_throw_that_is_missing_or_too_much_is_found():
    lines = fair_record("pokopop", 3).splitlines()
    first = next(at for at, line in enumerate(lines) if "d deal" in line)

    assert trouble("\n".join(lines[:first] + lines[first + 1 :]))
    assert trouble("\n".join(lines[: first + 1] + lines[first:]))


def test_a_game_that_ended_early_is_verified_as_far_as_it_got():
    lines = fair_record("pok", 3).splitlines()
    first = next(at for at, line in enumerate(lines) if "d roll" in line)
    proof = lines[lines.index("[proof]") :]

    record = records.read("\n".join([*lines[: first + 1], "]", *proof]))

    assert len(fairness.verify(record)) == 3
    assert Note("game_unfinished") in fairness.notes_on(record)


def test_a_table_that_was_closed_early_reveals_its_seed():
    play, chance = Play(GAMES["pok"], 3), provable()
    while advance(play, chance):
        pass

    text = records.write(play, NAMES[:3], proof=proof_of(SEED, TABLE, SALTS), is_closed=True)

    assert len(fairness.verify(records.read(text))) == 3


@pytest.mark.parametrize(
    ("written", "instead", "note"),
    [
        ("[result]", "[resutl]", Note("key_misspelt", "resutl")),
        ("[result]", "[resutl]", Note("result_missing")),
        ('view = "full"', "", Note("view_missing")),
        ('view = "full"', 'veiw = "full"', Note("key_misspelt", "veiw")),
        ("points =", "pionts =", Note("result_misspelt", "pionts")),
        ("points =", "pionts =", Note("result_points")),
    ],
)
def test_what_a_fair_record_does_not_say_is_noted(written: str, instead: str, note: Note):
    text = fair_record("pok", 3)
    assert fairness.notes_on(records.read(text)) == []

    record = records.read(text.replace(written, instead))

    assert fairness.verify(record)
    assert note in fairness.notes_on(record)
    assert records.replay(record).is_over


def test_keys_that_look_like_no_other_are_somebody_elses_business():
    record = records.read('origin = "https://play.example"\n' + fair_record("pok", 3))

    assert fairness.notes_on(record) == []


def test_only_a_full_record_is_verified():
    play = fair_play("poch", 3)
    text = records.write(play, NAMES[:3], view="p1", proof=proof_of(SEED, TABLE, salts_of(3)))

    assert "only a full record" in str(trouble(text))


def test_a_proof_needs_everything():
    text = fair_record("pok", 3)

    for line in ("scheme", "table", "commitment", "seed", "salts"):
        for new in ("", f"{line} = 7", f"{line} = []", f"{line} = ''", f"{line} = ['', '']"):
            found = trouble(changed(text, line, new))
            assert found is not None, new
            assert found.action == 0 or line == "table"


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        ("", "the record has no proof"),
        ("proof = 7\n", "proof must be a table"),
        ("proof = { scheme = 'dice/9' }\n", 'the scheme of the proof must be "pokade/1"'),
        ("proof = { scheme = 'pokade/1' }\n", "the seed is not revealed yet"),
    ],
)
def test_a_record_without_a_whole_proof_says_so(proof: str, reason: str):
    text = fair_record("pok", 3)

    found = trouble(proof + text[: text.index("[proof]")])

    assert isinstance(found, Unfair)
    assert (found.action, str(found)) == (0, reason)


def test_a_seed_in_capitals_is_another_one():
    text = fair_record("pok", 3)

    assert trouble(text.replace(SEED.hex(), SEED.hex().upper()))


def test_the_commitment_that_somebody_kept_must_be_the_same():
    text = fair_record("pok", 3)

    assert trouble(text, PROMISE) is None
    assert "another commitment" in str(trouble(text, "0" * 64))


def test_a_wrong_result_is_not_fair_either():
    text = fair_record("pok", 3)

    assert trouble(changed(text, "points", "points = [9, 9, 9]"))


@pytest.mark.parametrize("view", ["full", "public", "p1"])
def test_no_seed_is_written_before_the_end(view: str):
    play, chance = Play(GAMES["pok"], 3), provable()
    while advance(play, chance):
        pass

    text = records.write(play, NAMES[:3], view=view, proof=proof_of(SEED, TABLE, SALTS))

    assert SEED.hex() not in text
    assert tomllib.loads(text)["proof"] == {
        "scheme": "pokade/1",
        "table": TABLE,
        "commitment": PROMISE,
        "salts": list(SALTS),
    }


def test_the_proof_stands_behind_the_result_and_is_read_again():
    salts = ('"\\', "\x7f\0\n", "Ω")
    text = records.write(fair_play("pok", 3), NAMES[:3], proof=proof_of(SEED, TABLE, salts))

    assert text.index("[result]") < text.index("[proof]")
    assert records.read(text).proof == {
        "scheme": "pokade/1",
        "table": TABLE,
        "commitment": PROMISE,
        "seed": SEED.hex(),
        "salts": list(salts),
    }


def test_a_record_without_proof_is_written_as_ever():
    play = fair_play("pok", 3)

    assert "[proof]" not in records.write(play, NAMES[:3])
    assert records.write(play, NAMES[:3], proof=proof_of(SEED, TABLE, SALTS)).startswith(records.write(play, NAMES[:3]))


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", DOC.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_the_test_vectors_of_the_documentation_are_those_of_the_code():
    proof, vectors = (tomllib.loads(block) for block in blocks("toml"))

    assert proof["proof"] == {**asdict(proof_of(SEED, TABLE, SALTS)), "salts": list(SALTS)}
    assert vectors["key"] == fairness.key(SEED, TABLE, SALTS).hex()
    for n in (6, 30, 32):
        assert vectors[f"tickets-of-{n}"] == tickets(provable(), n)


def test_the_documented_vectors_pass_over_numbers_too(monkeypatch: pytest.MonkeyPatch):
    large = tomllib.loads(blocks("toml")[1])["large"]
    asked: list[int] = []

    def listened(number_at: Callable[[int], int], span: int, n: int) -> int:
        return unbiased(lambda attempt: asked.append(attempt) or number_at(attempt), span, n)

    monkeypatch.setattr(fairness, "unbiased", listened)
    drawn = tickets(provable(), 2**255 + 1, 4)

    assert [f"{ticket:064x}" for ticket in drawn] == large["tickets"]
    assert asked == [attempt for last in large["attempts"] for attempt in range(last + 1)]


def test_the_documented_line_of_the_shell_gives_the_commitment():
    (line,) = re.findall(r"printf '(.*)' \| sha256sum", blocks("sh")[0])

    assert hashlib.sha256(line.encode()).hexdigest() == PROMISE


def test_the_documented_verifier_finds_what_ours_finds(tmp_path: Path):
    text = fair_record("pok", 4)
    throw = next(str(action) for action in records.read(text).actions if "d roll" in str(action))
    other = throw[:7] + ("S" if throw[7] == "O" else "O") + throw[8:]
    forgeries = (text.replace(throw, other, 1), text.replace("salt of Ada", ""), text.replace(TABLE, "table-2"))
    (tmp_path / "verifier.py").write_text(blocks("python")[0])

    def ran(record: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "record.toml").write_text(record, "utf-8")
        return subprocess.run(
            [sys.executable, "verifier.py", "record.toml"], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    assert ran(text).stdout == f"{len(verify(records.read(text)))} draws are fair\n"
    assert all(trouble(forged) and ran(forged).returncode == 1 for forged in forgeries)

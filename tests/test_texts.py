"""Every language says the same things, everything the games tell has a sentence, and every sentence fits a screen."""

import ast
import io
import re
import sys
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from docs import protocol
from typer.testing import CliRunner

from pokade import texts
from pokade.cli import app
from pokade.games import GAMES, errors
from pokade.games.game import Event, Game
from pokade.games.play import Told
from pokade.players import NAMES as BOTS
from pokade.server.network.guard import ALL_LIMITS
from pokade.server.storage import StorageError
from pokade.server.table import clean_name
from pokade.texts import LANGUAGES, catalogue, entry, people, preferred_language, sentence, slots, text

NAMES = ("Annalena", "Benedikt", "Caroline", "Dorothea", "Ferdinan", "Gabriela", "Henrique", "Isabelle")
LONGEST = 90  # two lines on a small phone
NUMBERS = (0, 1, 2, 3, 10, 200)
PLAIN_KINDS = ("", "seat", "seats", "number", "digits")
ALL_GAMES = list(GAMES.values())
each_language = pytest.mark.parametrize("language", LANGUAGES)
each_game = pytest.mark.parametrize("game", ALL_GAMES, ids=list(GAMES))


def leaves(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def templates(language: str) -> dict[tuple[str, ...], str]:
    return {path: leaf for path, leaf in leaves(catalogue(language)) if isinstance(leaf, str)}


def all_texts(language: str) -> dict[tuple[str, ...], str]:
    """The texts of the catalogue, and what the commands say of themselves."""
    return templates(language) | {("helps", *path): leaf for path, leaf in leaves(texts.helps(language))}


def word_lists(language: str, game: Game) -> dict[str, list[str]]:
    return {key: value for key, value in entry(language, game.name).items() if isinstance(value, list)}


def kinds(event: Event) -> tuple[str, str, str]:
    return event.who, event.what, event.more


def lists_of(game: Game, event: Event, language: str) -> Iterator[tuple[str, int]]:
    """The lists that an event's text puts a number through, with how long each is."""
    kind_of = dict(zip(("who", "what", "more"), kinds(event), strict=True))
    for name, words in slots(entry(language, f"{game.name}.event.{event.name}")):
        for used in {words, kind_of[name]} - set(PLAIN_KINDS):
            yield name, len(entry(language, f"{game.name}.{used}"))


def numbers_of(game: Game, event: Event, language: str) -> list[list[int]]:
    """Numbers to try for an event: who, what, more."""
    shortest: dict[str, int] = {}
    for name, length in lists_of(game, event, language):
        shortest[name] = min(length, shortest.get(name, length))
    seats = game.seats[-1]
    plain = {
        "": [0],
        "seat": list(range(seats)),
        "seats": [0b1, 0b11, 0b111, (1 << seats) - 1],
        "number": [*NUMBERS, -1],
        "digits": [11111, 66666],
    }
    return [
        list(range(shortest[name])) if name in shortest else plain[kind]
        for name, kind in zip(("who", "what", "more"), kinds(event), strict=True)
    ]


def told_sentences(game: Game, language: str) -> Iterator[tuple[Event, str]]:
    for event in game.events:
        for who, what, more in product(*numbers_of(game, event, language)):
            yield event, sentence(language, game, Told(event, who, what, more), NAMES[: game.seats[-1]])


def told_to_oneself(game: Game, language: str) -> Iterator[tuple[Event, Told, int]]:
    """Every event that is about a person, as told to that person."""
    for event in game.events:
        for who, what, more in product(*numbers_of(game, event, language)):
            about = {"seat": {who}, "seats": {seat for seat in range(game.seats[-1]) if who >> seat & 1}}.get(
                event.who, set()
            )
            if event.who == "seats" and len(about) == 1 and not can_be_one(game, event):
                continue
            for you in about | ({more} if event.more == "seat" else set()):
                if who != more or event.more != "seat":
                    yield event, Told(event, who, what, more), you


@each_language
def test_every_language_has_the_same_keys(language: str) -> None:
    here, english = (dict(leaves(catalogue(which))).keys() for which in (language, "en"))
    assert english - here == set()
    assert here - english == set()


@each_language
def test_every_list_of_words_is_as_long_as_in_english(language: str) -> None:
    for path, leaf in leaves(catalogue("en")):
        if isinstance(leaf, list) and path[0] != "language":
            there = entry(language, ".".join(path))
            assert len(there) == len(leaf), path


@each_language
def test_every_text_has_the_same_slots_as_in_english(language: str) -> None:
    english = templates("en")
    for path, template in templates(language).items():
        assert {name for name, _ in slots(template)} == {name for name, _ in slots(english[path])}, path


@each_language
def test_no_text_is_empty_or_has_a_brace_that_is_no_slot(language: str) -> None:
    for path, template in templates(language).items():
        assert template.strip(), path
        flat = texts._SLOT.sub("", texts._FORMS.sub(r"\2\3", template))
        assert "{" not in flat, path
        assert "}" not in flat, path


@each_language
@each_game
def test_every_event_has_a_text_and_no_text_is_without_its_event(game: Game, language: str) -> None:
    assert list(entry(language, f"{game.name}.event")) == [event.name for event in game.events]


def can_be_one(game: Game, event: Event) -> bool:
    """Whether an event may be about one person alone: then some language needs a form for it."""
    return event.who == "seat" or any("{who:" in entry(each, f"{game.name}.event.{event.name}") for each in LANGUAGES)


@each_language
@each_game
def test_every_event_about_people_has_words_for_the_one_whom_it_is_about(game: Game, language: str) -> None:
    named = [
        event for event in game.events if "who" in {n for n, _ in slots(entry("en", f"{game.name}.event.{event.name}"))}
    ]
    wanted = {
        "event_you": [event.name for event in named if event.who in ("seat", "seats") and can_be_one(game, event)],
        "event_we": [event.name for event in named if event.who == "seats"],
        "event_yours": [event.name for event in named if event.more == "seat"],
    }
    there = entry(language, game.name)
    assert {table: list(there.get(table, ())) for table in wanted} == wanted


@each_language
@each_game
def test_what_is_told_to_oneself_never_says_ones_name(game: Game, language: str) -> None:
    for event, told, you in told_to_oneself(game, language):
        line = sentence(language, game, told, NAMES[: game.seats[-1]], you)
        assert NAMES[you] not in line, (event.name, line)
        assert len(line) <= LONGEST, (event.name, line)
        assert line.endswith((".", "!")), (event.name, line)
        assert not re.search(r"[{}@|]|  | [.,]", line), (event.name, line)
        assert re.match(r"[A-ZÀ-Ý¡]", line), (event.name, line)


# Texts with somebody's name that are never read by that person, with the reason.
ONLY_TO_OTHERS = {
    "what one does to, or hears of, somebody else": (
        "web.lobby.remove", "web.lobby.host_starts", "web.lobby.arrived", "web.bot.title", "web.table.paused_wait",
        "web.table.give", "web.table.given", "web.table.take_this", "web.claim.*", "web.talk.*", "web.over.wants",
        "web.pokerdice.decides", "web.pokerdice.goes_to", "web.pokerdice.own_taken",
        "web.evening.picks", "web.mine.with", "web.on.with", "web.vote.taken_back",
    ),
    "rivals, as they sit around": (
        "web.pok.fist", "web.pok.palm", "web.pok.gives", "web.pokerdice.seat", "web.pokopop.seat",
    ),
    "a screen that several people look at": (
        "web.curtain.*", "web.pokerdice.may_all*", "web.pokerdice.may_throw", "web.pokerdice.card_of",
    ),
    "what one is called": ("web.me.*", "web.here.ask"),
}  # fmt: skip


@each_language
def test_every_text_of_the_page_with_a_name_has_words_for_whoever_bears_it(language: str) -> None:
    others = [pattern for patterns in ONLY_TO_OTHERS.values() for pattern in patterns]
    for path, template in templates(language).items():
        key, parts = ".".join(path), {name for name, _ in slots(template)}
        if path[0] != "web" or not parts & {"who", "name"} or key.endswith("_we"):
            continue
        if any(fnmatch(key, pattern) for pattern in others):
            continue
        siblings = entry(language, key.rpartition(".")[0])
        own, ours = f"{path[-1].removesuffix('_of')}{'' if path[-1].endswith('_of') else '_you'}", f"{path[-1]}_we"
        can_be_many = ours in siblings or any("{who:" in entry(each, key) for each in LANGUAGES)
        is_always_many = can_be_many and not any("{who:" in entry(each, key) for each in LANGUAGES)
        assert is_always_many or own in siblings, key
        assert not can_be_many or ours in siblings, key
        assert is_always_many or not {name for name, _ in slots(siblings[own])} & {"who", "name"}, key


@each_language
@each_game
def test_an_events_text_uses_only_what_the_event_says(game: Game, language: str) -> None:
    for event in game.events:
        said = {name for name, kind in zip(("who", "what", "more"), kinds(event), strict=True) if kind}
        assert {name for name, _ in slots(entry(language, f"{game.name}.event.{event.name}"))} <= said, event.name


@each_language
@each_game
def test_an_events_text_never_begins_with_a_word_of_a_list(game: Game, language: str) -> None:
    # A list has its words in lower case; a name that begins a sentence stays as it was given.
    for event in game.events:
        first = re.match(r"\{(\w+)(@?)", entry(language, f"{game.name}.event.{event.name}"))
        if first:
            assert getattr(event, first[1]) in PLAIN_KINDS, event.name
            assert not first[2], event.name


@each_language
@each_game
def test_every_kind_of_word_has_its_list_and_every_list_is_used(game: Game, language: str) -> None:
    lists = word_lists(language, game)
    needed = {kind for event in game.events for kind in kinds(event)} - set(PLAIN_KINDS)
    named = {
        words
        for any_language in LANGUAGES
        for path, template in templates(any_language).items()
        if path[0] == game.name
        for _, words in slots(template)
        if words
    }
    assert needed | named == set(lists)


@each_language
@each_game
def test_every_ending_has_a_text(game: Game, language: str) -> None:
    assert list(entry(language, f"{game.name}.ending")) == list(game.endings[1:])


@each_language
@each_game
def test_every_option_has_a_label_and_help_and_a_text_for_each_of_its_few_values(game: Game, language: str) -> None:
    described = entry(language, f"{game.name}.option")
    assert list(described) == [option.name for option in game.options]
    for option in game.options:
        values = {
            str(value).lower()
            for n_seats in game.seats
            for taken in [option.takes(n_seats)]
            if not isinstance(taken, range)
            for value in taken
        }
        assert set(described[option.name]) == {"label", "help"} | ({"value"} if values else set()), option.name
        assert set(described[option.name].get("value", ())) == values, option.name


@each_language
@each_game
def test_every_game_has_the_texts_that_a_player_needs(game: Game, language: str) -> None:
    described = entry(language, game.name)
    assert described["title"] == game.title
    assert described["tagline"]
    assert described["choice"]
    assert described["prompt"]
    assert 25 <= len(described["short_rules"].strip().splitlines()) <= 45


@each_language
def test_every_error_code_has_a_sentence(language: str) -> None:
    assert errors.__doc__ is not None
    of_the_rules = set(re.findall(r"\b[a-z]+/[a-z-]+\b", errors.__doc__))
    sent = set(protocol.codes())
    assert of_the_rules <= sent
    assert {error.code for error in StorageError.__subclasses__()} | {limit.code for limit in ALL_LIMITS} <= sent
    assert sorted(entry(language, "error")) == sorted(sent)


def explained_errors() -> Iterator[tuple[str, set[str]]]:
    """Every error that is made with a code which the terminal explains, and the values that come with it."""
    ours = ("BadCall", "BadOption", "BadPlayer", "BadRun", "BadSeats", "BadSolution", "Unsolved")
    made = (*ours, "BadRecord", "Misread", "Unfair")
    for file in sorted(protocol.SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in made:
                codes = [arg.value for arg in node.args[:2] if isinstance(arg, ast.Constant) and arg.value != 0]
                if codes and all(keyword.arg for keyword in node.keywords):
                    yield str(codes[0]), {str(keyword.arg) for keyword in node.keywords}


@each_language
def test_every_error_of_the_rules_and_of_records_is_explained(language: str) -> None:
    found = dict(explained_errors())

    assert len(found) > 60
    assert set(entry(language, texts.ENGINE)) == set(found) - {"record/bad"}
    for code, values in found.items():
        if code != "record/bad":
            assert {name for name, _ in slots(entry(language, f"{texts.ENGINE}.{code}"))} == values, code
            assert texts.explained(language, errors.Coded(code, "", **dict.fromkeys(values, "x"))), code


def test_an_error_says_in_english_what_its_english_text_says() -> None:
    for game in ALL_GAMES:
        for seats, options in ((99, {}), (game.seats[0], {"nothing": 1}), (game.seats[0], {game.options[0].name: -7})):
            with pytest.raises(errors.Refused) as refusal:
                game.new(seats, options)
            assert not re.search("[{}]", texts.explained("de", refusal.value))
            assert texts.explained("de", refusal.value) != str(refusal.value)
    bad = errors.BadRecord(3, "record/choice", "p1 may not pick O now", seat="p1", words="pick O")
    assert texts.explained("en", bad) == str(bad)
    assert texts.explained("de", bad) == "p1 darf jetzt nicht pick O"


def test_an_error_without_words_is_told_in_english() -> None:
    assert texts.explained("fr", errors.BadRecord(1, "record/bad", "no more pennies")) == "no more pennies"


NAMED = {"who", "Who", "name", "names", "bot", "first", "last", "game"}  # slots for names, outside of events


def name_slots(path: tuple[str, ...]) -> set[str]:
    """The slots of a text that a name may fill."""
    if path[0] not in GAMES or not path[1].startswith("event"):
        return NAMED
    event = next(event for event in GAMES[path[0]].events if event.name == path[2])
    pairs = zip(("who", "what", "more"), kinds(event), strict=True)
    return {slot for slot, kind in pairs if kind in ("seat", "seats")} | {"Who"}


def test_no_french_word_that_is_elided_stands_before_a_name() -> None:
    elided = re.compile(r"\b(?:[jlmtsncd]e|la|(?:jus|lors|puis|quoi)?que) \{(\w+)\}", re.IGNORECASE)

    for path, template in templates("fr").items():
        flat = texts._FORMS.sub(lambda found: f"{found[2]} {found[3]}", template)
        assert not set(elided.findall(flat)) & name_slots(path), path


def test_no_german_name_takes_an_s_and_no_spanish_name_changes_the_word_before_it() -> None:
    """Hans's and Max's genitives differ from Ada's; Spanish says u before Otto, and del is of words, not of names."""
    for path, template in templates("de").items():
        assert not set(re.findall(r"\{(\w+)\}[’']?s\b", template)) & name_slots(path), path
    for path, template in templates("es").items():
        assert not set(re.findall(r"\b(?:[ou]|del|al) \{(\w+)\}", template)) & name_slots(path), path


@each_language
def test_every_error_is_a_short_sentence_without_slots(language: str) -> None:
    for code, line in entry(language, "error").items():
        assert re.fullmatch(r"[A-ZÀ-Ý¡¿][^{}]*[.!]", line), code
        assert len(line) <= LONGEST, code


def test_no_error_code_is_put_together_from_pieces() -> None:
    """A code that stands in no file could have no sentence."""
    for file in protocol.speakers():
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            first = node.values[0] if isinstance(node, ast.JoinedStr) and node.values else None
            start = str(first.value) if isinstance(first, ast.Constant) else ""
            assert not re.fullmatch(r"[a-z]+/[a-z-]*", start), (file.name, start)


@each_language
@each_game
def test_every_event_can_be_told_on_two_lines_of_a_phone(game: Game, language: str) -> None:
    for event, line in told_sentences(game, language):
        assert len(line) <= LONGEST, (event.name, line)


@each_language
@each_game
def test_every_told_sentence_reads_as_one(game: Game, language: str) -> None:
    for event, line in told_sentences(game, language):
        assert line.endswith((".", "!")), (event.name, line)
        assert not re.search(r"[{}@|]|  | [.,]", line), (event.name, line)


@each_language
def test_what_a_player_reads_beside_the_story_is_short(language: str) -> None:
    for path, template in templates(language).items():
        if path[0] in GAMES and path[1] != "short_rules":
            bare = texts._SLOT.sub("100", texts._FORMS.sub(r"\3", template))
            is_read_at_leisure = path[-1] == "help" or path[1] == "lesson"
            assert len(bare) <= (110 if is_read_at_leisure else LONGEST), path


@each_language
def test_names_may_be_any_strings(language: str) -> None:
    game = ALL_GAMES[0]
    event = next(event for event in game.events if event.who == "seats")
    odd = ["{what}", "a|b", "{who:x|y}", ""]
    line = sentence(language, game, Told(event, 0b111, 0, 0), odd)
    assert all(name in line for name in odd[:3])


def test_words_follow_their_number() -> None:
    assert texts.fill("en", "list", "{n} {n:card|cards}", {"n": texts.Shown("1", 1)}) == "1 card"
    assert texts.fill("en", "list", "{n} {n:card|cards}", {"n": texts.Shown("0", 0)}) == "0 cards"
    assert texts.fill("fr", "list", "{n} {n:carte|cartes}", {"n": texts.Shown("0", 0)}) == "0 carte"
    assert texts.fill("en", "list", "{n:{n} card|many}", {"n": texts.Shown("one", 1)}) == "one card"


def test_four_people_are_a_number_and_fewer_are_names() -> None:
    assert people("en", ["Ada"]) == "Ada"
    assert people("en", ["Ada", "Ben", "Cleo"]) == "Ada, Ben and Cleo"
    assert people("en", ["Ada", "Ben", "Cleo", "Dora"]) == "4 players"


def test_spanish_joins_names_by_their_sound() -> None:
    assert people("es", ["Ada", "Ben"]) == "Ada y Ben"
    assert people("es", ["Ada", "Inés"]) == "Ada e Inés"
    assert people("es", ["Ada", "Hilde"]) == "Ada e Hilde"
    assert people("es", ["Ada", "Ian"]) == "Ada y Ian"


def test_numbers_below_zero_have_a_real_minus_sign() -> None:
    assert text("en", "list.people", count=-3) == "−3 players"


def test_french_signs_stand_after_a_space_that_does_not_break() -> None:
    titles = "|".join(re.escape(game.title) for game in ALL_GAMES)
    for path, template in all_texts("fr").items():
        plain = re.sub(titles, "", texts._FORMS.sub(r"\2 \3", template))
        assert not re.search(r"[^\u00a0\u202f!?][!?;»]|«[^\u00a0\u202f]", plain), path
        assert not re.search(r"[ \w]:(?![-/\w])", plain), path
        assert "'" not in plain, path


def test_spanish_questions_and_calls_are_opened_too() -> None:
    titles = "|".join(re.escape(game.title) for game in ALL_GAMES)
    for path, template in all_texts("es").items():
        plain = re.sub(titles, "", template)
        assert plain.count("!") == plain.count("¡"), path
        assert plain.count("?") == plain.count("¿"), path


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_CH.UTF-8"}, "de"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "de_DE", "LC_MESSAGES": "es_ES@euro"}, "es"),
        ({"LANG": "de_DE", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": ""}, "de"),
        ({"LANG": "it_IT.UTF-8"}, "en"),
        ({"LANG": "../../etc"}, "en"),
    ],
)
def test_the_environment_says_the_language(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert preferred_language() == language


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no texts in xx"):
        catalogue("xx")


@each_language
@each_game
def test_pokade_rules_shows_the_rules_of_a_game(game: Game, language: str) -> None:
    shown = CliRunner().invoke(app, ["rules", game.name, "--lang", language])
    assert shown.exit_code == 0
    assert game.title in shown.output
    headings = re.findall(r"^## (.*)$", entry(language, f"{game.name}.short_rules"), re.MULTILINE)
    assert headings
    assert all(heading in shown.output for heading in headings)


@each_language
def test_pokade_rules_alone_lists_the_games(language: str) -> None:
    shown = CliRunner().invoke(app, ["rules", "--lang", language], env={"COLUMNS": "120"})
    assert shown.exit_code == 0
    for game in ALL_GAMES:
        assert game.name in shown.output
        assert entry(language, f"{game.name}.tagline")[:20] in shown.output


@pytest.mark.parametrize("call", [["rules", "bridge"], ["rules", "--lang", "xx"], ["rules", "bridge", "--lang", "de"]])
def test_pokade_rules_refuses_what_it_does_not_know_in_one_line(call: list[str]) -> None:
    refused = CliRunner().invoke(app, call)
    assert refused.exit_code == 2
    assert len(refused.stderr.strip().splitlines()) == 1
    assert not refused.stdout


@each_language
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-8"])
def test_pokade_rules_draws_on_any_terminal(
    language: str, encoding: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from pokade.cli.rules import rules  # noqa: PLC0415 - loaded when called, as the command is

    with (tmp_path / "terminal").open("wb") as out:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding=encoding))
        for game in GAMES:
            rules(game, language)
        sys.stdout.flush()
        sys.stdout.detach()
    assert ALL_GAMES[0].title.encode() in (tmp_path / "terminal").read_bytes()


# Words that were given up, with the one that is used instead: one word for a thing, on the page and in the terminal.
GIVEN_UP = {
    "en": {
        r"\banew\b": "again",
        r"\bthe line\b": "connection",
        r"\bbooks\b": "database",
        r"\b[Dd]on't hear\b": "mute",
        r"\b[Ll]et \{name\} go\b": "remove",
        r"\bOne (can|looks|sees|says)\b": "you",
        r"\d \w+ a choice$": "per",
        r"\b([Ww]ithout|to|need|from) (a|the|this) house\b|house can't": "server",
        r"(^|[.;:] )Who(ever)? (has|holds|is|plays|pays|bids)\b[^?]*$": "the player who",
    },
    "de": {
        r"[Pp]lättchen": "Stein",
        r"Vorrat": "Stapel",
        r"[Mm]elden\b": "Kassieren",
        r"\bPartien?\b": "Spiel",
        r"\bKeim": "Startwert",
        r"\bLeute\b(?!, einen)": "Personen",
        r"\bZurufe?\b": "Chat",
        r"[Zz]uschau|zugeschaut": "zusehen",
        r"Nachsehen": "Rückblick",
        r"\bhält \{|[Hh]alten für": "mitgehen",
        r"Letzte Runde\b": "Schlussrunde",
        r"\bLeitung\b": "Verbindung",
        r"weglassen": "entfernen",
        r"Gemüt": "Temperament",
        r"Versprechen\b": "Siegel",
        r"\bSpiel \{number\}|\{number\}\. Spiel": "Runde",
        r"Bücher": "Datenbank",
        r"\b(ohne|zum|zu einem) (ein )?Haus\b|Haus ist nicht zu": "Server",
        r"\bübersetzt\b": "kompiliert",
        r"er-Würfel": "Würfel der Einsen",
    },
    "fr": {
        r"\brobots?\b": "bot",
        r"parties? notées?": "enregistrement",
        r"\brelevé\b": "enregistrement",
        r"\bsatisfait": "réussi",
        r"\brempli": "réussi",
        r"\b[Rr]emis\b": "rendu",
        r"\b[Pp]ile\b": "tas",
        r"[Dd]ernière manche": "manche finale",
        r"Annonces|Enchères": "Encaisser, Pocher, Poser",
        r"\bligne\b(?! (après|courte))(?<!courte ligne)(?<!par ligne)": "connexion",
        r"\bsceau\b(?!,)": "engagement",
        r"\blivres\b": "base de données",
        r"Ne plus entendre": "mettre en sourdine",
        r"\b([Ss]ans|à la|demandent une) maison\b": "serveur",
        r"\bcombinaison": "série",
    },
    "es": {
        r"[Pp]ochar": "apostar",
        r"\b[Aa]siento": "sitio",
        r"[Mm]is juegos": "Mis partidas",
        r"[Rr]epasar": "repetición",
        r"\bla línea\b": "conexión",
        r"\bsello\b": "compromiso",
        r"\blibros\b": "base de datos",
        r"No oír": "silenciar",
        r"Igualar por": "igualar con",
        r"\b[Rr]epet?i(r|te|ten)\b": "volver a tirar",
        r"archivo de partida": "registro",
        r"\b([Ss]in|con la|a la|una) casa\b": "servidor",
        r"\bcombinación": "grupo",
    },
}


@each_language
def test_one_word_is_used_for_a_thing(language: str) -> None:
    said = [
        (path, text)
        for path, leaf in leaves({**catalogue(language), "helps": texts.helps(language)})
        for text in ([leaf] if isinstance(leaf, str) else leaf)
    ]
    used = [
        (".".join(path), text if path[-1] != "short_rules" else "…", f"{word}: {instead}")
        for word, instead in GIVEN_UP[language].items()
        for path, text in said
        if path[0] != "language" and re.search(word, str(text))
    ]

    assert used == []


@each_language
def test_the_stages_of_poch_are_called_the_same_everywhere(language: str) -> None:
    stages = entry(language, "web.poch.stages")

    assert entry(language, "play.poch.stages") == stages
    for stage, heading in zip(
        stages, re.findall(r"^## \d\. (\w+)", entry(language, "poch.short_rules"), re.M), strict=True
    ):
        assert heading[:4].casefold() == stage[:4].casefold()


@each_language
def test_a_name_that_the_page_gives_is_short_and_no_bots(language: str) -> None:
    names = entry(language, "web.me.names")

    assert isinstance(names, list)
    assert len({name.casefold() for name in names}) == len(names) >= 20
    assert not {name.casefold() for name in names} & {name.casefold() for name in BOTS}
    assert all(clean_name(name) == name for name in names)

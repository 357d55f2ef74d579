"""Every sentence that people read, one catalogue per language, and the few lines that fill it in.

A text may hold three kinds of slots, which are the same in every program that reads the catalogues:

- `{what}`: the value, as people write it;
- `{what@suit}`: the word that the list `suit` of the text's own table (the game's) has at that number;
- `{who:shows|show}`: the first form for one, the second for many. A form may hold slots of the first two kinds.

Forms are settled first and values put in last, in one pass, so a name may be any string, braces included. Which numbers
take the first form is the language's own `one` (0 too in French); people count by heads, a word of a list by its place.

An event has texts of its own for the person whom it is about: `event_you` for one alone, `event_yours` for the one it
is done to, `event_we` for one among others, where `{who}` is "you and Ben", or "You and Ben" at a beginning.
"""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, NamedTuple, get_args

from pokade.games.errors import Coded
from pokade.games.game import Game
from pokade.games.play import Told

ENGINE: Final = "engine"  # the table of errors that the terminal explains
Language = Literal["en", "de", "fr", "es"]
LANGUAGES: Final[tuple[str, ...]] = get_args(Language)
MANY_NAMES: Final = 4  # from so many people on a sentence says their number instead of their names
_PART: Final = r"(?:[^|{}]|\{[^{}]*\})*"  # one form: words and plain slots
_FORMS: Final = re.compile(rf"\{{(\w+):({_PART})\|({_PART})\}}")
_SLOT: Final = re.compile(r"\{(\w+)(?:@(\w+))?\}")
_WHO_FIRST: Final = re.compile(r"(^|[.!?]\s+)([¡¿]*)\{who\}")  # at the beginning of a sentence
NOBODY: Final = -1
_SOUNDS_LIKE_I: Final = re.compile(r"h?[iíy](?![aeou])", re.IGNORECASE)


class Shown(NamedTuple):
    """A value of a text: how people write it, and the number that chooses its form and its word."""

    words: str
    number: int


@cache
def catalogue(language: str) -> Mapping[str, Any]:
    """All texts of a language, as nested tables; what only the terminal says of errors is in a file of its own."""
    if language not in LANGUAGES:
        raise ValueError(f"no texts in {language}; there are {', '.join(LANGUAGES)}")
    return _read(f"{language}.toml") | {ENGINE: _read(f"errors/{language}.toml")}


@cache
def helps(language: str) -> Mapping[str, Mapping[str, str]]:
    """What the commands say of themselves, by command and option; nothing in English, which is in the code."""
    return {} if language == LANGUAGES[0] else _read(f"helps/{language}.toml")


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text("utf-8"))


def preferred_language() -> str:
    """The language that the environment asks for, or English."""
    wanted = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    language = re.split(r"[^a-z]", wanted.lower())[0]
    return language if language in LANGUAGES else LANGUAGES[0]


def entry(language: str, key: str) -> Any:
    """What stands under a dotted key: a text, a list of words or a table."""
    found: Any = catalogue(language)
    for part in key.split("."):
        found = found[part]
    return found


def text(language: str, key: str, /, **values: object) -> str:
    """The text under a key, filled in. A value that is no number counts as one."""
    shown = {name: _value(value) for name, value in values.items()}
    return fill(language, key.partition(".")[0], entry(language, key), shown)


def _value(value: object) -> Shown:
    if isinstance(value, Shown):
        return value
    return _number(value) if isinstance(value, int) else Shown(str(value), 1)


def written(language: str, value: float, digits: int = 0) -> Shown:
    """A number with the decimal sign and the groups of three digits that a language writes."""
    point, group = entry(language, "language.figures")
    signs = str.maketrans({".": point, ",": group, "-": "−"})
    return Shown(f"{value:,.{digits}f}".translate(signs), round(abs(value)))


def percent(language: str, part: float, digits: int) -> str:
    """A part of a whole in per cent, without the sign."""
    return written(language, 100 * part, digits).words


def explained(language: str, error: Coded) -> str:
    """An error of the rules or of a record in a language; in English if there are no words for it."""
    if error.code not in entry(language, ENGINE):
        return str(error)
    values = {name: _taken(language, value) for name, value in error.values.items()}
    return text(language, f"{ENGINE}.{error.code}", **values)


def _taken(language: str, value: object) -> object:
    """What an option takes, in words; every other value as it is."""
    if isinstance(value, range):
        return text(language, "play.menu.range", low=value[0], high=value[-1])
    return ", ".join(str(member).lower() for member in value) if isinstance(value, tuple) else value


def fill(language: str, table: str, template: str, values: Mapping[str, Shown]) -> str:
    """Put values into a template; the lists it names are those of the table."""
    one = entry(language, "language.one")

    def form(found: re.Match[str]) -> str:
        return found[2] if values[found[1]].number in one else found[3]

    def value(found: re.Match[str]) -> str:
        shown = values[found[1]]
        return shown.words if found[2] is None else str(entry(language, f"{table}.{found[2]}")[shown.number])

    return _SLOT.sub(value, _FORMS.sub(form, template))


def slots(template: str) -> set[tuple[str, str]]:
    """The slots of a template: each value's name with the list it goes through, or ""."""
    flat = _FORMS.sub(r"{\1}\2\3", template)
    return {(name, words) for name, words in _SLOT.findall(flat)}


def sentence(language: str, game: Game, told: Told, names: Sequence[str], you: int = NOBODY) -> str:
    """One event, told in a language with people's names, and to the person in the seat `you` as theirs."""
    event = told.event
    kinds = {"who": (event.who, told.who), "what": (event.what, told.what), "more": (event.more, told.more)}
    values = {slot: _shown(language, game, kind, number, names, you) for slot, (kind, number) in kinds.items() if kind}
    table = _table(told, you)
    template = entry(language, f"{game.name}.{table}").get(event.name) or entry(
        language, f"{game.name}.event.{event.name}"
    )
    if table == "event_we":
        template, values = _WHO_FIRST.sub(r"\1\2{Who}", template), {**values, "Who": _raised(values["who"])}
    return fill(language, game.name, template, values)


def _table(told: Told, you: int) -> str:
    """The table that has an event's words for a reader."""
    event, who = told.event, told.who
    if you == NOBODY:
        return "event"
    if (event.who == "seat" and who == you) or (event.who == "seats" and who == 1 << you):
        return "event_you"
    if event.who == "seats" and who >> you & 1:
        return "event_we"
    return "event_yours" if event.more == "seat" and told.more == you else "event"


def _raised(shown: Shown) -> Shown:
    return Shown(shown.words[0].upper() + shown.words[1:], shown.number)


def _shown(language: str, game: Game, kind: str, number: int, names: Sequence[str], you: int) -> Shown:
    """A number of an event, as people write it."""
    if kind == "seat":
        return Shown(names[number], 1)
    if kind == "seats":
        seats = [seat for seat in range(len(names)) if number >> seat & 1]
        return Shown(_seats(language, seats, names, you), len(seats))
    if kind == "number":
        return _number(number)
    if kind == "digits":
        return Shown(" ".join(str(number)), number)
    return Shown(entry(language, f"{game.name}.{kind}")[number], number)


def _number(number: int) -> Shown:
    return Shown(str(number).replace("-", "−"), abs(number))


def people(language: str, names: Sequence[str]) -> str:
    """Names in a row, or their number where they are many."""
    if len(names) >= MANY_NAMES:
        return text(language, "list.people", count=len(names))
    if len(names) < 2:
        return "".join(names)
    # Spanish says "e" instead of "y" before the sound of i: Ada e Inés, but Ada y Ian.
    joint = "list.and_i" if _SOUNDS_LIKE_I.match(names[-1]) else "list.and"
    return text(language, joint, first=", ".join(names[:-1]), last=names[-1])


def _seats(language: str, seats: Sequence[int], names: Sequence[str], you: int) -> str:
    """Seats by name in a row; the reader comes first, as "you"."""
    others = [names[seat] for seat in seats if seat != you]
    if you not in seats:
        return people(language, others)
    if len(seats) >= MANY_NAMES:
        others = [text(language, "list.others", count=len(others))]
    return people(language, [text(language, "list.you"), *others])

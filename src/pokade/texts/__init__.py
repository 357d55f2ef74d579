"""Every sentence that people read, one catalogue a language, and the few lines that fill it in.

A text may hold `{name}` for a value and `{name:one|many}` for words that follow its number: "{who} {who:shows|show} a disc".
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from pokade.games.game import Game
from pokade.games.play import Told

LANGUAGES: Final = ("en", "de", "fr", "es")
MANY_NAMES: Final = 4  # from so many people on a sentence says their number instead of their names
_SLOT: Final = re.compile(r"\{(\w+)(?::([^|{}]*)\|([^{}]*))?\}")


@cache
def catalogue(language: str) -> Mapping[str, Any]:
    """All texts of a language, as nested tables."""
    if language not in LANGUAGES:
        raise ValueError(f"no texts in {language}; there are {', '.join(LANGUAGES)}")
    return tomllib.loads(files(__package__).joinpath(f"{language}.toml").read_text("utf-8"))


def entry(language: str, key: str) -> Any:
    """What stands under a dotted key: a text, a list of words or a table."""
    found: Any = catalogue(language)
    for part in key.split("."):
        found = found[part]
    return found


def text(language: str, key: str, **values: object) -> str:
    """The text under a key, filled in."""
    return fill(entry(language, key), {name: (str(value), value != 1) for name, value in values.items()})


def fill(template: str, values: Mapping[str, tuple[str, bool]]) -> str:
    """Put each value, given with whether it is many, into its slots."""

    def slot(found: re.Match[str]) -> str:
        name, one, many = found.groups()
        shown, is_many = values[name]
        return shown if one is None else (many if is_many else one)

    return _SLOT.sub(slot, template)


def sentence(language: str, game: Game, told: Told, names: Sequence[str]) -> str:
    """One event, told in a language with people's names."""
    kinds = {"who": told.event.who, "what": told.event.what, "more": told.event.more}
    numbers = {"who": told.who, "what": told.what, "more": told.more}
    values = {slot: _shown(language, game, kind, numbers[slot], names) for slot, kind in kinds.items() if kind}
    return _capital(fill(entry(language, f"{game.name}.event.{told.event.name}"), values))


def _shown(language: str, game: Game, kind: str, number: int, names: Sequence[str]) -> tuple[str, bool]:
    """A number of an event in words, and whether it is many."""
    if kind == "seat":
        return names[number], False
    if kind == "seats":
        seats = [seat for seat in range(len(names)) if number >> seat & 1]
        return people(language, [names[seat] for seat in seats]), len(seats) != 1
    if kind == "number":
        return str(number), number != 1
    if kind == "digits":
        return " ".join(str(number)), True
    return entry(language, f"{game.name}.{kind}")[number], False


def people(language: str, names: Sequence[str]) -> str:
    """Names in a row, or their number where they are many."""
    if len(names) >= MANY_NAMES:
        return text(language, "list.people", count=len(names))
    if len(names) < 2:
        return "".join(names)
    return text(language, "list.and", first=", ".join(names[:-1]), last=names[-1])


def _capital(line: str) -> str:
    return line[:1].upper() + line[1:]

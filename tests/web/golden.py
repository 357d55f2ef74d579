"""Answers of the Python texts, for the client's to be compared with: `python -m tests.web.golden` writes them."""

import json
from itertools import product
from pathlib import Path
from typing import Any, Final

from pokade.games import GAMES
from pokade.games.game import Event, Game
from pokade.games.play import Told
from pokade.texts import LANGUAGES, NOBODY, entry, people, sentence, text

FILE: Final = Path(__file__).parents[2] / "web/tests/golden.json"
NAMES: Final = ("Ada", "{who}", "Inés", "Ian", "Ömer", "Fay", "Gus", "Hana")
PLAIN: Final = {
    "": (0,),
    "seat": (0, 2),
    "seats": (0b1, 0b110, 0b1111),
    "number": (0, 1, 2, -1, 200),
    "digits": (11456,),
}


def golden() -> list[dict[str, Any]]:
    """Sentences of every event, and lists of names, in every language."""
    told = [_told(language, game, event) for language in LANGUAGES for game in GAMES.values() for event in game.events]
    return [case for cases in (*told, *map(_others, LANGUAGES)) for case in cases]


def _told(language: str, game: Game, event: Event) -> list[dict[str, Any]]:
    kinds = (event.who, event.what, event.more)
    numbers = [PLAIN.get(kind) or range(len(entry("en", f"{game.name}.{kind}"))) for kind in kinds]
    cases = []
    for (who, what, more), you in product(list(product(*numbers))[:6], (NOBODY, 0, 2)):
        if you != NOBODY and not _is_about(kinds, (who, what, more), you):
            continue
        try:
            said = sentence(language, game, Told(event, who, what, more), NAMES, you)
        except IndexError:
            continue  # a number that this event never has, such as five counters of three
        given = {"language": language, "game": game.name, "told": [event.name, who, what, more]}
        cases.append(given | ({} if you == NOBODY else {"you": you}) | {"said": said})
    return cases


def _is_about(kinds: tuple[str, str, str], numbers: tuple[int, int, int], you: int) -> bool:
    """Whether somebody in the seat is among those whom an event names."""
    about = {"seat": lambda number: number == you, "seats": lambda number: number >> you & 1 == 1}
    return any(about[kind](number) for kind, number in zip(kinds, numbers, strict=True) if kind in about)


def _others(language: str) -> list[dict[str, Any]]:
    rows = [NAMES[:count] for count in range(1, 5)] + [("Ada", "Ian"), ("Ada", "Hilda"), ("Ada", "Yves")]
    lists = [{"language": language, "people": row, "said": people(language, row)} for row in rows]
    values = [{"number": number} for number in (0, 1, 2, -1)]
    texts = [
        {"language": language, "key": "play.points", "values": v, "said": text(language, "play.points", **v)}
        for v in values
    ]
    return [*lists, *texts]


def written() -> str:
    """The whole file, a line a case."""
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in golden())
    return f'{{"names": {json.dumps(NAMES, ensure_ascii=False)}, "cases": [\n{lines}\n]}}\n'


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")

"""The page for authors of bots, docs/fields.md: every field of every view, from the comments beside the fields."""

import ast
import inspect
import io
import re
import sys
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from pokade import texts
from pokade.chance import Seeded
from pokade.games import GAMES, cards
from pokade.games.game import Game, Option, Said
from pokade.games.play import Play, View
from pokade.games.state import Column, Seats, State, columns
from pokade.loop import run
from pokade.testing import at_random, tables

PAGE: Final = Path(__file__).parent / "fields.md"
TEMPLATE: Final = Path(__file__).parent / "fields.template.md"
EXAMPLE: Final = Path(__file__).parent / "examples" / "poch_bot.py"
PLAIN: Final = ("", "seat", "seats", "number", "digits")  # kinds of an event's numbers that need no list
LONG: Final = 300  # steps of a game that are looked at
SHOWN: Final = 4  # choices of a question that are listed
SECTION: Final = re.compile(r"^(§[\d.]+(?:(?:, | to )§[\d.]+)*: )")


def write() -> None:
    """The file."""
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """The whole page; equal rules give equal text."""
    common = [_row(column, meanings(State)[column.name]) for column in columns(State)]
    parts = ["## In every game", _table(["field", "shape", "who sees it", "meaning"], common)]
    parts += [part for game in GAMES.values() for part in _game(game)]
    made = {"fields": "\n\n".join(parts) + "\n", "bot": EXAMPLE.read_text("utf-8")}
    text = TEMPLATE.read_text("utf-8")
    for slot, content in made.items():
        text = text.replace(f"{{{slot}}}\n", content)
    return text


def meanings(cls: type[Any]) -> dict[str, str]:
    """The comment beside each field of a class; fields without one are left out."""
    source = inspect.getsource(cls)
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    (body,) = (node.body for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    return {
        node.target.id: comments[node.end_lineno]
        for node in body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.end_lineno in comments
    }


def _game(game: Game) -> Iterator[str]:
    said, options = meanings(game.state), {option.name: option for option in game.options}
    yield f"## {game.title} (`{game.name}`)"
    yield f"Phases: {_numbered(phases(_module(game)))}. Endings: {_numbered(game.endings)}."
    for name in _lists(game):
        yield f"`{name}`: {_numbered(texts.entry('en', f'{game.name}.{name}'))}."
    if _module(game).__dict__.get("CARDS") == cards.CARDS:
        yield f"Cards: {cards.__doc__.partition('. ')[2].strip()}"
    own = [column for column in columns(game.state) if column.name not in meanings(State)]
    rows = [
        _row(column, _option(options[column.name], game) if column.name in options else said[column.name])
        for column in own
    ]
    yield _table(["field", "shape", "who sees it", "meaning"], rows)
    yield f"**Choices.** {_told(game.said)} {_told(game.choice_at)}"
    yield _table(["question", "`choices`", "`choice_words`", "`choice_texts`", "in English"], list(_questions(game)))
    yield f"**Chance.** {_told(game.outcome_at)}"
    known = sorted({name for view in _asked(game) for name in view.facts})
    yield f"**`view.facts`** ({', '.join(f'`{name}`' for name in known)}). {_told(game.facts)}"
    told = [[f"`{event.name}`", event.who, event.what, event.more] for event in game.events]
    yield _table(["event", "`who`", "`what`", "`more`"], told)


def _module(game: Game) -> ModuleType:
    return sys.modules[game.state.__module__]


def phases(module: ModuleType) -> list[str]:
    """The names of a game's phases, in the order of their numbers."""
    (line,) = re.findall(r"^([A-Z_, ]+) = [\d, ]+  # phases$", inspect.getsource(module), re.MULTILINE)
    return [name.strip() for name in line.split(",")]


def _lists(game: Game) -> list[str]:
    """The lists of words that the numbers of a game's events go through."""
    kinds = [kind for event in game.events for kind in (event.who, event.what, event.more)]
    return [kind for kind in dict.fromkeys(kinds) if kind not in PLAIN]


def _numbered(names: Sequence[str]) -> str:
    return ", ".join(f"{number} {name}" for number, name in enumerate(names))


def _row(column: Column, meaning: str) -> list[str]:
    mark = "each row its addressee" if column.mark == "told" else column.mark
    return [f"`{column.name}`", _shape(column), mark, meaning]


def _shape(column: Column) -> str:
    return " × ".join("seats" if isinstance(length, Seats) else str(length) for length in column.shape) or "one"


def _option(option: Option, game: Game) -> str:
    taken = max(map(option.takes, game.seats), key=len)
    if isinstance(taken, range):
        return f"option: {taken[0]} to {taken[-1]}"
    return f"option: {_numbered([str(value).lower() for value in taken])}"


def _told(function: Any) -> str:
    """A rule's own sentence, without its § mark."""
    words = SECTION.sub("", inspect.getdoc(function) or "").replace("\n", " ")
    return words[0].upper() + words[1:]


def _questions(game: Game) -> Iterator[list[str]]:
    """Each question that a seat may be asked, with some of its choices, from random games."""
    found: dict[str, View] = {}
    for view in _asked(game):
        found.setdefault((view.question or ("", {}))[0], view)
    for view in found.values():
        choices, words, sayings = view.choices, view.choice_words, view.choice_texts
        cut = "" if len(choices) <= SHOWN else " …"
        shown = [", ".join(f"`{value}`" for value in values[:SHOWN]) + cut for values in (choices, words, sayings)]
        english = ", ".join(_english(game, "choice", said) for said in sayings[:SHOWN]) + cut
        yield [_english(game, "prompt", view.question or ("", {})), *shown, english]


def _asked(game: Game) -> Iterator[View]:
    """The views of everybody who is asked in random games of the smallest table, with every option."""
    for options in (options for n_seats, options in tables(game) if n_seats == game.seats[0]):
        play, chance = Play(game, game.seats[0], options), Seeded("fields")
        for _ in run(play, chance, at_random(chance)):
            yield from (view for seat in range(play.n_seats) if (view := play.view(seat)).choices)
            if len(play.steps) > LONG:
                break


def _english(game: Game, table: str, said: Said) -> str:
    return texts.text("en", f"{game.name}.{table}.{said[0]}", **said[1])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cut = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *cut])


if __name__ == "__main__":
    write()

"""How the master level reads its rivals: a file or a folder for each game in which that pays.

It starts from what the strong level would do, the *reference*. What rivals were seen to choose is compared with what
players of some kinds would have chosen there, the reference among them (`beliefs.py`); then it leans towards the best
answer to what it believes of them. It knows the views of its own seat in this game and nothing else. A reader has

    covers(view)                   is this a sealed round that it reads? Elsewhere it plays as the strong level
    KINDS                          how many kinds of players it knows, the reference first
    reference(state)               by seat and choice: how likely the strong level makes it, in a sealed round
    guesses(state)                 by seat, kind and choice: how likely each kind makes it in a seat's place
    answers(state, seat, mixed)    by choice: what it is worth to a seat while the others mix in one way, in another …
    warm()                         load and compile what that needs

States are those of the reader's own views. A game without a reader has a master level that plays as the strong one.
"""

import importlib
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from types import ModuleType

from pokade.arena.reading.beliefs import Chances, believed, expected, leaned, sureness
from pokade.games.game import Game
from pokade.games.play import View
from pokade.games.state import members


@cache
def has_reader(game: Game) -> bool:
    """Does the master level read its rivals in this game?"""
    return find_spec(f"{__name__}.{game.name}") is not None


def reader_of(game: Game) -> ModuleType:
    """What reads rivals in a game that has a reader."""
    return importlib.import_module(f"{__name__}.{game.name}")


def can_read(view: View) -> bool:
    """Is there anything to read, here and so far?"""
    return bool(view.past) and has_reader(view.game) and bool(reader_of(view.game).covers(view))


def chances(view: View) -> list[float]:
    """How likely the master level makes each of the view's choices, after the view's past."""
    reader, state, own = reader_of(view.game), view.state, view.seat
    beliefs, reference = _beliefs(view, reader), reader.reference(state)
    rivals, guessed = list(reference), reader.guesses(state)
    for seat in _rivals(view, own):
        rivals[seat] = expected(beliefs[seat], guessed[seat])
    hoped, assured = (_of(view, worths) for worths in reader.answers(state, own, (rivals, reference)))
    return leaned(_of(view, reference[own]), hoped, assured, max(map(sureness, beliefs.values())))


def _of(view: View, by_choice: Chances) -> list[float]:
    """For each of the view's choices."""
    return [by_choice[choice] for choice in view.choices]


def _rivals(view: View, own: int) -> tuple[int, ...]:
    """Those of the others who choose now."""
    return members(max(0, view.turn) & ~(1 << own))


def _beliefs(view: View, reader: ModuleType) -> dict[int, list[float]]:
    """How likely each rival is of each kind: reveal by reveal, by how likely each kind would have chosen so."""
    seen: dict[int, list[Chances]] = {seat: [] for seat in range(view.state.n_seats) if seat != view.seat}
    for number, before in enumerate(view.past):
        rivals = _rivals(before, view.seat) if reader.covers(before) else ()
        for seat in rivals:
            choice = _shown(view.past[number + 1 :], seat, reader)
            if choice is not None:
                seen[seat].append([mixture[choice] for mixture in reader.guesses(before.state)[seat]])
    return {seat: believed(likely, reader.KINDS) for seat, likely in seen.items()}


def _shown(later: Sequence[View], seat: int, reader: ModuleType) -> int | None:
    """What a rival had chosen, if it was shown before the next sealed round."""
    for after in later:
        choice = after.game.words.seen_choice(after.state, seat)
        if choice >= 0:
            return choice
        if reader.covers(after):
            break
    return None

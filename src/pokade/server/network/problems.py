"""The position of a day, as a client draws it: a table through the eyes of one seat, and what each choice is worth."""

from datetime import date
from functools import lru_cache
from typing import Final

from pokade import problems
from pokade.games.game import Game
from pokade.games.play import View, told
from pokade.problems import Valued
from pokade.server.views.frames import Frame, shown

KEPT: Final = 64  # a few days of all games; some kilobytes each


def problem_shown(game: Game | None, day: date) -> Frame:
    """The position of a game for a day; without a game, of the one whose turn it is."""
    found = problems.problem_of(game or problems.days_game(day), day)
    return {"date": day.isoformat(), **_kept(found.game, found.number)}


@lru_cache(KEPT)
def _kept(game: Game, number: int) -> Frame:
    """To play a game up to the position takes a few milliseconds."""
    found = problems.problems(game)[number]
    view = found.play.view(found.seat)
    return {
        "game": found.game.name,
        "number": found.number,
        "of": found.of,
        "names": list(found.record.players),
        "options": dict(found.record.options),
        "seat": found.seat,
        "view": shown(view),
        "told": [[one.event.name, one.who, one.what, one.more] for one in told(found.game, view.state)],
        "choices": [_valued(view, one) for one in found.choices],
        "best": list(found.best),
        "gap": found.gap,
        "gap_error": found.gap_error,
        "method": dict(found.method),
    }


def _valued(view: View, one: Valued) -> Frame:
    return {
        "choice": one.choice,
        "said": view.game.said(view.state, view.seat, one.choice),
        "often": one.often,
        "worth": one.worth,
        "error": one.error,
    }

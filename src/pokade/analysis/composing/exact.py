"""Problems of a solved game: the solution says what every choice is worth."""

import random
from collections.abc import Iterator
from typing import Final

from pokade.analysis.composing.selfplay import Played, Row
from pokade.analysis.judging import Judged
from pokade.analysis.solved import BySolution

GAP: Final = 0.04  # of a win that the right choices are ahead
PLAIN: Final = 0.5  # where more hangs on it, everybody sees it
RARELY: Final = 0.0001  # how often a choice that is not to be made is made, at most
MIXED: Final = (0.15, 0.85)  # how often a choice of a mixture that is worth knowing is made
EVERY: Final = 3  # one in so many problems asks for a mixture
DIGITS: Final = 6


def exact(played: Played) -> Row | None:
    """A problem of this game, if there is one."""
    reference = BySolution(played.game, played.n_seats)
    wants_mixture = played.number % EVERY == 0
    for at, seat in _places(played):
        judged = reference.judge(played.moments[at], {}).get(seat)
        if judged is not None and _is_worth_it(judged, wants_mixture):
            rows = [
                (choice, _rounded(judged.mixture[choice]), _rounded(worth), 0.0)
                for choice, worth in judged.worths.items()
            ]
            return played.row(at, seat, rows, (_rounded(ahead(judged)), 0.0))
    return None


def _places(played: Played) -> Iterator[tuple[int, int]]:
    """Every choice of the game, in any order."""
    found = [(at, seat) for at, moment in enumerate(played.moments) for seat in moment.choices]
    random.Random(f"places {played.number}").shuffle(found)
    yield from found


def ahead(judged: Judged) -> float:
    """How far the choices that are made are ahead of the best one that is not; 0 if all are made."""
    made = [choice for choice, often in judged.mixture.items() if often > RARELY]
    best = max(judged.worths[choice] for choice in made)
    return min((best - worth for choice, worth in judged.worths.items() if choice not in made), default=0.0)


def _is_worth_it(judged: Judged, wants_mixture: bool) -> bool:
    """Is one choice clearly best, or are some of them to be mixed and another one clearly wrong?"""
    often = [share for share in judged.mixture.values() if share > RARELY]
    is_mixed = len(often) > 1 and all(MIXED[0] <= share <= MIXED[1] for share in often)
    return GAP <= ahead(judged) <= PLAIN and (is_mixed if wants_mixture else len(often) == 1)


def _rounded(value: float) -> float:
    return round(value, DIGITS) + 0.0  # there is no −0

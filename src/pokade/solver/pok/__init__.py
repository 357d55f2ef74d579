"""POK solved: an equilibrium over all public positions, and its certificate (docs/solver.md says how)."""

from pokade.solver.pok.certificate import certified
from pokade.solver.pok.reference import choices, covers, shares
from pokade.solver.pok.solution import SIZES, chances, limited, solved, warm
from pokade.solver.pok.solving import LimitedSolving, Solving

__all__ = [
    "SIZES",
    "LimitedSolving",
    "Solving",
    "certified",
    "chances",
    "choices",
    "covers",
    "limited",
    "shares",
    "solved",
    "warm",
]

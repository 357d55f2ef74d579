"""POK solved: an equilibrium over all public positions, and its certificate (docs/solver.md says how)."""

from pokade.solver.pok.certificate import certified
from pokade.solver.pok.solution import SIZES, solved
from pokade.solver.pok.solving import Solving
from pokade.solver.pok.worth import choices, covers, shares

__all__ = ["SIZES", "Solving", "certified", "choices", "covers", "shares", "solved"]

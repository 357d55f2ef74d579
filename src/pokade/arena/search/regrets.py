"""Regret matching, once for all games: everybody leans to what they regret not having done.

The options of a seat stand in a row, and `can` is the bit set of those that it has. One step is `match`, then what each
option is worth against the others' mixtures, then `regret`. Mixtures go round and round, but their mean settles: `note`
adds one to it, with weights that grow with the steps, since early thoughts are poor.
"""

from typing import Any, Final

from pokade.arena.draws import fraction
from pokade.games.state import rule

SLIGHT: Final = 1e-12  # more than what rounding makes of no regret at all


@rule
def match(regrets: Any, can: int, mixture: Any) -> None:
    """The mixture now: in proportion to the regrets; without any, every option is as likely as another."""
    total = 0.0
    for option in range(len(mixture)):
        mixture[option] = max(0.0, regrets[option]) + SLIGHT if can >> option & 1 else 0.0
        total += mixture[option]
    for option in range(len(mixture)):
        mixture[option] /= total


@rule
def regret(regrets: Any, can: int, mixture: Any, worth: Any) -> float:
    """Regrets grow by what an option would have brought beyond the mixture, and never below nothing (regret matching+).

    Returns what the mixture has brought.
    """
    mean = 0.0
    for option in range(len(mixture)):
        if can >> option & 1:
            mean += mixture[option] * worth[option]
    for option in range(len(mixture)):
        if can >> option & 1:
            regrets[option] = max(0.0, regrets[option] + worth[option] - mean)
    return mean


@rule
def regret_sample(regrets: Any, can: int, mixture: Any, worth: Any, weight: float) -> None:
    """The same where worths are samples: regrets may go below nothing, or chance alone would look like a regret."""
    mean = 0.0
    for option in range(len(mixture)):
        if can >> option & 1:
            mean += mixture[option] * worth[option]
    for option in range(len(mixture)):
        if can >> option & 1:
            regrets[option] += weight * (worth[option] - mean)


@rule
def note(sums: Any, mixture: Any, weight: float) -> None:
    """Add a mixture to the mean; a weight that grows with the steps lets later ones count more."""
    for option in range(len(mixture)):
        sums[option] += weight * mixture[option]


@rule
def even_out(weights: Any, count: int) -> None:
    """Make the first weights add up to one; without any, all of them are alike."""
    total = 0.0
    for option in range(count):
        total += weights[option]
    for option in range(count):
        weights[option] = weights[option] / total if total > 0.0 else 1.0 / count


@rule
def draw(weights: Any, count: int, rng: Any) -> int:
    """One of the first options, as often as its weight says."""
    total = 0.0
    for option in range(count):
        total += weights[option]
    rest = fraction(rng) * total
    last = 0
    for option in range(count):
        if weights[option] > 0.0:
            last = option
            rest -= weights[option]
            if rest < 0.0:
                break
    return last

"""What is believed of a rival after what it was seen to choose, and how far to lean on that. The same in all games.

A rival is of one of several kinds, the first of which is the reference. A kind says how likely each choice is; every
choice that was seen makes the kinds that would have made it likelier (Bayes). Without anything seen all is as it was
before, and then nothing is leaned on at all.
"""

from collections.abc import Iterable, Sequence
from math import exp, log
from typing import Final

REFERENCE: Final = 0
TRUST: Final = 0.5  # how likely a rival plays the reference, before anything was seen
SLIP: Final = 0.04  # now and then anybody does anything
BOLD: Final = 0.9  # the most that the best answer counts in what is played
LOSS: Final = 0.01  # of a win: what leaning may lose in one choice if all rivals play the reference after all

Chances = Sequence[float]


def priors(kinds: int) -> list[float]:
    """How likely each kind is before anything was seen."""
    return [TRUST] + [(1.0 - TRUST) / (kinds - 1)] * (kinds - 1)


def slipped(chances: Chances, anything: Chances) -> list[float]:
    """The same, if now and then somebody does anything."""
    return [(1.0 - SLIP) * chance + SLIP * other for chance, other in zip(chances, anything, strict=True)]


def believed(seen: Iterable[Chances], kinds: int) -> list[float]:
    """How likely each kind is after some choices, given by how likely each kind would have made them."""
    logs = [log(prior) for prior in priors(kinds)]
    for likely in seen:
        logs = [one + log(chance) for one, chance in zip(logs, likely, strict=True)]
    most = max(logs)
    weights = [exp(one - most) for one in logs]
    total = sum(weights)
    return [weight / total for weight in weights]


def sureness(belief: Chances) -> float:
    """How sure it is by now that a rival does not play the reference, from 0 (nothing speaks for that) to 1."""
    return max(0.0, 1.0 - belief[REFERENCE] / TRUST)


def expected(belief: Chances, mixtures: Sequence[Chances]) -> list[float]:
    """How likely each choice of a rival is, if its kind is believed to be this."""
    return [sum(map(float.__mul__, belief, chances)) for chances in zip(*mixtures, strict=True)]


def leaned(reference: Chances, believed: Chances, assured: Chances, sure: float) -> list[float]:
    """Lean from the reference towards the best answer, the more the surer, and within the loss that is allowed.

    `believed` is what each choice is worth against rivals as they are believed to play, `assured` what it is worth if
    they play the reference. What can't be chosen is worth less than nothing in both.
    """
    best = max(range(len(believed)), key=lambda choice: believed[choice])
    risk = sum(map(float.__mul__, reference, assured)) - assured[best]
    lean = min(BOLD * sure, LOSS / risk if risk > 0.0 else 1.0)
    return [(1.0 - lean) * chance + lean * (choice == best) for choice, chance in enumerate(reference)]

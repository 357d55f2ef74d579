"""A sealed choice of several seats between two options, solved: everybody who mixes is indifferent.

Such a stage often has many equilibria in which one dares and the others do not, and nobody can agree beforehand on who
that is. So the one that is looked for treats alike seats alike: it starts from the stage in which everybody has the
average of all gains, whose even mixture is found by halving, and follows it to the real stage by Newton's method.
Where that comes to nothing, regret matching finds something near.

`gains[seat, rivals]` is what a seat gains by daring, if just these others (a bit set of seats) dare. `dares[seat]` is
how often it does. `ends[daring, seat]` is what everybody at the table has after a joint choice; those who choose are
counted from 0, and `seats` says where they sit.
"""

from typing import Any, Final

import numpy as np

from pokade.arena.search.regrets import match, note, regret
from pokade.games.state import NOTHING, how_many, rule

HALVINGS: Final = 30
PARTS: Final = 4  # steps from the average stage to the real one
STEPS: Final = 12  # of Newton's method in each
EXACT: Final = 1e-9  # gains so small do not matter …
NEAR: Final = 1e-4  # … and with larger ones regret matching has a try
MATCHES: Final = 200
REACH: Final = 0.3  # the longest step
BOTH: Final = 0b11


@rule
def list_gains(ends: Any, seats: Any, count: int, gains: Any) -> None:
    """What daring gains, by what everybody has after each joint choice."""
    for index in range(count):
        for rivals in range(1 << count):
            if not rivals >> index & 1:
                gains[index, rivals] = ends[rivals | 1 << index, seats[index]] - ends[rivals, seats[index]]


@rule
def tremble(gains: Any, count: int, slips: float) -> None:
    """Let every rival do the opposite now and then: where a choice makes no difference, it may after a slip."""
    for seat in range(count):
        for other in range(count if slips > 0.0 else 0):
            for rivals in range(1 << count if other != seat else 0):
                if not rivals >> other & 1 and not rivals >> seat & 1:
                    without, with_them = gains[seat, rivals], gains[seat, rivals | 1 << other]
                    gains[seat, rivals] = without + slips * (with_them - without)
                    gains[seat, rivals | 1 << other] = with_them + slips * (without - with_them)


@rule
def expect(ends: Any, count: int, dares: Any, n_seats: int, found: Any) -> None:
    """What everybody at the table has with these mixtures."""
    for seat in range(n_seats):
        found[seat] = 0.0
    for daring in range(1 << count):
        chance = 1.0
        for index in range(count):
            chance *= dares[index] if daring >> index & 1 else 1.0 - dares[index]
        for seat in range(n_seats if chance > 0.0 else 0):
            found[seat] += chance * ends[daring, seat]


@rule
def solve_afresh(gains: Any, count: int, dares: Any) -> float:
    """An equilibrium found from the average of all seats; returns what somebody could still gain."""
    mean = np.zeros(count)
    _average(gains, count, mean)
    even = _even(mean, count)
    for seat in range(count):
        dares[seat] = even
    real = np.zeros((count, 1 << count))
    for part in range(1, PARTS + 1):
        for seat in range(count):
            for rivals in range(1 << count):
                if not rivals >> seat & 1:
                    usual = mean[how_many(rivals)]
                    real[seat, rivals] = usual + part / PARTS * (gains[seat, rivals] - usual)
        left = _newton(real, count, dares)
    return _match(gains, count, dares, left) if left > NEAR else left


@rule
def solve_on(gains: Any, count: int, dares: Any) -> float:
    """The same from where `dares` is, if the stage has changed only a little."""
    left = _newton(gains, count, dares)
    return solve_afresh(gains, count, dares) if left > NEAR else left


@rule
def _average(gains: Any, count: int, mean: Any) -> None:
    """What daring gains on average over all seats, by how many others dare."""
    times = np.zeros(count)
    for seat in range(count):
        for rivals in range(1 << count):
            if not rivals >> seat & 1:
                mean[how_many(rivals)] += gains[seat, rivals]
                times[how_many(rivals)] += 1.0
    for number in range(count):
        mean[number] /= times[number]


@rule
def _even(mean: Any, count: int) -> float:
    """How often all must dare so that nobody gains by it, nor by not doing so."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        total = 0.0
        chance = (1.0 - middle) ** (count - 1)
        for number in range(count):
            total += chance * mean[number]
            chance *= middle / (1.0 - middle) * (count - 1 - number) / (number + 1)
        if total > 0.0:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


@rule
def _folded(gains: Any, count: int, dares: Any, seat: int, by: int, room: Any) -> float:
    """What a seat gains by daring against the others' mixtures; or how that changes with the daring of `by`."""
    for rivals in range(1 << count):
        room[rivals] = gains[seat, rivals]
    half = 1 << count
    for other in range(count - 1, -1, -1):
        half >>= 1
        often = 0.0 if other == seat else dares[other]
        for rivals in range(half):
            change = room[rivals + half] - room[rivals]
            room[rivals] = change if other == by else room[rivals] + often * change
    found: float = room[0]
    return found


@rule
def _weigh(gains: Any, count: int, dares: Any, gain: Any, room: Any) -> float:
    """What everybody gains by daring; returns what somebody could still gain by changing their mixture."""
    left = 0.0
    for seat in range(count):
        gain[seat] = _folded(gains, count, dares, seat, NOTHING, room)
        left = max(left, gain[seat] * (1.0 - dares[seat]), -gain[seat] * dares[seat])
    return left


@rule
def _newton(gains: Any, count: int, dares: Any) -> float:
    """Move those who mix until all of them are indifferent; returns what somebody could still gain."""
    gain, step, best, room = np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(1 << count)
    slopes, square = np.zeros((count, count)), np.zeros((count, count))
    free = np.zeros(count, np.int64)
    least = np.inf
    for _ in range(STEPS):
        left = _weigh(gains, count, dares, gain, room)
        if left < least:
            least = left
            for seat in range(count):
                best[seat] = dares[seat]
        if left < EXACT:
            break
        n_free = _find_free(gain, count, dares, free)
        if n_free == 1:  # whose own mixture makes no difference to what they gain
            dares[free[0]] = 1.0 if gain[free[0]] > 0.0 else 0.0
            continue
        for index in range(n_free):
            for other in range(n_free):
                slopes[index, other] = _folded(gains, count, dares, free[index], free[other], room)
        _square(gain, slopes, free, n_free, square, step)
        _eliminate(square, step, n_free)
        _move(step, free, n_free, dares)
    for seat in range(count):
        dares[seat] = best[seat]
    return least


@rule
def _find_free(gain: Any, count: int, dares: Any, free: Any) -> int:
    """Those who would like to change their mixture and can; returns how many they are."""
    found = 0
    for seat in range(count):
        if (gain[seat] > 0.0 and dares[seat] < 1.0) or (gain[seat] < 0.0 and dares[seat] > 0.0):
            free[found] = seat
            found += 1
    return found


@rule
def _square(gain: Any, slopes: Any, free: Any, n_free: int, square: Any, step: Any) -> None:
    """Least squares: the equations of a step after which nobody who is free gains, as far as slopes tell."""
    size = 0.0
    for row in range(n_free):
        step[row] = 0.0
        for index in range(n_free):
            step[row] -= slopes[index, row] * gain[free[index]]
        for column in range(n_free):
            square[row, column] = 0.0
            for index in range(n_free):
                square[row, column] += slopes[index, row] * slopes[index, column]
        size = max(size, square[row, row])
    for row in range(n_free):
        square[row, row] += 1e-9 * size + 1e-15


@rule
def _eliminate(square: Any, step: Any, n_free: int) -> None:
    """Solve these equations; their matrix is positive, so that nothing has to change places."""
    for row in range(n_free):
        for other in range(row + 1, n_free):
            part = square[other, row] / square[row, row]
            for column in range(row, n_free):
                square[other, column] -= part * square[row, column]
            step[other] -= part * step[row]
    for row in range(n_free - 1, -1, -1):
        for column in range(row + 1, n_free):
            step[row] -= square[row, column] * step[column]
        step[row] /= square[row, row]


@rule
def _move(step: Any, free: Any, n_free: int, dares: Any) -> None:
    """Take the step, but not too far, and no mixture beyond its ends."""
    longest = REACH
    for index in range(n_free):
        longest = max(longest, abs(step[index]))
    for index in range(n_free):
        dares[free[index]] = min(1.0, max(0.0, dares[free[index]] + step[index] * REACH / longest))


@rule
def _match(gains: Any, count: int, dares: Any, left: float) -> float:
    """Regret matching; it is kept if it leaves less to be gained."""
    regrets, sums, now = np.zeros((count, 2)), np.zeros((count, 2)), np.zeros((count, 2))
    worth, gain, often = np.zeros(2), np.zeros(count), np.zeros(count)
    room = np.zeros(1 << count)
    for step in range(MATCHES):
        for seat in range(count):
            match(regrets[seat], BOTH, now[seat])
            note(sums[seat], now[seat], step + 1.0)
            often[seat] = now[seat, 1]
        _weigh(gains, count, often, gain, room)
        for seat in range(count):
            worth[1] = gain[seat]
            regret(regrets[seat], BOTH, now[seat], worth)
    for seat in range(count):
        often[seat] = sums[seat, 1] / (sums[seat, 0] + sums[seat, 1])
    found = _weigh(gains, count, often, gain, room)
    for seat in range(count if found < left else 0):
        dares[seat] = often[seat]
    return min(found, left)

"""Small systems of linear equations."""

from typing import Any, Final

from pokade.games.state import rule

ASTRAY: Final = 1e300


@rule
def eliminate(matrix: Any, size: int) -> None:
    """Gauss's elimination with the largest pivots: afterwards the columns from `size` on hold the solutions."""
    width = matrix.shape[1]
    for at in range(size):
        _bring_up(matrix, at, size)
        pivot = _not_zero(matrix[at, at])
        for row in range(at + 1, size):
            factor = matrix[row, at] / pivot
            if factor != 0.0:
                for column in range(at + 1, width):
                    matrix[row, column] -= factor * matrix[at, column]
    for at in range(size - 1, -1, -1):
        pivot = _not_zero(matrix[at, at])
        for known in range(at + 1, size):
            factor = matrix[at, known]
            for column in range(size, width):
                matrix[at, column] -= factor * matrix[known, column]
        for column in range(size, width):
            matrix[at, column] /= pivot


@rule
def _bring_up(matrix: Any, at: int, size: int) -> None:
    """Exchange a row for the one below it that has the largest pivot."""
    best = at
    for row in range(at + 1, size):
        if abs(matrix[row, at]) > abs(matrix[best, at]):
            best = row
    if best != at:
        for column in range(at, matrix.shape[1]):
            matrix[at, column], matrix[best, column] = matrix[best, column], matrix[at, column]


@rule
def _not_zero(pivot: float) -> float:
    """An exact zero has no inverse; what follows from this is too large, and is seen to be."""
    return 1.0 / ASTRAY if pivot == 0.0 else pivot

"""What a search keeps, declared as states are: a dataclass of named fields with shapes, made into one numpy record.

    @dataclass
    class Memory:
        regrets: Any = floats(SEATS, SYMBOLS)  # by seat and symbol
        hands: Any = ints(SEATS)
        step: Any = ints()

Compiled code reads and writes `memory.regrets[seat, symbol]` and `memory.step`; everything is zero at first.
"""

from dataclasses import field, fields
from typing import Any, Final

import numpy as np

_KIND: Final = "kind"
_SHAPE: Final = "shape"


def floats(*shape: int) -> Any:
    """Numbers with a fraction, or one of them."""
    return field(default=None, metadata={_KIND: np.float64, _SHAPE: shape})


def ints(*shape: int) -> Any:
    """Whole numbers, or one of them."""
    return field(default=None, metadata={_KIND: np.int64, _SHAPE: shape})


def parts(*shape: int) -> Any:
    """Many small whole numbers, 0 to 255, such as parts of a whole."""
    return field(default=None, metadata={_KIND: np.uint8, _SHAPE: shape})


def layout(declared: Any) -> np.dtype[Any]:
    """The numpy record with the fields of a declaration; refuses a name that numpy's records have for themselves."""
    if taken := [f.name for f in fields(declared) if hasattr(np.record, f.name)]:
        raise ValueError(f"{declared.__module__}.{declared.__name__}: {', '.join(taken)} means something else in numpy")
    cells = [(f.name, f.metadata[_KIND], f.metadata[_SHAPE]) for f in fields(declared)]
    return np.dtype((np.record, cells or [("nothing", np.int64, ())]))  # numpy and numba want one cell at least


def made(declared: Any) -> Any:
    """One record of a declaration, all zeros, and the same cells as raw bytes."""
    record = np.zeros(1, layout(declared))
    return record[0], record.view(np.uint8)

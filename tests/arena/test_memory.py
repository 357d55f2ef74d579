"""What a search keeps is declared by name and shape, and made into one record."""

from dataclasses import dataclass
from typing import Any

import pytest

from pokade.arena.memory import floats, ints, layout, made
from pokade.arena.searching import search_of
from pokade.games import GAMES


@dataclass
class Kept:
    step: Any = ints()
    worth: Any = floats(2, 3)


def test_a_record_has_the_declared_fields_and_is_all_zeros():
    record, raw = made(Kept)

    assert layout(Kept).names == ("step", "worth")
    assert (record.step, record.worth.shape, record.worth.dtype.kind) == (0, (2, 3), "f")
    assert not raw.any()


def test_a_record_and_its_bytes_are_the_same_cells():
    record, raw = made(Kept)
    record.worth[1, 2] = 0.5
    assert raw.any()

    raw[:] = 0

    assert record.worth[1, 2] == 0.0


def test_a_declaration_may_be_empty():
    @dataclass
    class Nothing:
        pass

    assert made(Nothing)[1].size == 8


def test_a_name_that_numpy_has_taken_is_refused():
    @dataclass
    class Clashing:
        mean: Any = floats()

    with pytest.raises(ValueError, match="Clashing: mean"):
        layout(Clashing)


@pytest.mark.parametrize("name", GAMES)
def test_every_search_says_what_it_keeps(name: str):
    found = search_of(GAMES[name])

    assert len(layout(found.Memory).names or ()) > 3
    assert layout(found.Table).itemsize < 30_000_000  # the chances of Pokerdice for two are 24 MB

"""What fields hold is what they say, and choices have a number each among all of a table's."""

import pytest

from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.cells import Holds
from pokade.games.errors import RulesError
from pokade.games.play import Play
from pokade.games.state import NOTHING, columns
from pokade.testing import positions, tables

every_game = pytest.mark.parametrize("name", GAMES)
LOOKED_AT = 300


def bounds(holds: Holds, start: object, n_seats: int, phases: int) -> tuple[int, int]:
    """The smallest and the largest value that a field's cells may hold."""
    size = holds.size(start)
    by_form = {
        "few": (NOTHING, size - 1),
        "scale": (holds.least, size),
        "seat": (NOTHING, n_seats),
        "phase": (0, phases - 1),
        "seats": (0, (1 << n_seats) - 1),
        "some": (0, (1 << size) - 1),
    }
    return by_form.get(holds.form, (-(1 << 62), 1 << 62))


def cells(value: object) -> list[int]:
    return [cell for row in value for cell in cells(row)] if isinstance(value, list) else [value]  # type: ignore[list-item]


@every_game
def test_every_cell_holds_what_its_field_says(name: str):
    game = GAMES[name]
    for number, (n_seats, options) in enumerate(tables(game)):
        start, phases = game.new(n_seats, options), len(game.actions(game.new(n_seats, options)))
        seen = [column.name for column in columns(game.state)[:-1] if column.mark != "hidden"]
        held = {name: bounds(game.held(name), start, n_seats, phases) for name in seen}
        for play in positions(Play(game, n_seats, options), Seeded(number)):
            for field, (least, most) in held.items():
                found = cells(getattr(play.state, field))
                assert least <= min(found) <= max(found) <= most, (field, options, len(play.steps))
            if len(play.steps) > LOOKED_AT:
                break


@every_game
def test_nothing_is_said_of_fields_that_there_are_not(name: str):
    assert set(GAMES[name].holds) <= {column.name for column in columns(GAMES[name].state)}


def test_a_field_of_which_nothing_is_said_is_refused():
    with pytest.raises(RulesError, match="pok: nothing says what mood holds"):
        GAMES["pok"].held("mood")


@every_game
def test_a_phases_choices_have_a_number_each(name: str):
    game = GAMES[name]
    for number, (n_seats, options) in enumerate(tables(game)):
        actions = game.actions(game.new(n_seats, options))
        for play in positions(Play(game, n_seats, options), Seeded(number)):
            phase = play.state.phase
            for seat in range(n_seats):
                assert all(0 <= choice < len(actions[phase]) for choice in play.legal(seat))
            if len(play.steps) > LOOKED_AT:
                break
        if play.is_over:
            assert play.state.phase == len(actions) - 1

"""What is true of every search, checked by the suite that a further game's author would use too."""

import pytest

from pokade import testing
from pokade.arena.reading import has_reader
from pokade.games import GAMES
from tests.test_conformance import SEED, claims

every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_a_search_is_legal_and_a_function_of_its_view_and_luck(name: str):
    differing = testing.check_search(claims(name), SEED)

    assert differing > 10  # the twins are twins of something


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if has_reader(game)])
def test_a_reader_is_a_function_of_view_past_and_luck(name: str):
    differing = testing.check_reading(claims(name), SEED)

    assert differing > 10

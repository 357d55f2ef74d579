"""What holds for every game of the list, checked by the suite that a further game's author would use too."""

import importlib
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from pokade import testing
from pokade.folders import cache_folder
from pokade.games import GAMES, state
from pokade.games.play import Play
from pokade.games.state import columns

SEED = 2026


def claims(name: str) -> testing.Claims:
    """What a game's own test file says of its rules."""
    says = importlib.import_module(f"tests.games.test_{name}")
    evenly = getattr(says, "turns_evenly", lambda _: True)
    return testing.Claims(GAMES[name], says.twin, says.conserved, evenly)


def for_every_game(check: Callable[[testing.Claims, int, int], object], times: int) -> None:
    for name in GAMES:
        check(claims(name), times, SEED)


every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_random_games_end_and_conserve_what_the_rules_conserve(name: str):
    testing.check_random_games_end(claims(name), 1500, SEED)


@every_game
def test_a_refused_choice_changes_nothing(name: str):
    testing.check_refusals_change_nothing(claims(name), 300, SEED)


@every_game
def test_an_outcome_weighs_as_many_tickets_as_it_stands_on(name: str):
    testing.check_weights_match_tickets(claims(name), 300, SEED)


@every_game
def test_the_choices_offered_are_all_that_is_legal(name: str):
    testing.check_legal_choices(claims(name), 200, SEED)


@every_game
def test_a_record_replays_to_the_same_state_and_the_same_bytes(name: str):
    testing.check_records_round_trip(claims(name), 1000, SEED)


@every_game
def test_turning_the_table_changes_nothing_but_the_seats(name: str):
    testing.check_turning_the_table(claims(name), 1000, SEED)


@every_game
def test_what_a_viewer_may_not_see_never_changes_what_it_gets(name: str):
    differing = testing.check_non_interference(claims(name), 20_000, SEED)

    assert differing > 4_000  # the twins are twins of something


@every_game
def test_compiled_rules_equal_plain_rules_step_by_step(name: str):
    testing.check_compiled_equals_plain(claims(name), 2_000, SEED)


SECRETS = [
    (name, column.name)
    for name, game in GAMES.items()
    for column in columns(game.state)
    if column.mark not in ("public", "told") and column.name != "unheard"  # that one is 0 wherever people are
]


@pytest.mark.parametrize(("name", "leak"), SECRETS)
def test_a_field_that_is_wrongly_public_is_caught(name: str, leak: str, monkeypatch: pytest.MonkeyPatch):
    honest = state.sees
    monkeypatch.setattr(state, "sees", lambda column, *rest: column.name == leak or honest(column, *rest))
    state._blinding.cache_clear()
    try:
        with pytest.raises(AssertionError, match=leak):
            testing.check_non_interference(claims(name), 3_000, SEED)
    finally:
        state._blinding.cache_clear()


def test_an_event_told_to_the_wrong_seat_is_caught(monkeypatch: pytest.MonkeyPatch):
    def tell_all(view: state.State, real: state.State, viewer: int) -> None:
        view.n_told, view.told = real.n_told, real.told[:]

    monkeypatch.setattr(state, "_keep_what_was_told_to", tell_all)

    with pytest.raises(AssertionError, match="told"):
        for_every_game(testing.check_non_interference, 2_000)


def test_a_rule_that_counts_wrongly_is_caught_by_the_suite(monkeypatch: pytest.MonkeyPatch):
    honest = Play.happen

    def careless(play: Play, outcome: int) -> None:
        honest(play, outcome)
        if hasattr(play.state, "counters") and len(play.steps) == 9:
            play.state.counters[0] = play.state.counters[1]

    monkeypatch.setattr(Play, "happen", careless)

    with pytest.raises(AssertionError, match="2026"):
        for_every_game(testing.check_compiled_equals_plain, 20)


@pytest.mark.soak
@every_game
def test_soak_compiled_rules_equal_plain_rules(name: str):
    testing.check_compiled_equals_plain(claims(name), 100_000, SEED + 1)


@pytest.mark.soak
@every_game
def test_soak_what_a_viewer_may_not_see_never_changes_what_it_gets(name: str):
    testing.check_non_interference(claims(name), 1_000_000, SEED + 1)


@every_game
def test_compiled_rules_never_read_out_of_bounds(name: str):
    code = (
        "from tests.test_conformance import claims; from pokade import testing; "
        f"testing.check_compiled_equals_plain(claims({name!r}), 200, 7); print('in bounds')"
    )
    apart = cache_folder() / "checking-bounds"  # kept, as other compiled code is
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "XDG_CACHE_HOME": str(apart)}

    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=600, check=False
    )

    assert done.stdout == "in bounds\n", done.stderr

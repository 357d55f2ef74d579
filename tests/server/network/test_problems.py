"""The position of a day over HTTP: what its seat sees, and what each choice is worth; the same for everybody."""

from datetime import date

import pytest

from pokade.problems import days_game, problem_of
from tests.server.clients import get, refusal

DAY = date(2026, 11, 18)


@pytest.fixture
def address(open_house: str) -> str:
    return open_house


def test_the_position_of_a_day_is_what_its_seat_sees(address: str):
    problem = problem_of(days_game(DAY), DAY)

    found = get(f"http://{address}/api/problem?date={DAY}").raise_for_status().json()

    assert (found["game"], found["number"], found["seat"]) == (problem.game.name, problem.number, problem.seat)
    assert found["view"]["seat"] == problem.seat
    assert [one["choice"] for one in found["choices"]] == found["view"]["choices"]
    assert found["best"] == list(problem.best)


def test_a_day_has_a_position_of_each_game(address: str):
    found = get(f"http://{address}/api/problem?date={DAY}&game=pok").raise_for_status().json()

    assert found["game"] == "pok"
    assert found == get(f"http://{address}/api/problem?date={DAY}&game=pok").json()


def test_what_is_no_day_and_no_game_is_refused(address: str):
    assert refusal(get(f"http://{address}/api/problem?date=yesterday")) == (422, "message/form")
    assert refusal(get(f"http://{address}/api/problem?date={DAY}&game=chess")) == (422, "message/form")

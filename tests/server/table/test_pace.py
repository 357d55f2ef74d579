"""A person alone with bots sets the pace of the table; where others sit, everybody has the usual one."""

import pytest

from pokade.games.errors import Refused
from pokade.server.table import PACES, STAND_IN
from tests.server.table.test_table import House
from tests.server.test_secrets import choosing, seal

LOOK = 4.0  # seconds that a reveal of POK is worth


def alone(*, pace: str) -> House:
    """Ada and two bots, and a game that is on."""
    house = House()
    house.do(house.table.sit("ada", "Ada", house.now))
    for seat in (1, 2):
        house.do(house.table.seat_bot("ada", seat, STAND_IN, "", house.now))
    house.do(house.table.start("ada", house.now))
    house.do(house.table.set_pace("ada", pace, house.now))
    return house


def refused(house: House, person: str) -> str:
    with pytest.raises(Refused) as refusal:
        house.table.set_pace(person, "brisk", house.now)
    return refusal.value.code


def looked_at(house: House) -> float:
    """How long people get to look at a reveal."""
    house.throw(0, 0, 0)
    for seat in (1, 2):
        house.do(house.table.play_for(seat, 0, house.now))
    house.choose(0, 0)
    return house.table.opened_at - house.table.stepped_at


@pytest.mark.parametrize("pace", PACES)
def test_a_reveal_takes_as_long_as_the_person_wants_who_is_alone_with_bots(pace: str):
    house = alone(pace=pace)

    assert looked_at(house) == pytest.approx(LOOK * PACES[pace])
    assert house.audience.snapshot(0)["table"]["pace"] == pace


def test_everybody_who_looks_is_told_the_pace():
    house = alone(pace="slow")

    assert house.frames[-1][-1]["table"]["pace"] == "slow"


def test_the_same_pace_again_is_nothing_new():
    assert alone(pace="slow").table.set_pace("ada", "slow", 0.0) == []


def test_nobody_sets_the_pace_of_others():
    assert refused(House().full(), "ada") == "pace/others"


def test_a_phone_that_goes_round_is_for_several_people():
    house = House()
    for name in ("Ada", "Ben"):
        house.do(house.table.sit("ada", name, house.now))

    assert refused(house, "ada") == "pace/others"


def test_who_only_looks_sets_nothing():
    assert refused(alone(pace="usual"), "ben") == "seat/none"


def test_with_a_second_person_the_usual_pace_is_back():
    house = House()
    house.do(house.table.sit("ada", "Ada", house.now))
    house.do(house.table.set_pace("ada", "brisk", house.now))
    assert house.table.pace_now == "brisk"

    house.do(house.table.sit("ben", "Ben", house.now))

    assert house.table.pace_now == "usual"


def test_bots_answer_at_the_pace_of_the_table_and_how_long_they_think_does_not_show():
    times = {}
    for pace in PACES:
        for choice, thinking in ((0, 0.0), (1, 0.1)):
            side = choosing(bots=frozenset((1, 2, 3, 4)))
            side.table.pace = pace
            seal(side, 0)
            side.bottle.planned, side.bottle.thinking = dict.fromkeys((1, 2, 3, 4), choice), {1: thinking}
            side.bottle.heard.clear()
            began = side.bottle.time
            side.bottle.run_until(began + 10)
            times[pace, choice] = next(at for at, name, _ in side.bottle.heard if name == "viewer") - began
            side.close()

    assert times["brisk", 0] < times["usual", 0] < times["slow", 0]
    assert all(times[pace, 0] == times[pace, 1] for pace in PACES)

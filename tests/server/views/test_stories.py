"""My games: what a finished game comes to for each of its people, searched, sorted, summed up; and nothing before."""

import json
from typing import Any

import pytest

from pokade.games import GAMES
from pokade.games.play import place_of
from pokade.server.hub import A_DAY, index_of
from pokade.server.hub.played import found_in, played_by, sums
from pokade.server.storage import Found, Storage
from pokade.server.table import Table
from pokade.server.views import stories
from pokade.server.views.stories import MOST_COLUMNS, MOST_STEPS, course, story
from tests.server.hub.test_archive import years_on
from tests.server.table.test_table import House, play_on

every_game = pytest.mark.parametrize("game", GAMES)


def found(table: Table, now: float = 1000.0) -> Found:
    return Found(table.id, index_of(table, now))


def finished(game: str = "pok", seats: int = 3, **settings: Any) -> Table:
    house = House(game, seats, **settings).full()
    play_on(house, game)
    return house.table


def game_of(**facts: Any) -> dict[str, Any]:
    """A game that Ada has won, unless something else is said."""
    usual = {"id": "t1", "game": "pok", "names": ["Ada", "Ben", "Cleo"], "seat": 0, "winners": [0], "place": 1}
    return usual | {"ended_at": 1.0, "left": False} | facts


@every_game
def test_a_finished_game_tells_its_people_places_points_and_how_it_went(game: str):
    table = finished(game)
    assert table.play is not None
    outcome = table.play.outcome()
    assert outcome is not None

    told = {name: played_by(name, [found(table)])[0] for name in ("ada", "ben", "cleo")}

    assert [one["seat"] for one in told.values()] == [0, 1, 2]
    assert {one["place"] for name, one in told.items() if one["seat"] in outcome.winners} == {1}
    assert all(one["place"] > 1 for one in told.values() if one["seat"] not in outcome.winners)
    assert told["ada"]["points"] == list(outcome.points) == told["ada"]["curve"][-1]
    assert (told["ada"]["names"], told["ada"]["ended_at"]) == (["Ada", "Ben", "Cleo"], 1000.0)
    assert 2 <= len(told["ada"]["curve"]) <= MOST_COLUMNS
    assert played_by("dora", [found(table)]) == []


@every_game
def test_nothing_is_told_of_a_game_that_is_on(game: str):
    house = House(game, GAMES[game].seats[0]).full()

    assert story(house.table) is None
    assert "story" not in json.loads(found(house.table).index.shown)
    assert played_by("ada", [found(house.table)]) == []


def test_a_game_that_was_voted_away_has_no_place():
    house = House().full().throw(0, 3, 3)
    house.do([house.table.ended("voted", house.now)])

    (told,) = played_by("ada", [found(house.table)])

    assert (told["place"], told["winners"]) == (None, [])
    assert sums([told]) == []


def test_places_follow_from_winners_and_points():
    assert [place_of([5, 3, 5, 1], [0, 2], seat) for seat in range(4)] == [1, 3, 1, 4]
    assert [place_of([7, 7, 7], [1], seat) for seat in range(3)] == [2, 1, 2]  # the last who was active has won


def test_a_long_game_has_a_short_curve():
    table = finished("pok", 3, options={"max_rounds": 400})
    assert table.play is not None
    whole = course(table.play)
    table.play.steps *= 1 + MOST_STEPS // len(table.play.steps)

    assert len(whole) <= MOST_COLUMNS
    assert course(table.play) == [whole[0], whole[-1]]


@pytest.mark.parametrize("rounds", [MOST_COLUMNS, MOST_COLUMNS + 1, 3 * MOST_COLUMNS - 1])
def test_a_curve_of_many_rounds_ends_where_the_game_does(rounds: int, monkeypatch: pytest.MonkeyPatch):
    columns = [(number,) for number in range(rounds)]
    monkeypatch.setattr(stories, "_by_round", lambda _: iter(columns))
    table = finished()
    assert table.play is not None

    curve = course(table.play)

    assert curve[-1] == columns[-1]
    assert len(curve) <= MOST_COLUMNS


def test_a_game_that_can_not_be_gone_through_again_ends_all_the_same():
    table = finished()
    assert table.play is not None
    table.play.steps.insert(0, (0, 99))

    assert course(table.play) == [table.play.points()]


def test_sums_count_what_was_played_to_its_end_by_oneself():
    games = [
        game_of(),
        game_of(winners=[0, 1]),
        game_of(winners=[0, 1, 2]),
        game_of(winners=[1], place=3),
        game_of(place=2, winners=[1], left=True),
        game_of(game="poch", winners=[2], place=2),
    ]

    assert sums(games) == [
        {"game": "poch", "played": 1, "won": 0, "place": 2.0},
        {"game": "pok", "played": 4, "won": 2, "place": 1.5},
    ]


def test_games_are_found_by_kind_and_by_name_and_sorted():
    games = [
        game_of(id="a", ended_at=3.0, place=2),
        game_of(id="b", ended_at=2.0, game="poch", names=["Ada", "Émile"]),
        game_of(id="c", ended_at=1.0, place=None),
    ]

    def ids(*wish: Any) -> list[str]:
        return [one["id"] for one in found_in(games, *wish)]

    assert ids("", "", "new") == ["a", "b", "c"]
    assert ids("", "", "old") == ["c", "b", "a"]
    assert ids("", "", "best") == ["b", "a", "c"]
    assert ids("poch", "", "new") == ids("", " éM", "new") == ["b"]
    assert ids("pok", "zoe", "new") == []


async def test_stories_stay_in_both_databases_when_the_logs_go(storage: Storage):
    async with years_on(storage) as years:
        table = await years.played("pok")
        before = played_by("ada", await storage.tables_of("ada", 9))

        await years.sweep_after(91)

        assert await storage.events(table.id) == []
        assert played_by("ada", await storage.tables_of("ada", 9)) == before
        assert [(game["id"], game["left"]) for game in before] == [(table.id, True)]
        years.clock.now += 400 * A_DAY
        await years.hub.sweep()
        assert played_by("ada", await storage.tables_of("ada", 9)) == []

"""People who come to a game that is on: they wait for a clean moment, and never see what was for other eyes."""

import pytest

from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOBODY, WATCHER, is_bare
from pokade.server.hub import archive
from pokade.server.table import newcomers
from pokade.server.table.lessons import lesson
from pokade.testing import positions
from tests.server.table.test_table import House, every_game, refused


def begun(game: str = "pok", bots: int = 1, seats: int = 3, **settings: object) -> House:
    """A game that has begun, with Ada and Ben (and more) first and bots on the last seats."""
    n_seats = max(seats, GAMES[game].seats[0])
    house = House(game, n_seats, **settings)
    people = ("ada", "ben", "cleo", "dora")[: n_seats - bots]
    for person in people:
        house.do(house.table.sit(person, person.title(), house.now))
        house.do(house.table.ready(person, True, house.now))
    for seat in range(n_seats - bots, n_seats):
        house.do(house.table.seat_bot("ada", seat, "strong", f"Bot {seat}", house.now))
    house.do(house.table.start("ada", house.now))
    return house


def ask_for(house: House, person: str = "zoe", seat: int | None = 2) -> None:
    house.do(newcomers.ask_for(house.table, person, person.title(), seat, house.now))


def agree(house: House, *people: str, seat: int = 2) -> None:
    for person in people:
        house.do(newcomers.agree(house.table, person, seat, house.now))


def owner(house: House, seat: int = 2) -> str | None:
    return house.table.seats[seat].person


def seal_all(house: House) -> None:
    for seat in house.table.missing:
        if house.table.seats[seat].is_played_by_bot:
            house.do(house.table.play_for(seat, 0, house.now))
        else:
            house.choose(seat, 0)


def test_one_comes_in_between_two_rounds_and_not_before():
    house = begun().throw(0, 3, 3)
    ask_for(house)
    agree(house, "ada", "ben")
    assert owner(house) is None
    house.choose(0, 0)
    assert newcomers.let_in(house.table, house.now) == []  # something is sealed
    seal_all(house)

    house.do(newcomers.let_in(house.table, house.now))

    assert (owner(house), house.table.seats[2].name, house.table.claims) == ("zoe", "Zoe", {})
    assert house.table.notes[-1][1] == "return p3"


def test_at_a_clean_moment_the_last_who_agrees_lets_one_in():
    house = begun()
    ask_for(house)
    agree(house, "ben")
    assert owner(house) is None

    agree(house, "ada")

    assert owner(house) == "zoe"


def test_the_host_and_one_more_person_agree_and_nobody_who_is_gone():
    house = begun()
    ask_for(house)
    claim = house.audience.snapshot(WATCHER)["table"]["seats"][2]["claim"]
    assert claim == {"name": "Zoe", "agreed": 0, "wanted": 2, "by": []}
    refused("seat/none", lambda: newcomers.agree(house.table, "zoe", 2, house.now))
    house.do(house.table.leave("ben", house.now))
    refused("seat/none", lambda: newcomers.agree(house.table, "ben", 2, house.now))
    assert newcomers.wanted(house.table) == 1

    agree(house, "ada")

    assert owner(house) == "zoe"


def test_two_others_who_agree_do_not_stand_for_the_host():
    house = begun(seats=4)
    ask_for(house, seat=3)

    agree(house, "ben", "cleo", seat=3)
    assert (owner(house, 3), newcomers.agreed(house.table, house.table.claims[3])) == (None, 1)

    agree(house, "ada", seat=3)
    assert owner(house, 3) == "zoe"


def test_who_has_agreed_is_known_to_one_who_comes_back():
    house = begun().throw(0, 3, 3)
    ask_for(house)

    agree(house, "ben")

    for viewer in (WATCHER, 0, 1):
        claim = house.audience.snapshot(viewer)["table"]["seats"][2]["claim"]
        assert (claim["agreed"], claim["by"]) == (1, [1])


def test_where_nobody_plays_nobody_is_asked():
    house = begun(bots=2)
    house.do(house.table.leave("ada", house.now))

    ask_for(house)

    assert (owner(house), house.table.host) == ("zoe", "zoe")


@pytest.mark.parametrize("how", ["sits", "has left", "was given away", "was sent away"])
def test_nobody_who_holds_or_has_held_a_seat_takes_another(how: str):
    house = begun(bots=2)
    person = "ada"
    if how == "has left":
        house.do(house.table.leave("ada", house.now))
    elif how == "was given away":
        house.do(house.table.leave("ada", house.now))
        house.do(house.table.give("ada", 0, house.now))
    elif how == "was sent away":
        person = "zoe"
        ask_for(house)
        agree(house, "ada")
        house.do(newcomers.dismiss(house.table, "ada", 2, house.now))

    refused("seat/held", lambda: newcomers.ask_for(house.table, person, "Who", 1, house.now))


def test_a_seat_is_asked_for_once_and_only_a_bots():
    house = begun(bots=2)
    ask_for(house, "zoe", 2)

    refused("seat/claimed", lambda: newcomers.ask_for(house.table, "yan", "Yan", 2, house.now))
    refused("seat/claimed", lambda: newcomers.ask_for(house.table, "zoe", "Zoe", 1, house.now))
    refused("seat/taken", lambda: newcomers.ask_for(house.table, "yan", "Yan", 0, house.now))
    refused("seat/unknown", lambda: newcomers.ask_for(house.table, "yan", "Yan", 7, house.now))
    ask_for(house, "yan", None)
    assert house.table.claims[1].person == "yan"
    refused("table/full", lambda: newcomers.ask_for(house.table, "xia", "Xia", None, house.now))


def test_one_may_stop_asking_and_ask_again():
    house = begun()
    ask_for(house)
    house.do(newcomers.withdraw(house.table, "zoe", house.now))
    assert house.table.claims == {}
    refused("seat/none", lambda: newcomers.withdraw(house.table, "zoe", house.now))

    ask_for(house)

    assert newcomers.claim_of(house.table, "zoe") == 2


def test_the_host_refuses_a_newcomer_or_sends_one_away_and_the_bot_plays_on():
    house = begun(bots=2)
    ask_for(house)
    refused("table/not-host", lambda: newcomers.dismiss(house.table, "zoe", 2, house.now))
    house.do(newcomers.dismiss(house.table, "ada", 2, house.now))
    refused("seat/refused", lambda: newcomers.ask_for(house.table, "zoe", "Zoe", 2, house.now))
    refused("seat/taken", lambda: newcomers.dismiss(house.table, "ada", 2, house.now))

    ask_for(house, "yan")
    agree(house, "ada")
    assert house.audience.snapshot(WATCHER)["table"]["seats"][2]["newcomer"]
    house.throw(0, 3, 3)
    house.choose(0, 0)
    house.do(newcomers.dismiss(house.table, "ada", 2, house.now))

    assert (owner(house), house.table.seats[2].bot, house.table.seats[2].name) == (None, "strong", "Bot 2")


def test_ones_own_seat_comes_back_at_once_unless_it_was_given_away():
    house = begun().throw(0, 3, 3)
    house.do(house.table.leave("ben", house.now))
    house.do(house.table.come_back("ben", house.now))
    assert not house.table.seats[1].is_standby

    house.do(house.table.leave("ben", house.now))
    refused("table/not-host", lambda: house.table.give("ben", 1, house.now))
    refused("seat/taken", lambda: house.table.give("ada", 2, house.now))
    house.do(house.table.give("ada", 1, house.now))

    refused("seat/none", lambda: house.table.come_back("ben", house.now))


def test_a_new_owner_gets_nothing_that_was_for_the_one_before():
    house = begun(options={"memory": "assisted"}).throw(0, 3, 3)
    house.choose(1, 0, "a secret id")
    seal_all(house)
    house.throw(1, 3, 3)
    house.do(house.table.mute("ben", 0, True, house.now))
    house.do(house.table.leave("ben", house.now))
    house.do(house.table.give("ada", 1, house.now))
    house.do(house.table.play_for(1, 1, house.now))
    ask_for(house, "zoe", 1)
    agree(house, "ada", seat=1)
    seal_all(house)

    frames = house.do(newcomers.let_in(house.table, house.now))

    assert (frames[1]["n"], house.audience.snapshot(1)["muted"], house.table.seats[1].muted) == (1, [], frozenset())
    assert "a secret id" not in str(house.audience.snapshot(1))


def test_an_id_that_the_owner_before_has_used_is_a_new_one():
    house = begun(options={"memory": "assisted"}).throw(0, 3, 3)
    house.choose(1, 0, "the same")
    house.do(house.table.leave("ben", house.now))
    house.do(house.table.give("ada", 1, house.now))
    ask_for(house, "zoe", 1)
    agree(house, "ada", seat=1)
    seal_all(house)
    house.do(newcomers.let_in(house.table, house.now))
    house.throw(0, 3, 3)

    sealed = house.table.choose("zoe", 1, 0, "the same", house.now)

    assert [event["id"] for event in sealed] == ["the same"]


def test_a_seat_that_changes_hands_keeps_its_salt_since_all_draws_have_the_same():
    house = House()
    for seat, name in enumerate(("ada", "ben", "cleo")):
        house.do(house.table.sit(name, name.title(), house.now))
        house.do(house.table.salt(name, seat, f"salt {seat}", house.now))
        house.do(house.table.ready(name, True, house.now))
    house.do(house.table.start("ada", house.now))
    house.do(house.table.leave("ben", house.now))
    house.do(house.table.give("ada", 1, house.now))
    ask_for(house, "zoe", 1)
    agree(house, "ada", "cleo", seat=1)

    assert owner(house, 1) == "zoe"
    assert [place.salt for place in house.table.seats] == ["salt 0", "salt 1", "salt 2"]


def test_a_newcomers_record_of_a_game_that_is_on_is_a_watchers():
    house = begun("poch", bots=2)
    ask_for(house)
    agree(house, "ada")
    table = house.table
    assert owner(house) == "zoe"

    assert [archive.view_for(table, person) for person in ("ada", "zoe", "yan")] == ["p1", "public", "public"]


def test_who_did_not_come_in_any_more_is_still_named_at_the_end():
    house = begun(bots=2).throw(0, 3, 3)
    ask_for(house)
    house.do([house.table.ended("voted", house.now)])

    assert house.audience.snapshot(WATCHER)["table"]["seats"][2]["claim"]["name"] == "Zoe"
    assert newcomers.let_in(house.table, house.now) == []


def test_a_guided_game_has_no_newcomers():
    house = begun(bots=2)
    house.table.script = lesson("pok")

    refused("seat/taken", lambda: newcomers.ask_for(house.table, "zoe", "Zoe", 2, house.now))


@every_game
def test_a_clean_moment_comes_in_every_game_and_hides_nothing(game: str):
    play, moments = Play(GAMES[game], GAMES[game].seats[0]), 0
    for now in positions(play, Seeded(f"clean {game}")):
        for seat in range(now.n_seats):
            mine, theirs = now.view(seat).state, now.view(WATCHER).state
            is_same = all(
                getattr(mine, name) in (getattr(theirs, name), _empty(mine, theirs, name))
                for name in ("choice", "hand", "last_card", "n_told")
                if hasattr(mine, name)
            )
            nothing_sealed = not getattr(now.state, "chosen", 0) and set(getattr(now.state, "choice", [-1])) == {-1}
            assert is_bare(now.state, seat) == (is_same and nothing_sealed)
        moments += now.turn == CHANCE and now.state.round > 1 and is_bare(now.state, 0)

    assert moments > 0


def _empty(mine: object, theirs: object, name: str) -> object:
    """A watcher's field with nothing in it where the seat looks."""
    if not isinstance(getattr(mine, name), list):
        return None
    empty = 0 if name == "hand" else -1
    pairs = zip(getattr(mine, name), getattr(theirs, name), strict=True)
    return [empty if m != t else t for m, t in pairs]


@every_game
def test_a_newcomer_comes_in_during_any_game_and_plays_it_to_the_end(game: str):
    house = begun(game, bots=1)
    table, chance, last = house.table, Seeded(f"newcomer {game}"), len(house.table.seats) - 1
    asked_in = came_in = 0
    while table.turn != NOBODY:
        assert table.play is not None
        state = table.play.state
        if table.turn == CHANCE:
            house.do(newcomers.let_in(table, house.now))
            came_in = came_in or (state.round if owner(house, last) == "zoe" else 0)
            house.throw(table.play.game.outcome_at(state, chance.draw(table.play.game.tickets(state))))
            continue
        if not asked_in and state.step > 8:
            asked_in = state.round
            ask_for(house, "zoe", last)
            agree(house, *table.playing, seat=last)
        for seat in table.missing:
            choices = table.play.view(seat).choices
            choice, person = choices[chance.draw(len(choices))], owner(house, seat)
            batch = table.choose(person, seat, choice, f"{table.version}", house.now) if person else []
            house.do(batch or table.play_for(seat, choice, house.now))

    assert owner(house, last) == "zoe"
    assert came_in >= asked_in > 0

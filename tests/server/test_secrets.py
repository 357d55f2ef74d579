"""Non-interference at the wire: twins of a table that differ only in what a viewer may not know send the same bytes."""

import random

import orjson
import pytest

from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.play import Play
from pokade.games.state import WATCHER, packed
from pokade.server import frames as wire
from pokade.server.frames import Audience
from pokade.server.table import ON, Seat, Table
from pokade.testing import positions, tables
from tests.test_conformance import claims

PAIRS = 250
every_game = pytest.mark.parametrize("game", GAMES)


def twins(game: str, pairs: int, seed: int):
    """Pairs of tables in the same situation, as far as a viewer can tell; and who that is."""
    rng, says = random.Random(seed), claims(game)
    done = 0
    while done < pairs:
        n_seats, options = rng.choice(list(tables(GAMES[game])))
        for play in positions(table_of(game, n_seats, options).play, Seeded(f"{seed} {done}")):
            if rng.random() < 0.8 or play.is_over:
                continue
            viewer = rng.randrange(WATCHER, n_seats)
            one, other = table_of(game, n_seats, options), table_of(game, n_seats, options)
            one.play, other.play = play.copy(), play.copy()
            other.play.state = says.twin(play, viewer, True, rng)
            yield Audience(one), Audience(other), viewer
            done += 1


def table_of(game: str, n_seats: int, options) -> Table:
    seats = [Seat(person=f"p{seat}", name=f"P{seat}") for seat in range(n_seats)]
    table = Table("t1", status=ON, game=game, seats=seats, options=options, host="p0")
    table.play = Play(GAMES[game], n_seats, options)
    return table


def refusal(table: Table, viewer: int, choice: int) -> bytes:
    """What a viewer hears who tries a choice."""
    try:
        table.choose(f"p{viewer}", viewer, choice, "id", 5.0)
    except Refused as error:
        return f"{error.code} {error}".encode()
    return b"taken"


@every_game
def test_twin_tables_send_a_viewer_the_same_bytes(game: str):
    differing = 0
    for one, other, viewer in twins(game, PAIRS, 11):
        differing += packed(one.table.play.state) != packed(other.table.play.state)
        assert orjson.dumps(one.snapshot(viewer)) == orjson.dumps(other.snapshot(viewer))
        assert one.table.due == other.table.due
        for choice in (0, 1, 2, 9, 31, 99):
            if viewer != WATCHER:
                assert refusal(one.table, viewer, choice) == refusal(other.table, viewer, choice)

    assert differing > PAIRS // 5


@every_game
def test_a_planted_leak_at_the_wire_is_caught(game: str, monkeypatch: pytest.MonkeyPatch):
    honest = Audience.snapshot

    def leaky(audience: Audience, viewer: int) -> wire.Frame:
        return honest(audience, viewer) | {"all": packed(audience.table.play.state)}

    monkeypatch.setattr(Audience, "snapshot", leaky)

    with pytest.raises(AssertionError):
        test_twin_tables_send_a_viewer_the_same_bytes(game)

"""States, marks and views: what the games stand on."""

from dataclasses import dataclass

import pytest

from pokade.games import GAMES
from pokade.games.errors import BadOption, RulesError
from pokade.games.game import Game
from pokade.games.play import Play, told
from pokade.games.state import (
    EVERYONE,
    TOLD,
    UNKNOWN,
    WATCHER,
    WIDTH,
    Seats,
    State,
    blinded,
    columns,
    copied,
    everyone,
    hidden,
    how_many,
    is_bare,
    lowest,
    next_step,
    nth,
    own,
    packed,
    public,
    remembered,
    sealed,
    tell,
    tell_to,
)

THREE = Seats(3)


@dataclass(slots=True)
class Marked(State):
    """One field of every kind."""

    open: int = public(start=1)
    rows: list[list[int]] = public(THREE, 2, start=2)
    once: list[list[int]] = remembered(THREE, 2, start=3)
    pile: list[int] = remembered(4, start=4)
    hand: list[int] = own(THREE, start=5)
    fist: list[int] = sealed(THREE, start=6)
    deck: int = hidden(start=7)
    cards: list[list[int]] = own(THREE, 2, start=8)


def test_a_seat_sees_what_is_public_its_own_rows_and_with_recall_what_was_shown():
    view = blinded(Marked(n_seats=3), 1, recall=True)

    assert (view.open, view.rows, view.once, view.pile) == (1, [[2, 2]] * 3, [[3, 3]] * 3, [4] * 4)
    assert (view.hand, view.fist) == ([UNKNOWN, 5, UNKNOWN], [UNKNOWN, 6, UNKNOWN])
    assert (view.deck, view.cards) == (UNKNOWN, [[UNKNOWN] * 2, [8, 8], [UNKNOWN] * 2])


def test_without_recall_what_was_shown_is_gone_but_for_ones_own_row():
    view = blinded(Marked(n_seats=3), 1, recall=False)

    assert view.once == [[UNKNOWN] * 2, [3, 3], [UNKNOWN] * 2]
    assert view.pile == [UNKNOWN] * 4


def test_a_watcher_has_no_row():
    view = blinded(Marked(n_seats=3), WATCHER, recall=True)

    assert UNKNOWN not in view.once[0]
    assert (view.hand, view.fist) == ([UNKNOWN] * 3, [UNKNOWN] * 3)


def test_a_field_knows_how_many_cells_it_has():
    cells = {column.name: column.cells for column in columns(Marked)}

    assert (cells["open"], cells["pile"], cells["rows"], cells["told"]) == (1, 4, 6, TOLD * WIDTH)


def test_a_view_shares_nothing_with_its_state():
    state = Marked(n_seats=3)
    view = blinded(state, 1, recall=True)

    view.rows[0][0] = view.pile[0] = view.once[1][1] = 99

    assert packed(state) == packed(Marked(n_seats=3))


def test_a_copy_shares_nothing_with_its_state():
    state = Marked(n_seats=3)
    twin = copied(state)

    twin.rows[0][0] = twin.pile[0] = twin.open = 99

    assert packed(state) == packed(Marked(n_seats=3))


def test_an_event_is_told_to_its_addressee_and_leaves_no_gap_for_the_others():
    state = Marked(n_seats=3)
    next_step(state)
    tell_to(state, 2, 4, 2, 10, 11)
    tell(state, 5, 0, 12, 13)

    for viewer, heard in ((2, [[4, 2, 10, 11, 2], [5, 0, 12, 13, EVERYONE]]), (0, [[5, 0, 12, 13, EVERYONE]])):
        view = blinded(state, viewer, recall=True)
        assert view.n_told == len(heard)
        assert view.told == [cell for row in heard for cell in row] + [0] * (WIDTH * (TOLD - len(heard)))


def test_a_new_step_silences_the_last_one():
    state = Marked(n_seats=3)
    tell(state, 5, 0, 12, 13)
    next_step(state)

    assert (state.step, told(GAMES["pok"], state)) == (1, [])
    assert packed(state)[-WIDTH * TOLD :] == [0] * WIDTH * TOLD


def test_where_nobody_listens_nothing_is_told():
    state = Marked(n_seats=3, unheard=1)

    tell(state, 5, 0, 12, 13)

    assert state.n_told == 0


def test_a_field_without_a_mark_is_refused():
    @dataclass(slots=True)
    class Careless(State):
        secret: int = 0

    with pytest.raises(RulesError, match=r"Careless\.secret does not say who may see it"):
        columns(Careless)


@pytest.mark.parametrize("mark", [own, sealed])
def test_what_belongs_to_a_seat_has_a_row_for_each(mark):
    @dataclass(slots=True)
    class Rowless(State):
        hand: list[int] = mark(3)

    with pytest.raises(RulesError, match=r"Rowless\.hand is"):
        columns(Rowless)


def test_an_option_without_a_field_is_refused():
    pok = GAMES["pok"]
    settings = {name: getattr(pok, name) for name in Game.__slots__} | {"state": State}

    with pytest.raises(RulesError, match="option memory has no field"):
        Game(**settings)


def test_bit_sets_of_seats():
    assert [how_many(s) for s in (0, 1, 0b1011, 0xFFFFFFFF)] == [0, 1, 3, 32]
    assert [lowest(s) for s in (1, 0b1010, 1 << 31)] == [0, 1, 31]
    assert [nth(0b1011_0000, index) for index in range(3)] == [4, 5, 7]
    assert [nth(0xFFFFFFFF, index) for index in range(32)] == list(range(32))
    assert everyone(Marked(n_seats=3)) == 0b111


def test_an_option_says_what_it_takes():
    takes = {option.name: option.meant(2) for game in GAMES.values() for option in game.options}

    assert takes["memory"] == '"strict" or "assisted"'
    assert takes["max_rounds"] == "a whole number from 1 to 10000"
    assert takes["equal_turns"] == "false or true"
    assert takes["first_active"] == '"nature", "p1" or "p2"'


def test_an_option_with_one_value_left_names_it():
    with pytest.raises(BadOption, match=r'option variant takes "normal"$'):
        GAMES["pokerdice"].new(3, {"variant": "double"})


def test_an_unknown_option_is_cut_short_in_the_answer():
    with pytest.raises(BadOption, match=r"pok has no option '[a]{39}…; it has memory, max_rounds") as refusal:
        GAMES["pok"].new(3, {"a" * 10_000: 1})

    assert refusal.value.code == "option/unknown"


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_play_tells_which_options_it_has_that_are_not_the_defaults(game: Game):
    n = game.seats[0]
    for option in game.options:
        taken = option.takes(n)
        value = taken[-1]
        if value == option.default(n):
            value = taken[0]
        assert Play(game, n, {option.name: value}).options == {option.name: value}
        assert Play(game, n, {option.name: option.default(n)}).options == {}


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_watcher_has_nothing_to_choose_and_a_copy_goes_its_own_way(game: Game):
    play = Play(game, game.seats[0])
    twin = play.copy()
    twin.happen(next(iter(twin.chances())))

    assert play.view(WATCHER).choices == []
    assert (play.steps, len(twin.steps)) == ([], 1)
    assert packed(play.state) != packed(twin.state)
    assert play.outcome() is None
    assert play.view(0).points == list(play.points())


@pytest.mark.parametrize("seat", [-1, 7, 1.0, True, None, "p1"])
def test_a_seat_that_does_not_exist_is_refused(seat: object):
    play = Play(GAMES["pok"], 3)
    for face in (0, 0, 0):
        play.happen(face)

    with pytest.raises(Exception, match="there is no such seat") as refusal:
        play.choose(seat, 0)  # type: ignore[arg-type]  # what a careless caller might do

    assert refusal.value.code == "choice/no-seat"
    assert play.chances() == {}


# What a seat knows that a watcher does not.


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_before_anything_has_happened_nobody_knows_more_than_a_watcher(game: Game):
    play = Play(game, game.seats[0])

    assert [is_bare(play.state, seat) for seat in range(play.n_seats)] == [True] * play.n_seats


def test_while_anything_is_sealed_no_seat_is_bare():
    play = Play(GAMES["pok"], 3)
    for face in (0, 0, 0):
        play.happen(face)
    assert is_bare(play.state, 0)

    play.choose(1, 2)
    assert [is_bare(play.state, seat) for seat in range(3)] == [False] * 3

    play.choose(0, 0)
    play.choose(2, 0)
    assert [is_bare(play.state, seat) for seat in range(3)] == [True] * 3  # shown to all


def test_a_seat_with_a_card_that_only_it_sees_is_not_bare():
    play = Play(GAMES["poch"], 3)
    play.happen(2)
    play.happen(next(iter(play.chances())))
    holder = next(seat for seat in range(3) if play.state.hand[seat])

    assert [is_bare(play.state, seat) for seat in range(3)] == [seat != holder for seat in range(3)]

"""What must hold for every level and temper of a game's players."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pokade.chance import Seeded
from pokade.games.game import Game
from pokade.games.play import Play, View
from pokade.games.recall import Recall
from pokade.games.state import NOTHING, blinded, packed
from pokade.loop import Decide, run
from pokade.players import LUCK, TEMPERS, policy
from pokade.testing.games import LONG, Claims, at_random, in_any_order, tables

if TYPE_CHECKING:
    from pokade.arena.searching import Search

GLANCE, ONE_GO, PIECES = (2,), (12,), (2, 4, 6)  # iterations of a search; the last two come to the same


def check_player(claims: Claims, name: str, seed: int) -> int:
    """A level's or temper's rules of thumb: legal in every variant, and a function of the view and luck alone.

    A level among its like ends its games; a temper likes something now and then. Says how many twins really differed.
    """
    game, rng, decide = claims.game, random.Random(seed), policy(name, claims.game)
    looked = differing = 0
    asked: list[tuple[Any, int, int]] = []
    choices: list[int] = []

    def choose(play: Play, seat: int) -> int:
        nonlocal looked, differing
        view, luck = play.view(seat), rng.randrange(LUCK)
        choice = decide(view.state, seat, luck)
        where = (game.name, name, seed, play.options, len(play.steps), seat, choice)
        assert choice in view.choices or (choice == NOTHING and name in TEMPERS), where
        if rng.randrange(1 + looked // 5) == 0:  # a small game has few choices, a long one far too many
            looked += 1
            twin = claims.twin(play, seat, False, rng)
            differing += packed(twin) != packed(play.state)
            assert decide(blinded(twin, seat, recall=True), seat, luck) == choice, where
            assert packed(view.state) == packed(play.view(seat).state), where  # it has written nothing there
        asked.append((view.state, seat, luck))
        choices.append(choice)
        return choice

    # A temper alone might wait for ever; among people it is never asked for every choice.
    _let_decide(game, seed, choose, often=100 if name in TEMPERS else LONG)
    again = range(0, len(asked), 20)
    assert [decide(*asked[number]) for number in again] == [choices[number] for number in again], (game.name, name)
    assert sum(choice != NOTHING for choice in choices) > len(choices) / 20, (game.name, name)
    return differing


def check_search(claims: Claims, seed: int, often: int = 4) -> int:
    """The strong level: legal in every variant, and a function of the view and luck alone, whatever it thought before.

    It begins with an empty memory, may think in one go or in pieces, thinks over what its seat has sealed, and never
    writes to its table. Says how many twins really differed.
    """
    from pokade.arena.searching import Search  # noqa: PLC0415 - the suite can be used without the compiler

    game, rng, search = claims.game, random.Random(seed), Search(claims.game)
    looked = differing = 0
    earlier: View | None = None
    table = search.table.tobytes()

    def choose(play: Play, seat: int) -> int:
        nonlocal looked, differing, earlier
        view, luck, thorough = play.view(seat), rng.getrandbits(64), rng.randrange(1 + looked // 5) == 0
        choice = _think(search, view, luck, ONE_GO if thorough else GLANCE)
        where = (game.name, seed, play.options, len(play.steps), seat, choice)
        assert choice in view.choices, where
        if thorough:
            looked += 1
            mind, twin, sealed = search.mind(), play.copy(), play.copy()
            twin.state = claims.twin(play, seat, False, rng)
            differing += packed(twin.state) != packed(play.state)
            for same, pieces in ((twin.view(seat), ONE_GO), (view, PIECES), (view, ONE_GO)):
                _think(search, earlier or view, luck, PIECES)  # of which nothing may stay in mind
                assert (_think(search, same, luck, pieces), search.mind()) == (choice, mind), (*where, pieces)
            if not sealed.choose(seat, rng.choice(view.choices)):
                assert _think(search, sealed.view(seat), luck, ONE_GO) == choice, where
            earlier = view
        return choice

    _let_decide(game, seed, choose, often)
    assert search.table.tobytes() == table, game.name
    return differing


def _think(search: "Search", view: View, luck: int, pieces: Sequence[int]) -> int:
    """Begins with an empty memory."""
    search.look(view.state, view.seat, luck)
    assert search.memory.tobytes().strip(b"\0") == b"", search.game.name
    for iterations in pieces:
        search.ponder(iterations)
    return search.settle()


def check_reading(claims: Claims, seed: int, often: int = 1) -> int:
    """The master level: legal in every variant, and a function of its seat's view, past and luck alone.

    It writes to none of them, and what it thought of before makes no difference. Says how many twins really differed.
    """
    from pokade.arena.bots import Budget, read  # noqa: PLC0415 - the suite can be used without the compiler

    game, rng, short = claims.game, random.Random(seed), Budget(iterations=GLANCE[0])
    differing, recalls = 0, dict[tuple[Play, int], Recall]()

    def choose(play: Play, seat: int) -> int:
        nonlocal differing
        view, luck = recalls.setdefault((play, seat), Recall(play, seat)).view(play), rng.getrandbits(64)
        choice, before = read(view, luck, short), [packed(one.state) for one in (view, *view.past)]
        where = (game.name, seed, play.options, len(play.steps), seat, choice)
        assert choice in view.choices, where
        twin = claims.twin(play, seat, False, rng)
        differing += packed(twin) != packed(play.state)
        same = View(game, seat, blinded(twin, seat, recall=True), Recall(play, seat).view(play).past)
        assert read(same, luck, short) == choice, where
        assert [packed(one.state) for one in (view, *view.past)] == before, where
        return choice

    _let_decide(game, seed, choose, often)
    return differing


def _let_decide(game: Game, seed: int, decide: Decide, often: int) -> None:
    """A game of every variant to its end, in which `decide` is asked as `_ever_more_rarely` says."""
    for number, (n_seats, options) in enumerate(tables(game)):
        play, chance = Play(game, n_seats, options), Seeded(f"{seed} {number}")
        asked = _ever_more_rarely(decide, often, chance)
        for _ in run(play, chance, asked, in_any_order(n_seats, chance)):
            assert len(play.steps) <= LONG, (game.name, options, seed, number)


def _ever_more_rarely(decide: Decide, often: int, chance: Seeded) -> Decide:
    """Asked for every choice at first, after so many for every second, then every third; else any choice is made."""
    anything, asked = at_random(chance), 0

    def choose(play: Play, seat: int) -> int:
        nonlocal asked
        if chance.draw(1 + asked // often):
            return anything(play, seat)
        asked += 1
        choice = decide(play, seat)
        return anything(play, seat) if choice == NOTHING else choice

    return choose

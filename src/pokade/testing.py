"""The conformance suite: what must hold for every game. The author of a further game calls the same checks.

Each check raises AssertionError with the game, the seed and the place where it failed. A game brings what only its
rules can say as `Claims`: what is conserved, and `twin`, which changes at random everything that a viewer can't know.
The twin is written from the rules' words and never from the marks on the fields, or the check could not fail.
"""

import random
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pokade import records
from pokade.chance import Seeded
from pokade.games.errors import Refused
from pokade.games.game import Game, Option, Value
from pokade.games.play import Play, View, has_strict_memory, told
from pokade.games.recall import Recall
from pokade.games.state import CHANCE, NOTHING, WATCHER, WIDTH, blinded, columns, packed
from pokade.loop import Decide, run
from pokade.players import LUCK, TEMPERS, policy

LONG = 1_000_000  # steps after which a random game counts as endless
GLANCE, ONE_GO, PIECES = (2,), (12,), (2, 4, 6)  # iterations of a search; the last two come to the same


@dataclass(frozen=True, slots=True)
class Claims:
    """What a game's author says of its rules."""

    game: Game
    twin: Callable[[Play, int, bool, random.Random], Any]  # (play, viewer, is it a person, rng) → another state
    conserved: Callable[[Any], Hashable]  # the same at every moment of a game
    turns_evenly: Callable[[Play], bool] = lambda _: True  # False where a ruling favours a seat by its place


def tables(game: Game) -> Iterator[tuple[int, dict[str, Value]]]:
    """Every number of seats with the defaults, and every value of every option (of a range: both ends and between)."""
    for n_seats in game.seats:
        yield n_seats, {}
        for option in game.options:
            for value in _values(option, n_seats):
                yield n_seats, {option.name: value}


def _values(option: Option, n_seats: int) -> list[Value]:
    taken = option.takes(n_seats)
    if not isinstance(taken, range):
        return [value for value in taken if value != option.default(n_seats)]
    # A limit at its upper end is never reached by chance, but a game must still run under it.
    return sorted({taken[0], taken[0] + 1, taken[0] + 2, taken[0] + 7, taken[-1]})


def positions(play: Play, chance: Seeded) -> Iterator[Play]:
    """A random game, step by step: the same play, yielded at the start and after each step."""
    yield play
    for _ in run(play, chance, at_random(chance), _in_any_order(play.n_seats, chance)):
        assert len(play.steps) <= LONG, f"{play.game.name}: a random game does not end"
        yield play


def _in_any_order(n_seats: int, chance: Seeded) -> Callable[[Sequence[int]], list[int]]:
    """The seats of a sealed round, from any of them on."""

    def order(seats: Sequence[int]) -> list[int]:
        first = chance.draw(n_seats)
        return sorted(seats, key=lambda seat: (seat < first, seat))

    return order


def at_random(chance: Seeded) -> Decide:
    """Any choice that the seat has, all equally likely; faster than a player, since it needs no view."""

    def decide(play: Play, seat: int) -> int:
        game, state = play.game, play.state
        return game.choice_at(state, seat, chance.draw(game.n_choices(state, seat)))

    return decide


def random_game(game: Game, n_seats: int, options: Mapping[str, object], seed: int | str) -> Play:
    """A random game, played to its end."""
    play = Play(game, n_seats, options)
    for _ in positions(play, Seeded(seed)):
        pass
    return play


def check_random_games_end(claims: Claims, games: int, seed: int) -> None:
    """Random games end with winners that share one win, conserve what the rules conserve, and tell names they have."""
    game = claims.game
    for number, (n_seats, options) in _cycle(game, games):
        play = Play(game, n_seats, options)
        kept = claims.conserved(play.state)
        for _ in positions(play, Seeded(f"{seed} {number}")):
            assert claims.conserved(play.state) == kept, (game.name, options, seed, number, len(play.steps))
            told(game, play.state)
        outcome = play.outcome()
        assert outcome is not None
        assert abs(sum(outcome.shares) - 1) < 1e-9, (game.name, outcome)
        assert outcome.winners, (game.name, outcome)


def _cycle(game: Game, games: int) -> Iterator[tuple[int, tuple[int, dict[str, Value]]]]:
    every = list(tables(game))
    for number in range(games):
        yield number, every[number % len(every)]


def check_refusals_change_nothing(claims: Claims, games: int, seed: int) -> None:
    """Whatever is not on the list of choices or chances is refused by the doors, and leaves no trace."""
    game, rng = claims.game, random.Random(seed)
    for number, (n_seats, options) in _cycle(game, games):
        for play in positions(Play(game, n_seats, options), Seeded(f"{seed} {number}")):
            if rng.random() < 0.2:
                _try_nonsense(play, rng)


def _try_nonsense(play: Play, rng: random.Random) -> None:
    before, steps = packed(play.state), len(play.steps)
    seat, value = rng.randrange(play.n_seats + 1), rng.choice([rng.randrange(-3, 130), 1 << 40, -(1 << 40)])
    may = 0 <= seat < play.n_seats and value in play.view(seat).choices
    where = (play.game.name, seat, value, steps)
    for allowed, is_choice in ((may, True), (value in play.chances(), False)):
        trial = play.copy()
        refused = _is_refused(trial, seat, value) if is_choice else _is_refused(trial, CHANCE, value)
        assert refused != allowed, where
        assert not refused or packed(trial.state) == before, where
        assert not refused or len(trial.steps) == steps, where


def _is_refused(play: Play, actor: int, value: int) -> bool:
    try:
        play.take(actor, value)
    except Refused:
        return True
    return False


def check_weights_match_tickets(claims: Claims, games: int, seed: int) -> None:
    """An outcome's weight is the number of tickets it stands on; outcomes that come together are all chance's."""
    game = claims.game
    for number, (n_seats, options) in _cycle(game, games):
        for play in positions(Play(game, n_seats, options), Seeded(f"{seed} {number}")):
            weights = play.chances()
            assert all(game.weight(play.state, outcome) == weights[outcome] for outcome in weights), (game.name, number)
            assert sum(weights.values()) == (game.tickets(play.state) if weights else 0), (game.name, number)
            assert not weights or game.together(play.state) >= 1, (game.name, number)


def check_legal_choices(claims: Claims, games: int, seed: int) -> None:
    """The numbered choices are all different, all legal, and all that is legal."""
    game = claims.game
    for number, (n_seats, options) in _cycle(game, games):
        for play in positions(Play(game, n_seats, options), Seeded(f"{seed} {number}")):
            for seat in range(n_seats):
                choices = play.view(seat).choices
                assert len(set(choices)) == len(choices), (game.name, number, choices)
                if choices:
                    legal = [c for c in range(-2, max(choices) + 40) if game.is_legal(play.state, seat, c)]
                    assert sorted(choices) == legal, (game.name, number, seat, choices, legal)


def check_records_round_trip(claims: Claims, games: int, seed: int) -> None:
    """What is written replays to the same state, and is written again as the same bytes."""
    game, rng = claims.game, random.Random(seed)
    for number, (n_seats, options) in _cycle(game, games):
        play, names = Play(game, n_seats, options), [f"p{seat}" for seat in range(n_seats)]
        last = rng.randrange(2, 400)
        for count, _ in enumerate(positions(play, Seeded(f"{seed} {number}"))):
            if count == last:
                break
        text = records.write(play, names)
        again = records.replay(records.read(text))
        assert records.write(again, names) == text, (game.name, number)
        if play.is_over:
            assert packed(again.state) == packed(play.state), (game.name, number)


def check_turning_the_table(claims: Claims, games: int, seed: int) -> None:
    """Everybody moves on by one seat, and nothing but the seats changes."""
    game = claims.game
    for number, (n_seats, options) in _cycle(game, games):
        play = random_game(game, n_seats, options, f"{seed} {number}")
        if not claims.turns_evenly(play):
            continue
        turned = {name: _turn_words(v, n_seats) if isinstance(v, str) else v for name, v in options.items()}
        actions = turned_actions(records.actions_of(play), n_seats)
        record = records.Record(game, tuple("x" * n_seats), turned, records.FULL, actions)
        after = records.replay(record)
        points = play.points()
        assert after.points() == (points[-1], *points[:-1]), (game.name, options, seed, number)
        assert after.state.ending == play.state.ending, (game.name, options, seed, number)


def turned_actions(actions: list[str], n_seats: int) -> list[str]:
    """A record's actions with every seat moved on by one, in the order a record wants."""
    turned: list[str] = []
    hands: list[str] = []
    for action in actions:
        words = _turn_words(action, n_seats)
        if words.startswith("{"):
            words = "{ " + " | ".join(sorted(part.strip() for part in words[1:-1].split("|"))) + " }"
        if re.match(r"d deal p\d", words):
            hands.append(words)
            continue
        turned += [*sorted(hands), words]
        hands = []
    return turned + sorted(hands)


def _turn_words(text: str, n_seats: int) -> str:
    """pN and the icon @N move on by one; the icons of absent characters stay."""

    def turn(found: re.Match[str]) -> str:
        seat = int(found[2])
        return f"{found[1]}{seat % n_seats + 1 if seat <= n_seats else seat}"

    return re.sub(r"(\bp|@)(\d)\b", turn, text)


def check_non_interference(claims: Claims, pairs: int, seed: int) -> int:
    """Changing what a viewer may not see never changes what that viewer gets. Says how many twins really differed."""
    game, rng = claims.game, random.Random(seed)
    differing = done = 0
    while done < pairs:
        n_seats, options = rng.choice(list(tables(game)))
        for play in positions(Play(game, n_seats, options), Seeded(f"{seed} {done}")):
            viewer, person = rng.randrange(-1, n_seats), rng.random() < 0.5
            twin = claims.twin(play, viewer, person, rng)
            differing += packed(twin) != packed(play.state)
            recall = not (person and has_strict_memory(play.state))
            mine, theirs = (View(game, viewer, blinded(state, viewer, recall)) for state in (play.state, twin))
            where = (game.name, options, seed, done, viewer, person, len(play.steps))
            assert packed(mine.state) == packed(theirs.state), (*where, difference(mine.state, theirs.state))
            assert mine.choices == theirs.choices, where
            assert mine.told == theirs.told, where
            assert mine.points == theirs.points, where
            done += 1
    return differing


def difference(one: Any, other: Any) -> list[str]:
    """The fields in which two states differ."""
    return [c.name for c in columns(type(one)) if getattr(one, c.name) != getattr(other, c.name)]


def check_compiled_equals_plain(claims: Claims, games: int, seed: int) -> None:
    """The compiled rules take the same steps to the same states as the plain ones, cell by cell, and see the same."""
    from pokade.arena.kernel import cell_of  # noqa: PLC0415 - the suite can be used without the compiler
    from pokade.arena.loops import Arena  # noqa: PLC0415 - as above

    game = claims.game
    end, told_from = cell_of(game, "told"), cell_of(game, "n_told")
    arenas: dict[str, Arena] = {}
    for number, (n_seats, options) in _cycle(game, games):
        table = f"{n_seats} {options}"
        if table not in arenas:
            arenas[table] = Arena(game, n_seats, options)
        arena = arenas[table]
        play = Play(game, n_seats, options)
        steps, states = arena.trace(seed, number)
        for (actor, value), flat in zip(steps.tolist(), states, strict=True):
            play.take(actor, value)
            flat[end + play.state.n_told * WIDTH :] = 0  # what was told before may still lie there
            assert flat.tolist() == packed(play.state), (game.name, options, seed, number, len(play.steps))
        view = packed(blinded(play.state, number % n_seats, recall=True))
        assert arena.view(flat, number % n_seats).tolist()[:told_from] == view[:told_from], (game.name, number)


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


def check_search(claims: Claims, seed: int, often: int = 10) -> int:
    """The strong level: legal in every variant, and a function of the view and luck alone, whatever it thought before.

    It begins with an empty memory, may think in one go or in pieces, thinks over what its seat has sealed, and never
    writes to its table. Says how many twins really differed.
    """
    from pokade.arena.searching import Search  # noqa: PLC0415 - the suite can be used without the compiler

    game, rng, search = claims.game, random.Random(seed), Search(claims.game)
    looked = differing = 0
    earlier: View | None = None
    table = search.table.tobytes()

    def think(view: View, luck: int, pieces: Sequence[int]) -> int:
        search.look(view.state, view.seat, luck)
        assert search.memory.tobytes().strip(b"\0") == b"", (game.name, seed)
        for iterations in pieces:
            search.ponder(iterations)
        return search.settle()

    def choose(play: Play, seat: int) -> int:
        nonlocal looked, differing, earlier
        view, luck, thorough = play.view(seat), rng.getrandbits(64), rng.randrange(1 + looked // 5) == 0
        choice = think(view, luck, ONE_GO if thorough else GLANCE)
        where = (game.name, seed, play.options, len(play.steps), seat, choice)
        assert choice in view.choices, where
        if thorough:
            looked += 1
            mind, twin, sealed = search.mind(), play.copy(), play.copy()
            twin.state = claims.twin(play, seat, False, rng)
            differing += packed(twin.state) != packed(play.state)
            for same, pieces in ((twin.view(seat), ONE_GO), (view, PIECES), (view, ONE_GO)):
                think(earlier or view, luck, PIECES)  # of which nothing may stay in mind
                assert (think(same, luck, pieces), search.mind()) == (choice, mind), (*where, pieces)
            if not sealed.choose(seat, rng.choice(view.choices)):
                assert think(sealed.view(seat), luck, ONE_GO) == choice, where
            earlier = view
        return choice

    _let_decide(game, seed, choose, often)
    assert search.table.tobytes() == table, game.name
    return differing


def check_reading(claims: Claims, seed: int, often: int = 3) -> int:
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
        for _ in run(play, chance, asked, _in_any_order(n_seats, chance)):
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


def check_everything(claims: Claims, scale: int = 1, seed: int = 1) -> None:
    """All checks, `scale` times the smallest number of games."""
    check_random_games_end(claims, 200 * scale, seed)
    check_refusals_change_nothing(claims, 60 * scale, seed)
    check_weights_match_tickets(claims, 60 * scale, seed)
    check_legal_choices(claims, 60 * scale, seed)
    check_records_round_trip(claims, 200 * scale, seed)
    check_turning_the_table(claims, 200 * scale, seed)
    check_non_interference(claims, 2_000 * scale, seed)
    check_compiled_equals_plain(claims, 200 * scale, seed)


__all__ = [name for name in globals() if name.startswith("check_")] + ["WATCHER", "Claims", "random_game", "tables"]

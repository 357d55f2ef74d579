"""The conformance suite: what must hold for every game. The author of a further game calls the same checks.

Each check raises AssertionError with the game, the seed and the place where it failed. A game brings what only its
rules can say as `Claims`: what is conserved, and `twin`, which changes at random everything that a viewer can't know.
The twin is written from the rules' words and never from the marks on the fields, or the check could not fail.
"""

import random
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pokade import records
from pokade.chance import Seeded, advance
from pokade.games.errors import Refused
from pokade.games.game import Game, Option, Value
from pokade.games.play import Play, View, has_strict_memory, told
from pokade.games.state import CHANCE, NOBODY, WATCHER, WIDTH, blinded, columns, packed

LONG = 100_000  # steps after which a random game counts as endless


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
    for _ in range(LONG):
        if advance(play, chance):
            yield play
            continue
        turn = play.turn
        if turn == NOBODY:
            return
        for seat in _in_any_order(play.n_seats, chance):
            if turn >> seat & 1:
                choose_at_random(play, seat, chance)
                yield play
    raise AssertionError(f"{play.game.name}: a random game does not end")


def _in_any_order(n_seats: int, chance: Seeded) -> list[int]:
    first = chance.draw(n_seats)
    return [*range(first, n_seats), *range(first)]


def choose_at_random(play: Play, seat: int, chance: Seeded) -> None:
    """Any choice that the seat has, all equally likely."""
    index = chance.draw(play.game.n_choices(play.state, seat))
    play.choose(seat, play.game.choice_at(play.state, seat, index))


def random_game(game: Game, n_seats: int, options: Mapping[str, object], seed: int | str) -> Play:
    """A random game, played to its end."""
    play = Play(game, n_seats, options)
    for _ in positions(play, Seeded(seed)):
        pass
    return play


def check_random_games_end(claims: Claims, games: int, seed: int) -> None:
    """Random games end with winners who share one win, conserve what the rules conserve, and tell names they have."""
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
        if actor == CHANCE:
            play.happen(value)
        else:
            play.choose(actor, value)
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
    from pokade.arena.kernel import Arena, cell_of  # noqa: PLC0415 - the suite can be used without the compiler

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
            if actor == CHANCE:
                play.happen(value)
            else:
                play.choose(actor, value)
            flat[end + play.state.n_told * WIDTH :] = 0  # what was told before may still lie there
            assert flat.tolist() == packed(play.state), (game.name, options, seed, number, len(play.steps))
        view = packed(blinded(play.state, number % n_seats, recall=True))
        assert arena.view(flat, number % n_seats).tolist()[:told_from] == view[:told_from], (game.name, number)


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

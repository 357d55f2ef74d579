"""What must hold for the rules of every game, plain and compiled."""

import random
import re
from typing import Any

from pokade import records
from pokade.chance import Seeded
from pokade.games.errors import Refused
from pokade.games.play import Play, View, has_strict_memory, told
from pokade.games.state import CHANCE, WIDTH, blinded, columns, packed
from pokade.testing.games import Claims, cycle, positions, random_game, tables


def check_random_games_end(claims: Claims, games: int, seed: int) -> None:
    """Random games end with winners that share one win, conserve what the rules conserve, and tell names they have."""
    game = claims.game
    for number, (n_seats, options) in cycle(game, games):
        play = Play(game, n_seats, options)
        kept = claims.conserved(play.state)
        for _ in positions(play, Seeded(f"{seed} {number}")):
            assert claims.conserved(play.state) == kept, (game.name, options, seed, number, len(play.steps))
            told(game, play.state)
        outcome = play.outcome()
        assert outcome is not None
        assert abs(sum(outcome.shares) - 1) < 1e-9, (game.name, outcome)
        assert outcome.winners, (game.name, outcome)


def check_refusals_change_nothing(claims: Claims, games: int, seed: int) -> None:
    """Whatever is not on the list of choices or chances is refused by the doors, and leaves no trace."""
    game, rng = claims.game, random.Random(seed)
    for number, (n_seats, options) in cycle(game, games):
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
    for number, (n_seats, options) in cycle(game, games):
        for play in positions(Play(game, n_seats, options), Seeded(f"{seed} {number}")):
            weights = play.chances()
            assert all(game.weight(play.state, outcome) == weights[outcome] for outcome in weights), (game.name, number)
            assert sum(weights.values()) == (game.tickets(play.state) if weights else 0), (game.name, number)
            assert not weights or game.together(play.state) >= 1, (game.name, number)


def check_legal_choices(claims: Claims, games: int, seed: int) -> None:
    """The numbered choices are all different, all legal, and all that is legal."""
    game = claims.game
    for number, (n_seats, options) in cycle(game, games):
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
    for number, (n_seats, options) in cycle(game, games):
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
    for number, (n_seats, options) in cycle(game, games):
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
    for number, (n_seats, options) in cycle(game, games):
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

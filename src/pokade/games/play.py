"""A game being played: the checked doors, the views, and how it ended.

`Play.choose` and `Play.happen` are the only doors that server, bots, adapters and records go through: they check, and
what they refuse changes nothing. The unchecked `game.choose` and `game.happen` are for compiled loops. Plays and views
can be pickled, and their short `repr` tells no secret.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, SupportsIndex

from pokade.games.errors import IllegalChance, IllegalChoice
from pokade.games.game import Event, Game, Said, Value
from pokade.games.state import CHANCE, NOBODY, WATCHER, WIDTH, State, blinded, copied, heard_by, members, told_rows

STRICT = 0  # option memory
LONGEST_LOOK = 8.0  # seconds


@dataclass(frozen=True, slots=True)
class Told:
    """An event that somebody was told: its name and its numbers."""

    event: Event
    who: int
    what: int
    more: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, who won, what everybody counts and what part of the win is theirs."""

    reason: str
    winners: tuple[int, ...]
    points: tuple[int, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What one seat (or a watcher) may know: a state with UNKNOWN in every other cell, and nothing behind it.

    Players that remember get the views of their seat so far as well: `games/recall.py` makes them.
    """

    game: Game
    seat: int
    state: Any
    past: tuple["View", ...] = ()

    def __repr__(self) -> str:
        viewer = "a watcher" if self.seat == WATCHER else f"seat {self.seat}"
        return f"<View of {viewer}: {_situation(self.game, self.state)}>"

    @property
    def turn(self) -> int:
        """Whose turn it is: CHANCE, NOBODY or a bit set of seats."""
        return self.game.turn(self.state)

    @property
    def choices(self) -> list[int]:
        """What this seat may choose now; empty if it is not its turn."""
        return legal(self.game, self.state, self.seat)

    @property
    def choice_words(self) -> list[str]:
        """Each of the choices as a record writes it: `pick O`, `bid 3` …"""
        return [self.game.words.write_choice(self.state.phase, self.state, choice) for choice in self.choices]

    @property
    def question(self) -> Said | None:
        """What this seat is asked now, as a text of its game."""
        return self.game.asked(self.state, self.seat) if self.choices else None

    @property
    def choice_texts(self) -> list[Said]:
        """What each of the choices is called, as texts of its game."""
        return [self.game.said(self.state, self.seat, choice) for choice in self.choices]

    @property
    def facts(self) -> dict[str, int]:
        """What this view lets its seat work out: limits of a bid, objectives met now …"""
        return self.game.facts(self.state, self.seat)

    @property
    def told(self) -> list[Told]:
        """What the last step told this viewer."""
        return told(self.game, self.state)

    @property
    def points(self) -> list[int]:
        """What everybody counts now."""
        return [self.game.points(self.state, seat) for seat in range(self.state.n_seats)]

    @property
    def places(self) -> list[int]:
        """Which place everybody has, from 1; empty while the game is on."""
        if self.turn != NOBODY:
            return []
        seats = range(self.state.n_seats)
        points, winners = self.points, [seat for seat in seats if self.state.winners >> seat & 1]
        return [place_of(points, winners, seat) for seat in seats]


def place_of(points: Sequence[int], winners: Sequence[int], seat: int) -> int:
    """Which place a seat has: winners are first, then more points are better."""
    if seat in winners:
        return 1
    return 1 + sum(other in winners or points[other] > points[seat] for other in range(len(points)))


def legal(game: Game, state: State, seat: int) -> list[int]:
    """What a seat may choose now, on a state or on its own view of one; empty if it is not its turn."""
    turn = game.turn(state)
    if seat < 0 or turn == CHANCE or not turn >> seat & 1:
        return []
    return [game.choice_at(state, seat, index) for index in range(game.n_choices(state, seat))]


def _situation(game: Game, state: State) -> str:
    """A game at a glance, from what everybody knows."""
    return f"{game.name} {state.n_seats} seats, round {state.round}, {_next(game, state)}"


def _next(game: Game, state: State) -> str:
    turn = game.turn(state)
    if turn == CHANCE:
        return "chance is due"
    if turn == NOBODY:
        return f"over ({game.endings[state.ending]})"
    *others, last = map(str, members(turn))
    return f"seats {', '.join(others)} and {last} to choose" if others else f"seat {last} to choose"


def told(game: Game, state: State) -> list[Told]:
    """The events of the last step, as names and numbers."""
    return told_in(game, told_rows(state))


def told_in(game: Game, rows: list[int]) -> list[Told]:
    """Events in a row, as names and numbers."""
    events = (rows[at : at + WIDTH] for at in range(0, len(rows), WIDTH))
    return [Told(game.events[code], who, what, more) for code, who, what, more, _ in events]


def look(game: Game, state: State) -> float:
    """How many seconds people want to look at the last step; only what everybody heard counts."""
    heard = heard_by(WATCHER, told_rows(state))
    return min(LONGEST_LOOK, sum([game.events[code].look for code in heard[::WIDTH]]))


def has_strict_memory(state: State) -> bool:
    """Do people at this table have to keep in their heads what was shown? (Games without the option show all.)"""
    return getattr(state, "memory", None) == STRICT


class Play:
    """One game from the first throw to the outcome, with everything that happened in order."""

    __slots__ = ("game", "state", "steps")

    def __init__(self, game: Game, n_seats: int, options: Mapping[str, object] | None = None) -> None:
        self.game = game
        self.state: Any = game.new(n_seats, options)
        self.steps: list[tuple[int, int]] = []  # (CHANCE, outcome) or (seat, choice), as they came in

    def __repr__(self) -> str:
        return f"<Play {_situation(self.game, self.state)}>"

    @property
    def n_seats(self) -> int:
        n: int = self.state.n_seats
        return n

    @property
    def turn(self) -> int:
        """CHANCE, NOBODY (the game is over), or the bit set of the seats that choose now."""
        return self.game.turn(self.state)

    @property
    def is_over(self) -> bool:
        return self.turn == NOBODY

    @property
    def options(self) -> dict[str, Value]:
        """The options that differ from their defaults."""
        n = self.n_seats
        chosen = {option: option.value(getattr(self.state, option.name), n) for option in self.game.options}
        return {option.name: value for option, value in chosen.items() if value != option.default(n)}

    def legal(self, seat: int) -> list[int]:
        """What a seat may choose now; empty if it is not its turn."""
        return legal(self.game, self.state, seat)

    def choose(self, seat: int, choice: SupportsIndex | str) -> bool:
        """A seat chooses, or changes its mind while its round is still sealed; says whether anything opened by it.

        A choice is a number of `legal`, or a record's words for it: `play.choose(0, "pick O")`.
        """
        number, state = self.check(seat, choice), self.state
        step = state.step
        self.game.choose(state, seat, number)
        self.steps.append((seat, number))
        is_open: bool = state.step != step
        return is_open

    def check(self, seat: int, choice: SupportsIndex | str) -> int:
        """Refuse what the rules do not allow now, and change nothing; the choice as a number."""
        game, state = self.game, self.state
        turn = game.turn(state)
        if type(seat) is not int or not 0 <= seat < state.n_seats:
            raise IllegalChoice("choice/no-seat", "there is no such seat")
        if turn == CHANCE or not turn >> seat & 1:
            raise IllegalChoice("choice/not-now", f"p{seat + 1} has nothing to choose now")
        number = choice if type(choice) is int else self._number(seat, choice)
        if not game.is_legal(state, seat, number):
            raise IllegalChoice("choice/illegal", f"p{seat + 1} may not choose that")
        return number

    def _number(self, seat: int, choice: object) -> int:
        """A choice that is given in words, or as an integer of another kind (numpy's)."""
        if isinstance(choice, str):
            try:
                return self.game.words.read_choice(self.state, seat, choice.split() or [""])
            except ValueError as reason:
                raise IllegalChoice("choice/words", str(reason)) from None
        if isinstance(choice, bool) or not isinstance(choice, SupportsIndex):
            raise IllegalChoice("choice/illegal", f"p{seat + 1} may not choose that")
        return int(choice)

    def take(self, actor: int, value: int) -> bool:
        """A step as `steps` has it: chance or a seat; says whether anybody notices it."""
        if actor != CHANCE:
            return self.choose(actor, value)
        self.happen(value)
        return True

    def happen(self, outcome: int) -> None:
        """Dice or a deal come in."""
        game, state = self.game, self.state
        if game.turn(state) != CHANCE:
            raise IllegalChance("chance/not-now", "nothing is thrown or dealt now")
        if type(outcome) is not int or game.weight(state, outcome) == 0:
            raise IllegalChance("chance/impossible", "that can't be thrown or dealt now")
        game.happen(state, outcome)
        self.steps.append((CHANCE, outcome))

    def chances(self) -> dict[int, int]:
        """Every outcome that chance may bring now, with its exact weight."""
        if self.turn != CHANCE:
            return {}
        weights: dict[int, int] = {}
        for ticket in range(self.game.tickets(self.state)):
            outcome = self.game.outcome_at(self.state, ticket)
            weights[outcome] = weights.get(outcome, 0) + 1
        return weights

    def view(self, seat: int, *, person: bool = False) -> View:
        """What a seat (or WATCHER) may know. Bots remember all that was shown; a person may have to (option memory)."""
        recall = not (person and has_strict_memory(self.state))
        return View(self.game, seat, blinded(self.state, seat, recall))

    def points(self) -> tuple[int, ...]:
        """What everybody counts, as if the game were scored now."""
        return tuple(self.game.points(self.state, seat) for seat in range(self.n_seats))

    def outcome(self) -> Outcome | None:
        """How it ended; None while the game is on."""
        if not self.is_over:
            return None
        winners = tuple(seat for seat in range(self.n_seats) if self.state.winners >> seat & 1)
        shares = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(self.n_seats))
        return Outcome(self.game.endings[self.state.ending], winners, self.points(), shares)

    def copy(self) -> Self:
        """An independent play that equals this one."""
        twin = type(self).__new__(type(self))
        twin.game, twin.state, twin.steps = self.game, copied(self.state), self.steps[:]
        return twin

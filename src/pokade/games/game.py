"""What a rules file hands over: its seats, options, events and functions, gathered in one `Game`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pokade.games.cells import COMMON, STANDING, Holds
from pokade.games.errors import BadOption, BadSeats, RulesError
from pokade.games.state import NOTHING, State, columns

Value = str | int | bool
Said = tuple[str, dict[str, int | str]]  # a key of the game's own texts, and the values of its slots


@dataclass(frozen=True, slots=True)
class Option:
    """A table option. `takes` lists its values for a number of seats; whole numbers are given as a range."""

    name: str
    takes: Callable[[int], Sequence[Value] | range]
    default: Callable[[int], Value]

    def takes_it(self, value: Value, n_seats: int) -> bool:
        """Is the value one of those for so many seats?"""
        return any(type(value) is type(taken) and value == taken for taken in self.takes(n_seats))

    def number(self, value: object, n_seats: int) -> int:
        """The integer that stands for the value in a state; refuses what the option does not take."""
        taken = self.takes(n_seats)
        if isinstance(taken, range):
            if type(value) is int and value in taken:
                return value
        else:
            for index, candidate in enumerate(taken):
                if type(value) is type(candidate) and value == candidate:
                    return index
        sentence = f"option {self.name} takes {self.meant(n_seats)}"
        raise BadOption("option/value", sentence, option=self.name, takes=taken)

    def value(self, number: int, n_seats: int) -> Value:
        """The value that an integer of a state stands for."""
        taken = self.takes(n_seats)
        return number if isinstance(taken, range) else taken[number]

    def meant(self, n_seats: int) -> str:
        """What the option takes, for a sentence."""
        taken = self.takes(n_seats)
        if isinstance(taken, range):
            return f"a whole number from {taken[0]} to {taken[-1]}"
        words = [f'"{v}"' if isinstance(v, str) else str(v).lower() for v in taken]
        return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def one_of(name: str, *values: Value) -> Option:
    """An option with a few values, the default first."""
    return Option(name, lambda _: values, lambda _: values[0])


def number_in(name: str, allowed: range, default: int) -> Option:
    """An option that is a whole number."""
    return Option(name, lambda _: allowed, lambda _: default)


@dataclass(frozen=True, slots=True)
class Event:
    """Something the rules tell: its name and what its three numbers are ("" where one says nothing).

    A kind is `seat`, `seats` (a bit set), `number`, or the name of a list of words in the text catalogue.
    """

    name: str
    who: str = ""
    what: str = ""
    more: str = ""
    look: float = 0.0  # seconds that people want to look at it before the game goes on


@dataclass(frozen=True, slots=True)
class Words:
    """How a game's chance and choices are written in a record. A reader raises Misread with its reason."""

    read_chance: Callable[[Any, Sequence[str]], list[int]]  # (state, words) → outcomes that come together
    write_chance: Callable[[int, int, Any, Sequence[int], bool], str]
    # (phase it came in, seat it was dealt to or NOTHING, view afterwards, outcomes, is it the full record)
    read_choice: Callable[[Any, int, Sequence[str]], int]  # (state, seat, words) → choice
    write_choice: Callable[[int, Any, int], str]  # (phase it was made in, view, choice or UNKNOWN)
    seen_choice: Callable[[Any, int], int]  # (view, seat) → its choice in the round's sealed block, or UNKNOWN
    dealt_to: Callable[[Any], int] = lambda _: NOTHING  # the seat whose cards come now; NOTHING if they are for all


@dataclass(frozen=True, slots=True)
class Game:
    """The rules of one game: functions of a state (or a view of one), which the arena compiles as they stand."""

    name: str
    title: str
    seats: range
    usual_seats: int  # how many sit down when nobody says how many
    options: tuple[Option, ...]
    events: tuple[Event, ...]
    endings: tuple[str, ...]  # why a game can end; the first is "still on"
    state: type[Any]
    begin: Callable[[Any], None]  # set up a state whose seats and options are filled in
    turn: Callable[[Any], int]  # CHANCE, NOBODY, or the bit set of the seats that choose now
    tickets: Callable[[Any], int]  # how many equally likely tickets chance draws from
    outcome_at: Callable[[Any, int], int]  # the outcome on a ticket
    weight: Callable[[Any, int], int]  # on how many tickets an outcome stands; 0 if it can't happen
    together: Callable[[Any], int]  # how many outcomes come in one go: the dice of a throw, the cards of a hand
    happen: Callable[[Any, int], None]  # chance has spoken; does not check
    n_choices: Callable[[Any, int], int]  # how many choices a seat has
    choice_at: Callable[[Any, int, int], int]  # the choices in order
    is_legal: Callable[[Any, int, int], bool]
    choose: Callable[[Any, int, int], None]  # a seat has chosen; does not check
    points: Callable[[Any, int], int]  # what the game counts, as if it were scored now
    facts: Callable[[Any, int], dict[str, int]]  # what a view lets its seat work out, so that a page needs no rules
    asked: Callable[[Any, int], Said]  # the question that a seat must answer now, a text under `prompt`
    said: Callable[[Any, int, int], Said]  # what a choice is called, a text under `choice`
    words: Words
    holds: Mapping[str, Holds] = field(
        hash=False
    )  # what fields hold, by name; options and what every game has need not be in it
    actions: Callable[[Any], Sequence[range]]  # by phase: the numbers that its choices have among all of a table's
    changes: tuple[tuple[str, int], ...] = ()  # numbers of the rules that the laboratory has changed: never at a table

    def __post_init__(self) -> None:
        _GAME_OF.setdefault(self.state, self)
        names = {column.name for column in columns(self.state)}
        for option in self.options:
            if option.name not in names:
                raise RulesError(f"{self.name}: option {option.name} has no field in the state")

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    @property
    def file(self) -> str:
        """What the game's own files are called; other numbers in the rules make other modules of the same files."""
        return "__".join([self.name, *(f"{number}_{value}" for number, value in self.changes)])

    def __reduce__(self) -> tuple[Any, ...]:
        """Rules are code, so a pickle names them by their state's class instead of holding them."""
        if _GAME_OF[self.state] is not self:
            raise TypeError(f"{self.name}: this is not the game of {self.state.__name__}, so it can't be pickled")
        return _game_of, (self.state,)

    def held(self, name: str) -> Holds:
        """What a field holds; refuses one of which nothing is said."""
        if any(option.name == name for option in self.options):
            return STANDING
        found = self.holds.get(name) or COMMON.get(name)
        if found is None:
            raise RulesError(f"{self.name}: nothing says what {name} holds")
        return found

    def option_numbers(self, options: Mapping[str, object], n_seats: int) -> dict[str, int]:
        """Every option as the integer its state holds; refuses unknown names and bad values."""
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                has = ", ".join(known)
                sentence = f"{self.name} has no option {_short(name)}; it has {has}"
                raise BadOption("option/unknown", sentence, game=self.title, option=_short(name), known=has)
        return {
            name: option.number(options.get(name, option.default(n_seats)), n_seats) for name, option in known.items()
        }

    def options_for(self, options: Mapping[str, Value], n_seats: int) -> dict[str, Value]:
        """Of the options given, those that so many seats leave possible."""
        known = {option.name: option for option in self.options}
        return {name: value for name, value in options.items() if known[name].takes_it(value, n_seats)}

    def new(self, n_seats: int, options: Mapping[str, object] | None = None) -> State:
        """A state of the game before anything has happened."""
        if type(n_seats) is not int or n_seats not in self.seats:
            least, most = self.seats[0], self.seats[-1]
            sentence = f"{self.title} is played by {least} to {most}"
            raise BadSeats("seats/number", sentence, game=self.title, least=least, most=most)
        state: State = self.state(n_seats=n_seats, **self.option_numbers(options or {}, n_seats))
        self.begin(state)
        return state


_GAME_OF: dict[type[Any], Game] = {}  # each game by the class of its states


def _game_of(state: type[Any]) -> Game:
    """The game whose states are of that class; unpickling calls it."""
    return _GAME_OF[state]


def _short(name: object) -> str:
    text = ascii(name)
    return text if len(text) <= 40 else text[:40] + "…"

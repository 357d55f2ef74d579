"""What can go wrong, as one tree. A person's mistake carries a stable code; a bug is an assertion and is not here.

PokadeError
├── Coded                   has a stable code
│   ├── Refused             something was asked for that the rules do not allow; nothing has changed
│   │   ├── IllegalChoice   choice/no-seat, choice/not-now, choice/illegal, choice/words
│   │   ├── IllegalChance   chance/not-now, chance/impossible
│   │   ├── BadOption       option/unknown, option/value
│   │   ├── BadSeats        seats/number
│   │   └── BadSalt         salt/text
│   ├── Misread             words of a record that mean nothing in its game
│   ├── BadRecord           a record that can't be read or replayed: the number of the action and one line
│   │   └── Unfair          a record whose dice and deals are not those that its proof gives
│   ├── BadPlayer           a bot from outside that can't be used, raised, or chose what it may not
│   ├── BadRun              many games that can't be played, kept or drawn as asked for
│   ├── BadCall             a command line that can't be understood
│   ├── BadSolution         a file that holds no whole solution of a game
│   └── Unsolved            a position of a game to which the solver found no equilibrium
└── RulesError              a rules file that is not well made (found at import)
"""

from typing import Any


class PokadeError(Exception):
    """The root of every error this package raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _raised_again, (type(self), self.args, self.__dict__)


def _raised_again(kind: type[PokadeError], args: tuple[Any, ...], facts: dict[str, Any]) -> PokadeError:
    """An error that comes from another process."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


class Coded(PokadeError):
    """An error with a stable code. Its text is one English sentence; `texts.explained` has it in other languages."""

    def __init__(self, code: str, sentence: str, **values: object) -> None:
        super().__init__(sentence)
        self.code, self.values = code, values


class Refused(Coded):
    """A request was turned down and changed nothing."""


class IllegalChoice(Refused):
    """A seat chose what it may not choose, or when it may not."""


class IllegalChance(Refused):
    """Dice or deals that the rules do not allow now."""


class BadOption(Refused):
    """An option that the game does not have, or a value that the option does not take."""


class BadSeats(Refused):
    """The game is not played by that many."""


class BadSalt(Refused):
    """What a seat wants to add to the draws is no short text."""


class Misread(Coded, ValueError):
    """Words of a record that mean no chance and no choice of the game."""


class BadRecord(Coded):
    """A record is refused at `action` (counted from 1; 0 is the header and the result)."""

    def __init__(self, action: int, code: str, sentence: str, **values: object) -> None:
        super().__init__(code, sentence, **values)
        self.action = action


class Unfair(BadRecord):
    """A record's proof is missing or does not hold; `action` is the first that chance did otherwise."""


class BadPlayer(Coded):
    """A bot from outside made a mistake: one line with its name, what it gave and what was allowed."""


class BadRun(Coded):
    """Many games can't be played, kept or drawn as they were asked for."""


class BadCall(Coded):
    """A command was called with a word, an option or a value that means nothing to it, or without one that it needs."""


class BadSolution(Coded):
    """A file holds no solution, a part of one, or one of another game."""


class Unsolved(Coded):
    """The solver found no equilibrium of a position."""


class RulesError(PokadeError):
    """A rules file declares something that it must not."""

"""What can go wrong, as one tree. A person's mistake carries a stable code; a bug is an assertion and is not here.

PokadeError
├── Refused             something was asked for that the rules do not allow; nothing has changed
│   ├── IllegalChoice   choice/no-seat, choice/not-now, choice/illegal
│   ├── IllegalChance   chance/not-now, chance/impossible
│   ├── BadOption       option/unknown, option/value
│   ├── BadSeats        seats/number
│   └── BadSalt         salt/text
├── BadRecord           a record that can't be read or replayed: the number of the action and one line
│   └── Unfair          a record whose dice and deals are not those that its proof gives
├── BadPlayer           a bot from outside that raised, or chose what it may not
└── RulesError          a rules file that is not well made (found at import)
"""


class PokadeError(Exception):
    """The root of every error this package raises on purpose."""


class Refused(PokadeError):
    """A request was turned down and changed nothing; `code` is stable, the text is one sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


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


class BadRecord(PokadeError):
    """A record is refused at `action` (counted from 1; 0 is the header and the result)."""

    def __init__(self, action: int, reason: str) -> None:
        super().__init__(reason)
        self.action = action


class Unfair(BadRecord):
    """A record's proof is missing or does not hold; `action` is the first that chance did otherwise."""


class BadPlayer(PokadeError):
    """A bot from outside made a mistake: one line with its name, what it gave and what was allowed."""


class RulesError(PokadeError):
    """A rules file declares something that it must not."""

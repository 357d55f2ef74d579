"""The terms of tables, each list once: statuses, clocks, paces, and how much of anything there may be."""

from typing import Final, Literal, NamedTuple

from pokade.players import CASUAL

Status = Literal["open", "on", "over"]
OPEN: Final = "open"
ON: Final = "on"
OVER: Final = "over"


class Clock(NamedTuple):
    """Seconds for a decision, and seconds that somebody may be away before a stand-in bot plays; None is for ever."""

    seconds: float | None
    grace: float | None


CLOCKS: Final = {
    "none": Clock(None, 300),
    "20s": Clock(20, 60),
    "45s": Clock(45, 60),
    "2min": Clock(120, 60),
    "1day": Clock(86_400, None),
}
NO_CLOCK: Final = "none"
USUAL: Final = "usual"
PACES: Final = {"brisk": 0.6, USUAL: 1.0, "slow": 1.6}  # how long reveals and bots' answers take, by the usual time
STAND_IN: Final = CASUAL  # the level of the stand-in bots that play for people who are gone

HOSTLESS: Final = 300.0  # seconds without the host before the start, where nobody is ever taken to be gone …
FIRST_HOST: Final = 86_400.0  # … and the host has had the role for so long

LONGEST_NAME: Final = 16
LONGEST_SALT: Final = 64
LINES: Final = 50  # of chat that a newcomer gets to read
MOST_NOTES: Final = 16  # of a round in a record: each seat goes on standby, and each comes back
MOST_CHANGES: Final = 20  # of mind in a round, by a seat
LONGEST_PAUSE: Final = 600.0  # seconds of a step that the host may hold up against the others' will
CALLABLE: Final = 60.0  # seconds of a decision without a clock, until somebody may call time
NOTICE: Final = 20.0  # seconds that a call of time leaves everybody
MOST_MISSED: Final = 3  # such rounds in a row, until a stand-in bot takes the seat
WATCHES_DIFFER: Final = 1.0  # second, between the clocks of two processes

"""What a table is: its log, what is true of it now, and what may be asked of it.

This and `views` run wherever Python runs: they need the standard library, and nothing that waits or sends.
"""

from pokade.server.table.seats import Claim, Seat, clean_name, told_apart
from pokade.server.table.table import Table, create
from pokade.server.table.terms import CLOCKS, ON, OPEN, OVER, PACES, STAND_IN, Status

__all__ = [
    "CLOCKS",
    "ON",
    "OPEN",
    "OVER",
    "PACES",
    "STAND_IN",
    "Claim",
    "Seat",
    "Status",
    "Table",
    "clean_name",
    "create",
    "told_apart",
]

"""The colours of cloths, seats and pieces. Colour belongs to pieces; everything else is ink on cloth."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Cloth:
    """A game's tablecloth: at night under the pieces, by day as its door in the house."""

    night: str
    sunk: str
    day: str
    day_edge: str


@dataclass(frozen=True, slots=True)
class Wood:
    """A piece's face and the hard edge below it."""

    face: str
    edge: str


HOUSE: Final = Cloth("#150F26", "#0D0819", "#E7E3EF", "#9E93BC")
LIGHT: Final = "#F6F2FF"  # text on a cloth
SOFT: Final = "#BDB3D4"  # text that matters less
FAINT: Final = "#7D7299"  # lines, and what is gone
DARK: Final = "#1C1433"  # text on paper, wood and tints
PAPER: Final = Wood("#FFFFFF", "#B9AFCC")
BUTTON: Final = Wood("#F6F2FF", "#9E93BC")
NIGHT: Final = Wood("#1C1433", "#0A0614")
IVORY: Final = Wood("#FFFDF6", "#C9C2AE")
BRASS: Final = Wood("#F0C463", "#8E6A1E")
PLATE: Final = "#D9A63E"
EMPTY_PLATE: Final = "#6E2338"
BOARD: Final = Wood("#2A0A16", "#7A5A2A")
TRAY: Final = Wood("#0C5245", "#03130F")
WOODS: Final = (Wood("#F7E4BD", "#C79F5B"), Wood("#F0CF9B", "#B5803B"), Wood("#E6B583", "#98602D"))
GONE: Final = Wood("#5A4A6B", "#3A2F5C")
GOOD: Final = "#4FD69A"
BAD: Final = "#FF9A8E"
SEATS: Final = (  # tint and pleat of each seat
    Wood("#CDBBFF", "#AE95F2"),
    Wood("#FFB894", "#F2976A"),
    Wood("#9BE3C1", "#6CCBA0"),
    Wood("#A3D2FF", "#77B6F2"),
    Wood("#FFE07F", "#F0C748"),
    Wood("#FFB0D0", "#F285B2"),
    Wood("#CDE986", "#AFD158"),
    Wood("#DED5C6", "#C2B69F"),
)

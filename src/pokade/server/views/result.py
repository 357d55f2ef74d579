"""How a game ended, as everybody may know it: winners, places, and the words for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from pokade import texts
from pokade.games.game import Game
from pokade.games.play import Play, place_of
from pokade.games.state import NOBODY, WATCHER


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended, as everybody may know it."""

    game: Game
    names: tuple[str, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]
    ending: str  # of the game; empty if it was not played to its end

    @classmethod
    def of(cls, play: Play, names: Sequence[str]) -> "Result":
        """From the view of a watcher."""
        view = play.view(WATCHER)
        is_played = view.turn == NOBODY
        winners = tuple(seat for seat in range(play.n_seats) if is_played and view.state.winners >> seat & 1)
        ending = play.game.endings[view.state.ending] if is_played else ""
        return cls(play.game, tuple(names), tuple(view.points), winners, ending)

    @property
    def places(self) -> list[tuple[int, int]]:
        """Everybody's place and seat, winners first; equal points share a place."""
        others = sorted(set(range(len(self.names))) - set(self.winners), key=lambda seat: (-self.points[seat], seat))
        return [(place_of(self.points, self.winners, seat), seat) for seat in (*self.winners, *others)]

    def title(self, language: str) -> str:
        """The winners, in a few words."""
        if not self.winners:
            return texts.text(language, "web.over.none")
        who = [self.names[seat] for seat in self.winners]
        shown = texts.Shown(texts.people(language, who), len(who))
        return texts.fill(language, "web", texts.entry(language, "web.over.wins"), {"who": shown})

    def why(self, language: str) -> str:
        """Why it is over, as a sentence."""
        return texts.text(language, f"{self.game.name}.ending.{self.ending}") if self.ending else ""

    def standing(self) -> str:
        """Everybody with what they count: "Ada 5, Ben 4"."""
        return ", ".join(f"{self.names[seat]} {signed(self.points[seat])}" for _, seat in self.places)


def signed(number: int) -> str:
    """A number as people write it."""
    return str(number).replace("-", "−")

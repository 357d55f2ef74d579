"""An evening: games of the same people one after the other, and who has won how often. The rules: docs/evening.md.

The first event of a table says how the evening stood before it, and how it stands afterwards follows from the outcome.
So the running table of wins is folded like everything else, and holds nothing but names and results that all have seen.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

MOST: Final = 64  # people that an evening knows, and as many that wait for a seat: every table of it holds them all
Sitter = tuple[str, str]  # a person and the name they have at a seat; several may share a device


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who belongs to the evening, or all bots together."""

    person: str = ""
    name: str = ""
    played: int = 0  # games, to their end
    won: int = 0  # of them, alone or with others
    shared: int = 0  # of those, with others
    rested: int = 0  # games that they sat out in turn

    def after(self, *, has_won: bool, is_shared: bool) -> "Member":
        """The same one game later."""
        won = int(has_won)
        return replace(self, played=self.played + 1, won=self.won + won, shared=self.shared + won * is_shared)


@dataclass(frozen=True, slots=True)
class Evening:
    """What is known of an evening before a game of it ends."""

    id: str = ""  # that of its first table
    games: int = 0  # that were played to their end
    members: tuple[Member, ...] = ()
    bots: Member = Member()
    resting: tuple[Sitter, ...] = ()  # who sits this game out, since it takes fewer …
    away: tuple[Sitter, ...] = ()  # … and who was not there when it was chosen; both are in again when they can be
    filled: int = 0  # bots that this game needs, and nobody has asked for
    ways: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # the options of each game, as played last

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Evening":
        """As it stands in a log or beside a record."""
        members = tuple(Member(**member) for member in data["members"])
        resting, away = (tuple((person, name) for person, name in data[who]) for who in ("resting", "away"))
        return cls(**{**data, "members": members, "bots": Member(**data["bots"]), "resting": resting, "away": away})

    def data(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)

    def after(self, seats: Sequence[Sitter | None], winners: Collection[int]) -> "Evening":
        """Once a game was played to its end; a seat that a stand-in has played is the bots'. If all win, nobody has."""
        won = set(winners) if len(winners) < len(seats) else set()
        members = list(self.members)
        for at, seat in _places(members, seats).items():
            members[at] = members[at].after(has_won=seat in won, is_shared=len(won) > 1)
        for sitter in self.resting:
            at = _found(members, sitter, self.resting)
            members[at] = replace(members[at], rested=members[at].rested + 1)
        theirs = {seat for seat, sitter in enumerate(seats) if sitter is None}
        bots = self.bots.after(has_won=bool(theirs & won), is_shared=len(won) > 1) if theirs else self.bots
        return replace(self, games=self.games + 1, members=_latest(members, [*seats, *self.resting]), bots=bots)

    def around(self, seats: Sequence[Sitter | None]) -> list[tuple[Member, int | None]]:
        """Everybody with the seat that they have now, under the name they have there; newcomers have won nothing."""
        members = list(self.members)
        places = _places(members, seats)
        return [(member, places.get(at)) for at, member in enumerate(members)]

    def without(self, sitter: Sitter) -> "Evening":
        """Somebody who was to sit out has taken a seat."""
        resting, away = (tuple(one for one in some if one != sitter) for some in (self.resting, self.away))
        return replace(self, resting=resting, away=away)

    def to_rest(self, people: Sequence[Sitter], most: int) -> list[Sitter]:
        """The people who sit out where a game takes fewer: those who rested least, then played most, then the last."""

        order = [(one.rested, -one.played, -seat) for one, seat in self.around(people) if seat is not None]
        resting = sorted(order)[: max(0, len(people) - most)]
        return [people[seat] for seat in sorted(-last for _, _, last in resting)]


def _places(members: list[Member], seats: Sequence[Sitter | None]) -> dict[int, int]:
    """The seat of each member at a table; new people are added, and those with another name now renamed."""
    return {_found(members, sitter, seats): seat for seat, sitter in enumerate(seats) if sitter is not None}


def _latest(members: Sequence[Member], there: Collection[Sitter | None]) -> tuple[Member, ...]:
    """As many as are kept: those go first who came first, but nobody who is there."""
    gone = [member for member in members if (member.person, member.name) not in there]
    leaving = gone[: max(0, len(members) - MOST)]
    return tuple(member for member in members if member not in leaving)


def _found(members: list[Member], sitter: Sitter, seats: Sequence[Sitter | None]) -> int:
    """Where somebody stands among the members, under the name they have now; a new person comes last."""
    person, name = sitter
    own = [at for at, member in enumerate(members) if member.person == person]
    same = [at for at in own if members[at].name == name]
    is_alone = sum(other is not None and other[0] == person for other in seats) == 1
    if same:
        return same[0]
    if len(own) == 1 and is_alone:  # the same one under another name
        members[own[0]] = replace(members[own[0]], name=name)
        return own[0]
    members.append(Member(person, name))
    return len(members) - 1

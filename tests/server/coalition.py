"""A group of people at twin tables, who do whatever people may do to learn more than their seats may know.

Up to three of them, known by their cookies, sit or watch at a random table, among other people and bots. They leave,
give, ask for bots' seats, agree, dismiss, come back with any numbers, ask for all that can be asked for, and hand over
devices: at the same moments at both tables. The tables differ only in what none of the seats that they hold
rightfully can see, and each seat counts only for as long as they hold it. So everything that reaches them is the same.

What is rightful is said here once more, in the words of the games' own tests, and never asked of the house: a seat that
changes hands during a game is its new owner's from a moment between two rounds on, and only if its new owner has never
held one. Whatever a house lets people see beyond that shows, since there the two tables are not the same.
"""

import importlib
import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pokade.games import GAMES
from pokade.games.play import Play
from pokade.games.state import CHANCE, NOTHING, WATCHER, WIDTH, heard_by
from pokade.server.network.people import COOKIE
from pokade.server.table import CLOCKS, Table, events
from pokade.server.table.events import Event
from pokade.testing import tables
from tests.server.bottle import EPOCH, TICKS, Line, liked, neutral_delay, tick
from tests.server.lockstep import PRIVATE, TELLING, Action, Finals, Late, Leaver, Pair, Plan
from tests.server.twins import CODE, Heard, Setting, Side, Twin, begun, in_order, twin_of

COOKIES = ("ann", "ben", "cid")
STORIES = ("hop", "heir", "join", "idle", "any")
SOON = 4  # decisions
HALF_A_TICK = 0.5 / TICKS
AN_EIGHTH_OF_A_TICK = 0.125 / TICKS
CALL_AFTER, NOTICE = 60.0, 20.0  # seconds: when time may be called, and what is left then
BROKEN_OFF = (*TELLING, b'"kind":"snapshot"')


@dataclass
class Circle(Setting):
    """What both tables of a pair share, and who of the group sits where."""

    cookies: tuple[str, ...] = ()
    holds: dict[int, str] = field(default_factory=dict)
    story: str = "any"
    is_same_at_first: bool = False  # the deals are, until somebody has come in
    is_limited: bool = False  # the house has its limits, as usual
    is_counted: bool = False  # the numbers of the house are asked for, so both tables seal as often

    def person(self, seat: int) -> str:
        return self.holds.get(seat, f"p{seat}")


def circle(game: str, rng: random.Random, story: str = "") -> Circle:
    """A random table with a group of one to three at it or beside it, other people, and bots."""
    n_seats, options = rng.choice(list(tables(GAMES[game])))
    if rng.random() < 0.4 and any(option.name == "memory" for option in GAMES[game].options):
        options = {**options, "memory": "assisted"}
    made = Circle(game, n_seats, options, WATCHER, rng, rng.choice(("none", *CLOCKS)), rng.random() < 0.05)
    made.story = story or rng.choice(STORIES)
    made.clock = "none" if made.story == "idle" else made.clock  # so that somebody has to call time
    made.cookies = COOKIES[: rng.randint(2 if made.story in ("heir", "join") else 1, 3)]
    free = rng.sample(range(n_seats), n_seats)
    _seat_the_group(made, free)
    others = free[: rng.choice((0, 1, 1, 2, len(free)))]
    if not others and (made.story == "heir" or not made.holds):
        others = free[:1]
    made.bots = frozenset(free) - {*others}
    made.mine = tuple(sorted(made.holds))
    people = [*made.holds, *others]
    made.host = rng.choice(sorted(made.holds)) if made.holds and rng.random() < 0.7 else rng.choice(people)
    made.seed, made.delay = f"{rng.random()}", neutral_delay(rng)
    made.has_same_seed, made.is_counted, made.is_limited = (rng.random() < often for often in (0.5, 0.6, 0.25))
    return made


def _seat_the_group(made: Circle, free: list[int]) -> None:
    """Each has a seat, some have two, some only watch; the last one watches where somebody is to come in later."""
    seated = made.cookies[:-1] if made.story in ("heir", "join") else made.cookies
    for cookie in seated:
        for _ in range(made.rng.choice((0, 1, 1, 1, 1, 2)) if cookie != COOKIES[0] else 1):
            if len(free) > 1:
                made.holds[free.pop()] = cookie


class Ring(Side):
    """One table of a pair, with the group around it."""

    where: Circle

    def __init__(self, where: Circle, number: int, play: Play, twin: Twin | None = None) -> None:
        self.says = importlib.import_module(f"tests.games.test_{where.game}")
        self.ours: dict[str, Line] = {}
        self.held = dict(where.holds)  # what the group rightfully holds now
        self.ever = {*where.holds.values(), *(f"p{seat}" for seat in where.others)}  # who has held a seat
        self.wrongs: list[str] = []
        self.who = {seat: f"p{seat}" for seat in where.others}
        self._deals: dict[int, list[int]] = {}
        self.sealed = 0  # how often the group has
        super().__init__(where, number, play, twin)
        self.bottle.is_limited = where.is_limited
        if hasattr(self.says, "replayed_with"):
            self.bottle.deal = self._dealt

    def cookies(self) -> list[str]:
        return [*self.where.cookies, *(f"p{seat}" for seat in range(self.where.n_seats))]

    async def _come_in(self) -> None:
        for cookie in self.where.cookies:
            self.ours[cookie] = self.bottle.line(cookie, self.id, name=cookie)
        for seat in self.where.others:
            self.come(seat)
        self.bottle.at(1 / 4, lambda: self.line(self.where.host).say(do="pause", paused=False))

    def come(self, seat: int, query: str = "") -> None:
        self.lines[seat] = self.bottle.line(self.who[seat], self.id, query, f"seat {seat}")

    def line(self, seat: int) -> Line:
        """Of the person who had the seat when this decision was planned."""
        return self.ours[self.where.holds[seat]] if seat in self.where.holds else self.lines[seat]

    def seal(self, seat: int, choice: int, choice_id: str = "") -> None:
        """The group has ids of its own: how many were made for a seat before they came is not for them to know."""
        if seat not in self.where.holds:
            super().seal(seat, choice, choice_id)
            return
        self.sealed += 1
        self.line(seat).say(do="choose", seat=seat, choice=choice, id=choice_id or f"ours {self.sealed}")

    def people(self) -> list[Line]:
        """Everybody's line."""
        return [*self.ours.values(), *self.lines.values()]

    def say_as(self, cookie: str, **said: object) -> None:
        self.ours[cookie].say(**said)

    def tail(self, cookie: str, query: str) -> None:
        """One of the group opens another window, and closes it."""
        line = self.bottle.line(cookie, self.id, query, f"{cookie} again")
        self.bottle.loop.call_later(0.01, line.close)

    def reconnect(self, cookie: str, query: str) -> None:
        """One of the group loses the line, and is back with what it says it has."""
        self.ours[cookie].close()
        self.ours[cookie] = self.bottle.line(cookie, self.id, query, cookie)

    def hand_over(self, cookie: str) -> None:
        """Another device of the same person: it has a ticket, comes in with it, and looks."""
        self.bottle.loop.create_task(self._handed_over(cookie))

    async def _handed_over(self, cookie: str) -> None:
        ticket = json.loads(await self.bottle.ask("POST", "/api/handover", cookie, cookie))["ticket"]
        there = f"/api/handover/{ticket}"
        await self.bottle.ask("POST", there, "", cookie)
        answer = self.bottle.heard[-1][2]
        await self.bottle.ask("POST", there, "", cookie)  # it is good for one device
        line = self.bottle.line(_token_in(answer), self.id, "", f"{cookie} device")
        self.bottle.loop.call_later(0.01, line.close)

    # What the group may rightfully know.

    def _fold(self, event: Event) -> None:
        super()._fold(event)
        if event.kind == events.SEATED:
            self._changed_hands(event)

    def _changed_hands(self, event: Event) -> None:
        seat, person = event["seat"], event.data.get("person")
        self.held.pop(seat, None)
        is_between = self.shadow.turn == CHANCE and self.says.is_between_rounds(self.shadow.state)
        is_rightful = is_between and person not in self.ever
        if person is not None and not is_rightful:
            self.wrongs.append(f"{person} has taken seat {seat}")
        if person in self.where.cookies and is_rightful:
            self.held[seat] = person
            keeps = getattr(self.says, "keeps", lambda *_: None)(self.shadow.state, seat)
            self.told.append((tick(event.at - EPOCH), ("sat", seat, keeps)))
        self.ever |= {person} - {None}

    @property
    def has_newcomer(self) -> bool:
        return any(said[0] == "sat" for _, said in self.told if isinstance(said, tuple))

    def _news(self) -> object:
        state = self.shadow.state
        rows = state.told[: state.n_told * WIDTH]
        heard = [heard_by(viewer, rows) for viewer in (*sorted(self.held), WATCHER)]
        return heard, [repr(getattr(state, name)) for name in self.where.in_sight], self.shadow.turn, state.ending

    def _dealt(self, table: Table) -> list[int]:
        """What comes in this deal: the group gets what it gets at the other table; the others get other cards."""
        assert table.play is not None
        if table.id != self.id:
            return []
        steps = sum(actor == CHANCE for actor, _ in table.play.steps)
        if self.says.is_between_rounds(table.play.state):
            self.listen()
            self._deals = {steps: self._deal(table.play.copy(), steps)}
        began = max(self._deals, default=steps)
        return self._deals.get(began, [])[steps - began :]

    def _deal(self, play: Play, done: int) -> list[int]:
        """The same deal at both tables, but at one dealt again among those whom the group can't look at."""
        draws = self.table.draws
        while play.turn == CHANCE:
            likes = liked(self.where.seed, draws)
            play.happen(max(play.chances(), key=lambda outcome: likes[outcome]))
            draws += 1
        rng = random.Random(f"{self.where.seed} {draws}")
        is_same = not self.number or (self.where.is_same_at_first and not self.has_newcomer)
        state = play.state if is_same else self.says.twin_for(play, self.held, True, rng)
        again = self.says.replayed_with(play, state)
        self.is_other = self.is_other or again.steps != self.says.replayed_with(play, play.state).steps
        return [value for actor, value in again.steps if actor == CHANCE][done:]

    def viewer_heard(self) -> list[Heard]:
        return in_order(heard for heard in self.bottle.heard if heard[1].split()[0] in self.where.cookies)

    def close(self) -> None:
        failed = [line.task.exception() for line in self.people() if line.task.done()]
        self.bottle.close()
        assert not any(failed), failed


def _token_in(answer: bytes) -> str:
    """The cookie that an answer sets."""
    found = re.search(rf"{COOKIE}=(\w+)", answer.decode())
    assert found is not None, answer
    return found[1]


def _mute_somebody(side: Ring, seat: int) -> None:
    others = [other for other in range(side.where.n_seats) if other != seat]
    side.lines[seat].say(do="mute", seat=others[side.number % len(others)])


def _say_something(side: Ring, seat: int) -> None:
    side.lines[seat].say(do="chat", text="well, well")


class Group(Pair):
    """Two tables in lockstep, and the group at both."""

    where: Circle
    sides: tuple[Ring, Ring]

    def __init__(self, where: Circle) -> None:
        self.where, self.rng, self.frames = where, where.rng, 0
        self.twin = self._twin()
        if where.is_counted:
            self.twin.closed.clear()
        self.sides = (self._side(0, self.twin.before), self._side(1, self.twin.play, self.twin))
        self.decisions = 0
        self.seated = 0  # how often one of the group has come to a bot's seat

    def _twin(self) -> Twin:
        """Where somebody is to come in later, the round under way is soon over, and may be the same at both tables."""
        play, comes_later = begun(self.where), self.where.story in ("heir", "join")
        for _ in range(5):
            if not comes_later or self._decisions_left(play) <= SOON:
                break
            play = begun(self.where)
        twin = twin_of(self.where, play)
        self.where.is_same_at_first = comes_later and self.rng.random() < 0.5
        return Twin(play, play) if self.where.is_same_at_first else twin

    def _decisions_left(self, play: Play) -> int:
        says, ahead, count = importlib.import_module(f"tests.games.test_{self.where.game}"), play.copy(), 0
        while count <= SOON and not ahead.is_over and not says.is_between_rounds(ahead.state):
            due = [seat for seat in range(ahead.n_seats) if ahead.turn != CHANCE and ahead.turn >> seat & 1]
            if not due:
                ahead.happen(min(ahead.chances()))
            for seat in due:
                ahead.choose(seat, ahead.view(seat).choices[0])
            count += bool(due)
        return count if not ahead.is_over else SOON + 1

    def _side(self, number: int, play: Play, twin: Twin | None = None) -> Ring:
        return Ring(self.where, number, play, twin)

    def check(self, rounds: int) -> None:
        super().check(rounds)
        self.seated = sum(said[0] == "sat" for _, said in self.sides[0].told if isinstance(said, tuple))
        assert self.sides[0].wrongs == [], self.sides[0].wrongs

    # One decision, and what the group does meanwhile.

    def _decide(self) -> bool:
        self._look_round()
        self.decisions += 1
        return self._can_be_planned() and super()._decide()

    def _can_be_planned(self) -> bool:
        """A round that goes on after all should have been in has a common end if the same people are missing."""
        one, other = ({*side.table.chosen} for side in self.sides)
        has_time = self.table.deadline is None or self.table.deadline - EPOCH - self.sides[0].bottle.time > 12
        return has_time and ((not one and not other) or (one == other and any(map(self._is_here, self.table.missing))))

    def _lasts(self, in_time: list[int]) -> tuple[int, int]:
        """The last to seal does so once; where somebody counts, it is the same seat at both tables."""
        missing = [seat for seat in in_time if seat in self.table.missing]
        one, other = super()._lasts(missing) if missing else (NOTHING, NOTHING)
        return one, one if self.where.is_counted else other

    def _look_round(self) -> None:
        """Who sits where now, as everybody can see."""
        where, seats = self.where, self.table.seats
        where.holds = {seat: place.person for seat, place in enumerate(seats) if place.person in where.cookies}
        where.mine = tuple(where.holds)
        where.bots = frozenset(seat for seat, place in enumerate(seats) if place.bot)

    def _plan(self, now: float, people: int, bots: int) -> Plan:
        plan = super()._plan(now, people, bots)
        if self.where.story != "any" and people and self.decisions <= 2:
            return Plan(now, tick(now + self.rng.uniform(7, 10)), self.rng)
        return plan

    def _is_free(self, due: list[int]) -> bool:
        """At the first decisions of a story it matters most what the others have sealed, or that it goes on."""
        if self.where.is_same_at_first and not self.sides[0].has_newcomer:
            return False
        often = {"hop": 0.8, "heir": 0.25, "join": 0.25}.get(self.where.story, 0.4)
        return len(due) > 1 and self.rng.random() < often

    def _stolen_id(self, seat: int) -> str:
        """One that an earlier owner of this very seat may have used, or somebody else."""
        whose = seat if self.rng.random() < 0.7 else self.rng.randrange(self.where.n_seats)
        return f"{whose} {self.rng.randint(1001, 1003)}"

    def _late_ones(self, plan: Plan, people: list[int]) -> Late:
        """Without a clock somebody calls time, and missing players are then played for."""
        if self.table.deadline is not None or self.where.clock != "none" or plan.is_quick or not people:
            return super()._late_ones(plan, people)
        if self.rng.random() < (0.5 if self.where.story == "idle" else 0.05):
            seat = self.rng.choice([s for s, place in enumerate(self.table.seats) if place.person])
            at = tick(max(plan.start, self.table.opened_at - EPOCH + CALL_AFTER) + 1.0)
            plan.both(at, lambda side: side.line(seat).say(do="call"))
            plan.end = at + NOTICE
            return self._late(people)
        return set(), set()

    def _late(self, people: list[int]) -> Late:
        """Only those who are still missing can be late: others have sealed before a call was taken back."""
        return super()._late([seat for seat in people if seat in self.table.missing])

    def _fill(self, plan: Plan, people: list[int], finals: Finals, late: Late) -> None:
        hopper = self._hopper(people) if self.where.story == "hop" and not (late[0] or plan.is_quick) else ""
        staying = [seat for seat in people if self.where.holds.get(seat) != hopper]
        last = (NOTHING, NOTHING) if late[0] or not staying else self._lasts(staying)
        needed = {*late[0], *late[1], *last}
        leaves = self._leaves(plan, needed)
        for seat in people:
            if seat in self.where.mine and seat not in late[0] and seat in staying:
                self._viewer_decides(plan, seat, finals[0][seat], seat in last)
        others = [seat for seat in people if seat not in self.where.mine]
        self._others_decide(plan, others, finals, late, last, leaves)
        self._tell_a_story(plan, hopper, leaves)
        self._scheme(plan, needed)
        self._probe(plan)
        self._look_from_outside(plan)
        self._make_noise(plan, leaves[0])
        is_as_often = not self.where.is_counted or late[0] == late[1]  # what was sealed is counted when a game ends
        if self.rng.random() < 0.03 and not plan.is_quick and is_as_often:
            self._vote(plan)

    def _hopper(self, people: list[int]) -> str:
        able = sorted({self.where.holds[seat] for seat in people if seat in self.where.holds})
        return self.rng.choice(able) if able and not self.table.chosen else ""

    def _leaves(self, plan: Plan, needed: set[int]) -> Leaver:
        """In the story of an heir one of the others goes, after having sealed, muted and changed their mind."""
        able = [seat for seat in self.where.others if seat not in needed and self._is_here(seat)]
        if self.where.story != "heir" or plan.is_quick or not able or self.decisions > 2:
            return super()._leaves(plan, needed)
        seat = self.rng.choice(able)
        for at in plan.times(0 if self.where.is_counted else 2, plan.start, plan.start + 1.5):
            plan.moments[self.decisions % 2].append((at, lambda side: _mute_somebody(side, seat)))
        plan.both(*plan.times(1, plan.start + 1.5, plan.start + 1.75), lambda side: side.lines[seat].say(do="leave"))
        return seat, None

    def _is_here(self, seat: int) -> bool:
        place = self.table.seats[seat]
        return place.person is not None and not place.is_standby

    def _tell_a_story(self, plan: Plan, hopper: str, leaves: Leaver) -> None:
        """What the group has come for, in good order."""
        if plan.is_quick:
            return
        n_seats, rng = self.where.n_seats, self.rng
        bots = sorted(self.where.bots) or [rng.randrange(n_seats)]
        said: list[tuple[str, dict[str, Any]]] = []
        if self.where.story == "hop" and hopper:
            own = [seat for seat, cookie in self.where.holds.items() if cookie == hopper]
            said.append((hopper, {"do": "leave"}))
            for seat in rng.sample(bots, len(bots)):
                said += [(cookie, {"do": "give", "seat": s}) for s in own for cookie in self.where.cookies]
                said += [(hopper, {"do": "sit", "name": hopper, "seat": seat}), (hopper, {"do": "leave"})]
                own = [seat]
            said.pop()  # there they want to stay
            said += [(cookie, {"do": "agree", "seat": own[0]}) for cookie in self.where.cookies]
        if self.where.story in ("heir", "join", "idle") and self.decisions <= 3:
            given = [leaves[0]] if leaves[0] != NOTHING else []
            said += [(cookie, {"do": "give", "seat": seat}) for seat in given for cookie in self.where.cookies]
            seat = rng.choice(given or bots)
            said.append((self.where.cookies[-1], {"do": "sit", "name": "heir", "seat": seat}))
            said += [(cookie, {"do": "agree", "seat": seat}) for cookie in self.where.cookies]
        times = plan.times(len(said), plan.start + 3.2, plan.start + 5.2)
        for at, (cookie, words) in zip(times, said, strict=True):
            plan.both(at, lambda side, c=cookie, w=words: side.say_as(c, **w))
        self._others_agree(plan, [*bots, leaves[0]])

    def _others_agree(self, plan: Plan, seats: Sequence[int]) -> None:
        others = [seat for seat in self.where.others if self._is_here(seat)]
        for other in others:
            for seat in seats:
                if seat != NOTHING and self.rng.random() < 0.6:
                    at = plan.times(1, plan.start + 5.2, plan.start + 5.8)[0]
                    plan.both(at, lambda side, o=other, s=seat: side.lines[o].say(do="agree", seat=s))

    def _scheme(self, plan: Plan, needed: set[int]) -> None:
        """Besides, anything that people may say, whether it is of use or not."""
        if plan.is_quick:
            return
        for cookie in self.where.cookies:
            for at in plan.times(self.rng.randint(0, 2), plan.start + 0.5):
                said = self.rng.choice(self._sayings(cookie, needed))
                plan.both(at, lambda side, c=cookie, w=said: side.say_as(c, **w))
        self._take_back(plan)

    def _look_from_outside(self, plan: Plan) -> None:
        """What a game that is over shows is asked for while it is on, as is what any link shows; drawn apart too."""
        rng = random.Random(f"outside {self.where.seed} {self.decisions}")
        table = self.sides[0].id
        of_a_game = [f"/api/tables/{table}/{what}" for what in ("analysis", "picture", "picture?shape=square")]
        paths = [*of_a_game, f"/t/{CODE}", f"/replay/{table}", "/api/problem?date=2026-11-18"]
        for cookie in self.where.cookies:
            at, path = tick(rng.uniform(plan.start + 0.5, plan.end)) + AN_EIGHTH_OF_A_TICK, rng.choice(paths)
            plan.both(at, lambda side, c=cookie, p=path: side.bottle.get(p, c, c))

    def _take_back(self, plan: Plan) -> None:
        """What was called or voted for is taken back, perhaps where nothing was; drawn apart from all the rest."""
        rng = random.Random(f"{self.where.seed} {self.decisions}")
        for cookie in self.where.cookies:
            said = rng.choice(({"do": "call", "called": False}, {"do": "vote", "vote": False}, {"do": "ping"}))
            at = tick(rng.uniform(plan.start + 0.5, plan.end)) + HALF_A_TICK  # when nothing else happens
            if rng.random() < 0.5:
                plan.both(at, lambda side, c=cookie, w=said: side.say_as(c, **w))

    def _sayings(self, cookie: str, needed: set[int]) -> list[dict[str, Any]]:
        seat, bots = self.rng.randrange(self.where.n_seats), sorted(self.where.bots)
        said: list[dict[str, Any]] = [
            {"do": "sit", "name": cookie},
            {"do": "sit", "name": cookie, "seat": self.rng.choice(bots or [seat])},
            {"do": "sit", "name": cookie, "seat": seat},
            {"do": "agree", "seat": self.rng.choice(bots or [seat])},
            {"do": "give", "seat": seat},
            {"do": "back"},
            {"do": "call"},
            {"do": "next"},
            {"do": "rematch"},
            {"do": "pause", "paused": False},
        ]
        if not any(seat in needed for seat, holder in self.where.holds.items() if holder == cookie):
            said.append({"do": "leave"})
        if seat not in needed:
            said.append({"do": "dismiss", "seat": seat})
        if self.rng.random() < 0.1:
            said.append({"do": "vote"})
        return said

    # What others do, as often at both tables if somebody counts.

    def _others_decide(
        self, plan: Plan, seats: list[int], finals: Finals, late: Late, last: tuple[int, int], leaves: Leaver
    ) -> None:
        leaver, seals = leaves
        often = {seat: self.rng.choice((1, 1, 2, 3)) for seat in seats}
        shared = {seat: plan.times(often[seat], plan.start) for seat in seats}
        is_early = self.rng.random() < 0.5 and not self.where.tells
        for number, side in enumerate(self.sides):
            for seat in seats:
                if seat == leaver or seat in late[number]:
                    continue
                times = shared[seat] if self.where.tells else self._times(plan, side, seat, often[seat])
                is_last = seat == last[number]
                for at, choice in self._seals(plan, side, seat, finals[number][seat], is_last, times):
                    plan.moments[number].append((at, lambda side, s=seat, c=choice: side.seal(s, c)))
            if leaver not in seats:
                continue
            minds = self._early_minds(side, leaver, finals[number][leaver]) if is_early else [finals[number][leaver]]
            times = plan.times(len(minds), plan.start, plan.start + 1.5) if is_early else [seals] if seals else []
            for at, choice in zip(times, minds[: len(times)], strict=True):
                plan.moments[number].append((at, lambda side, c=choice: side.seal(leaver, c)))

    def _make_noise(self, plan: Plan, leaver: int) -> None:
        """What is counted is the same at both tables, down to the moment; but not whom it is about."""
        others = [seat for seat in self.where.others if seat != leaver and self._is_here(seat)]
        if not self.where.is_counted or not others:
            super()._make_noise(plan, leaver)
            return
        for at in plan.times(self.rng.randint(0, 3), plan.start):
            seat, noise = self.rng.choice(others), self.rng.choice((*PRIVATE, _mute_somebody, _say_something))
            plan.both(at, lambda side, s=seat, n=noise: n(side, s))
        for moments in plan.moments:
            seat = self.rng.choice(others)
            moments.append((plan.times(1, plan.start)[0], lambda side, s=seat: side.resend(s)))

    def _early_minds(self, side: Ring, seat: int, final: int) -> list[int]:
        """What somebody seals before they go; how often they change their mind is each table's own."""
        often = 1 if self.where.is_counted or len(self.table.due) == 1 else self.rng.randint(1, 3)
        return [*(self.rng.choice(side.legal(seat)) for _ in range(often - 1)), final]

    def _times(self, plan: Plan, side: Ring, seat: int, often: int) -> list[float]:
        count = often if self.where.is_counted else self.rng.choice((1, 1, 2, 3)) + (seat in side.closed)
        return plan.times(count, plan.start)

    # What the group asks for.

    def _probe(self, plan: Plan) -> None:
        for cookie in self.where.cookies:
            for at in plan.times(self.rng.randint(1, 3), plan.start):
                plan.both(at, self.rng.choice(self._asked(cookie)))

    def _ask_for_the_record(self, plan: Plan) -> None:
        for cookie in self.where.cookies:
            at = plan.times(1, plan.start)[0]
            plan.both(at, lambda side, c=cookie: side.bottle.get(f"/api/tables/{side.id}/record", c, c))

    def _asked(self, cookie: str) -> list[Action]:
        rng, n_seats = self.rng, self.where.n_seats
        seat, other, number = rng.randrange(n_seats), rng.randrange(n_seats), rng.randrange(60)
        there = f"/api/tables/{self.sides[0].id}"
        of_table = [f"{there}{what}" for what in ("", "/record", "/record", f"/replay?eyes=p{seat + 1}")]
        paths = [
            "/api/tables",
            "/api/mine",
            "/api/played",
            f"/api/join/{CODE}",
            "/api/me",
            *of_table,
            f"{there}/verify",
        ]
        paths += ["/metrics"] * 3 if self.where.is_counted else []
        lasts = (f"last={seat}:{number}", f"last=-1:{number}", f"last={seat}:{number},{other}:1,-1:{number}")
        queries = [*lasts, "last=0:1,1:1,2:1,3:1", "last=x", ""]
        query, watching, words = (
            rng.choice(queries),
            rng.choice(("as=watcher", f"as=watcher&{lasts[0]}")),
            f"line {number}",
        )
        own = [held for held, holder in self.where.holds.items() if holder == cookie]
        said: list[dict[str, Any]] = [
            {"do": "choose", "seat": rng.choice(own or [seat]), "choice": 99_999, "id": words},
            {"do": "choose", "seat": seat, "choice": 0, "id": f"{seat} 1001"}
            if seat not in own
            else {"do": "nonsense"},
            {"do": "chat", "text": words},
            {"do": "mute", "seat": seat, "muted": number < 40},
            {"do": "ready"},
            {"do": "salt", "seat": seat, "salt": words},
            {"do": rng.choice(("remove", "bot")), "seat": seat},
        ]
        return [
            *(lambda side, p=path: side.bottle.get(p, cookie, cookie) for path in paths),
            *(lambda side, w=words: side.say_as(cookie, **w) for words in said),
            *[lambda side: side.tail(cookie, query)] * 3,
            lambda side: side.tail(cookie, watching),
            *[lambda side: side.reconnect(cookie, query)] * 2,
            lambda side: side.hand_over(cookie),
        ]

    def _look_back(self) -> bool:
        now = self.sides[0].bottle.loop.time()
        plan = Plan(now, now + 2, self.rng)
        for cookie in self.where.cookies:
            for seat in range(WATCHER, self.where.n_seats):
                at, query = plan.times(1, now)[0], f"last={seat}:{self.rng.randrange(1, 9)}"
                plan.both(at, lambda side, c=cookie, q=query: side.tail(c, q))
            at = plan.times(1, now)[0]
            plan.both(at, lambda side, c=cookie: side.bottle.get(f"/api/tables/{side.id}/record", c, c))
        self._go(plan)
        self.same()
        return False

    def _until(self, heard: list[Heard], parted: float | None) -> list[Heard]:
        """What was heard before the tables parted; of that very moment, the frames before those that tell of it."""
        if parted is None:
            return heard
        before, ended = [one for one in heard if one[0] < parted], set[str]()
        for at, name, payload in heard:
            if at == parted and name in self.where.cookies and name not in ended:
                if any(told in payload for told in BROKEN_OFF):
                    ended.add(name)
                else:
                    before.append((at, name, payload))
        return before

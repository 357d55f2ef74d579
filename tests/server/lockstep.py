"""Two tables in lockstep: what people do at them, from one decision to the next, and what a viewer hears of it."""

import random
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field

from pokade.games.state import CHANCE, NOBODY, NOTHING
from pokade.server.table import ON, OVER, Table
from tests.server.bottle import EPOCH, TICKS, tick
from tests.server.twins import CODE, TABLE, Heard, Setting, Side, begun, twin_of

MOMENT = 1 / TICKS
BEFORE_BOTS = 0.3  # seconds: no bot answers sooner, not even where seats decide in turn
QUARTER = MOMENT / 4  # people do nothing at the very moment when the house does something
MOST_TAILS = 30  # of a game that is over
TELLING = (b'"kind":"step"', b'"status":"over"')
Late = tuple[set[int], set[int]]
Leaver = tuple[int, float | None]  # a seat, and when it chooses after it has come back
Finals = tuple[dict[int, int], dict[int, int]]
Action = Callable[[Side], object]


@dataclass
class Plan:
    """What happens at the two tables from one decision to the next, and when."""

    start: float
    end: float
    rng: random.Random
    is_quick: bool = False
    moments: tuple[list[tuple[float, Action]], list[tuple[float, Action]]] = field(default_factory=lambda: ([], []))
    taken: set[float] = field(default_factory=set)

    def times(self, count: int, start: float, end: float | None = None) -> list[float]:
        """Random moments that nothing else has: what happens at the same moment happens in any order."""
        first, last = int(start * TICKS) + 1, int(min(end or self.end, start + 20) * TICKS) - 20
        free = [at for at in self.rng.sample(range(first, last), count + len(self.taken)) if at not in self.taken]
        self.taken.update(free[:count])
        return [at / TICKS for at in sorted(free[:count])]

    def both(self, at: float, action: Action) -> None:
        for moments in self.moments:
            moments.append((at, action))


class Pair:
    """Two tables in lockstep."""

    def __init__(self, where: Setting) -> None:
        self.where, self.rng = where, where.rng
        self.twin = twin_of(where, begun(where))
        self.sides = (Side(where, 0, self.twin.before), Side(where, 1, self.twin.play, self.twin))
        self.frames = 0  # compared

    @property
    def table(self) -> Table:
        return self.sides[0].table

    def check(self, rounds: int) -> None:
        """Go on for some decisions; stops when the rules themselves have told the difference."""
        try:
            for _ in range(rounds):
                if not (self._wait_for_a_decision() and self._decide()):
                    return
            self._wait_for_a_decision()
        finally:
            with ExitStack() as stack:  # the second also if the first has something to say
                for side in self.sides:
                    stack.callback(side.close)

    def _wait_for_a_decision(self) -> bool:
        until = tick(max(side.bottle.loop.time() for side in self.sides)) + 2 * QUARTER
        plan = Plan(until, until + 0.5, self.rng)
        self._probe(plan)
        self._ask_for_the_record(plan)
        self._schedule(plan)
        for _ in range(200):
            until += 0.5
            for side in self.sides:
                side.bottle.run_until(until)
            if not self.same():
                return False
            if self.table.status == OVER:
                return self._look_back()
            if self.table.turn not in (CHANCE, NOBODY) and until > self.table.opened_at - EPOCH:
                return True
        raise AssertionError("a table is stuck")

    def _ask_for_the_record(self, plan: Plan) -> None:
        at = plan.times(1, plan.start)[0]
        plan.both(at, lambda side: side.bottle.get(f"/api/tables/{TABLE}/record", "viewer"))

    def _look_back(self) -> bool:
        """After the end everything is there for everybody: the record, and all frames once more, from any number on."""
        now, eyes = self.sides[0].bottle.loop.time(), self.where.viewer
        newest = self.sides[0].room.audience.numbers[eyes]
        plan = Plan(now, now + 2, self.rng)
        plan.both(*plan.times(1, now), lambda side: side.bottle.get(f"/api/tables/{TABLE}/record", "viewer"))
        for last in range(0, newest + 2, 1 + newest // MOST_TAILS):
            plan.both(*plan.times(1, now), lambda side, n=last: _tail(side, f"last={eyes}:{n}"))
        self._go(plan)
        self.same()
        return False

    def _decide(self) -> bool:
        """One decision, with all that happens around it."""
        now, due = max(side.bottle.loop.time() for side in self.sides), self.table.due
        people = [seat for seat in due if not self.table.seats[seat].is_played_by_bot]
        plan = self._plan(now, len(people), len(due) - len(people))
        late = self._late_ones(plan, people)
        finals = self._finals(due, self._is_free(due))
        if finals is None:
            return False
        self.sides[1].is_other = self.sides[1].is_other or finals[0] != finals[1]
        for side, final in zip(self.sides, finals, strict=True):
            side.bottle.planned = dict(final)
        self._fill(plan, people, finals, late)
        for side in self.sides:
            side.closed.clear()  # of the round in which the pair began
        self._go(plan)
        return self.same()

    def _plan(self, now: float, people: int, bots: int) -> Plan:
        """People take their time, or all have chosen before the house does."""
        is_quick = not people or (bots > 0 and self.rng.random() < 0.4)
        return Plan(now, tick(now + (BEFORE_BOTS if is_quick else self.rng.uniform(6, 10))), self.rng, is_quick)

    def _is_free(self, due: list[int]) -> bool:
        return len(due) > 1 and not self.where.is_same_throughout and self.rng.random() < 0.4

    def _finals(self, due: list[int], is_free: bool) -> Finals | None:
        """What lies open at the lock: the same at both tables, or (for the last time) each table's own."""
        one: dict[int, int] = {}
        other: dict[int, int] = {}
        for seat in due:
            mine, theirs = (side.legal(seat) for side in self.sides)
            common = [choice for choice in mine if choice in theirs]
            if not common:
                return None
            one[seat] = other[seat] = self.rng.choice(common)
            if is_free and seat not in self.where.mine:
                one[seat], other[seat] = self.rng.choice(mine), self.rng.choice(theirs)
        return one, other

    def _fill(self, plan: Plan, people: list[int], finals: Finals, late: Late) -> None:
        """The roles: those who decide, those who look on, and those who only make noise."""
        last = (NOTHING, NOTHING) if late[0] or not people else self._lasts(people)
        leaves = self._leaves(plan, {*late[0], *late[1], *last})
        self._take_over(plan)
        for seat in people:
            if seat in self.where.mine and seat not in late[0]:
                self._viewer_decides(plan, seat, finals[0][seat], seat in last)
        others = [seat for seat in people if seat not in self.where.mine]
        self._others_decide(plan, others, finals, late, last, leaves)
        self._probe(plan)
        self._make_noise(plan, leaves[0])
        if self.rng.random() < 0.03 and not plan.is_quick and not self.where.is_same_throughout:
            self._vote(plan)

    def _late_ones(self, plan: Plan, people: list[int]) -> Late:
        if self.table.deadline is None or self.rng.random() >= 0.3:
            return set(), set()
        late = self._late(people)
        if late[0]:
            plan.end = tick(self.table.deadline - EPOCH)
        return late

    def _late(self, people: list[int]) -> Late:
        """The seats that miss the deadline, at each table; the viewer at both or at none."""
        mine = {seat for seat in people if seat in self.where.mine and self.rng.random() < 0.5}
        others = [seat for seat in people if seat not in self.where.mine]
        one, other = (set(self.rng.sample(others, self.rng.randint(0, len(others)))) for _ in range(2))
        if self.where.tells or self.where.is_same_throughout or not (one and other) or self.rng.random() < 0.5:
            other = one = one or other or set(others[:1])
        return one | mine, other | mine

    def _lasts(self, in_time: list[int]) -> tuple[int, int]:
        """Whose choice is the last one, at each table; if it is the viewer's, at both."""
        one = self.rng.choice(in_time)
        others = [seat for seat in in_time if seat not in self.where.mine]
        return (one, one) if one in self.where.mine or self.where.tells else (one, self.rng.choice(others))

    def _viewer_decides(self, plan: Plan, seat: int, final: int, is_last: bool) -> None:
        if is_last:
            plan.both(plan.end, lambda side: side.seal(seat, final))
            return
        times = plan.times(self.rng.randint(1, 3), plan.start)
        for at in times[:-1]:
            choice, stolen = self.rng.choice(self.sides[0].legal(seat)), self.rng.random() < 0.5
            # An id that somebody else may have used: what they do is no business of ours.
            guess = self._stolen_id(seat) if stolen else ""
            plan.both(at, lambda side, c=choice, g=guess: side.seal(seat, c, g))
        plan.both(times[-1], lambda side: side.seal(seat, final))

    def _stolen_id(self, seat: int) -> str:
        return f"{self.rng.choice([other for other in range(self.where.n_seats) if other != seat])} 1001"

    def _leaves(self, plan: Plan, needed: set[int]) -> Leaver:
        """Somebody goes in the middle, in sight of all, and there is time to choose for them or to come back."""
        able = [seat for seat in self.where.others if seat not in needed]
        able = [seat for seat in able if self.table.seats[seat].person and not self.table.seats[seat].is_standby]
        if not able or plan.is_quick or len(self.table.due) == 1 or self.rng.random() < 0.7:
            return NOTHING, None
        goes = self._breaks if self.rng.random() < 0.4 else self._quits
        return goes(plan, self.rng.choice(able))

    def _quits(self, plan: Plan, seat: int) -> Leaver:
        """They say so, and are played for at once; perhaps they come back."""
        plan.both(*plan.times(1, plan.start + 1.5, plan.start + 1.75), lambda side: side.lines[seat].say(do="leave"))
        if self.rng.random() < 0.6:
            plan.both(*plan.times(1, plan.start + 5.5, plan.start + 5.75), lambda side: side.lines[seat].say(do="back"))
        return seat, None

    def _breaks(self, plan: Plan, seat: int) -> Leaver:
        """Their line breaks, and they are back before or after the house has begun to play for them."""
        start = plan.end - 0.9 if self.rng.random() < 0.5 else plan.start + 5.0
        comes, back, seals = plan.times(3, start, start + 0.9)
        plan.both(*plan.times(1, plan.start + 1.5, plan.start + 1.75), lambda side: side.lines[seat].close())
        plan.both(comes, lambda side: side.again(seat))
        plan.both(back, lambda side: side.lines[seat].say(do="back"))
        return seat, seals

    def _take_over(self, plan: Plan) -> None:
        """A friend takes a bot's seat, after the bot has chosen."""
        bots = [seat for seat in self.where.bots if self.table.seats[seat].bot]
        if plan.is_quick or not bots or self.rng.random() < 0.9:
            return
        seat = self.rng.choice(bots)
        self.where.bots -= {seat}
        comes, sits = plan.times(2, plan.start + 4.0, plan.start + 4.2)
        plan.both(comes, lambda side: side.come(seat))
        plan.both(sits, lambda side: side.lines[seat].say(do="sit", name="Friend", seat=seat))

    def _vote(self, plan: Plan) -> None:
        """Everybody has had enough, just before the last choice comes in."""
        people = [seat for seat in range(self.where.n_seats) if self.table.seats[seat].person]
        for number, seat in enumerate(people):
            plan.both(plan.end - (20 - number) * MOMENT, lambda side, s=seat: side.line(s).say(do="vote"))

    def _others_decide(
        self,
        plan: Plan,
        seats: list[int],
        finals: Finals,
        late: Late,
        last: tuple[int, int],
        leaves: Leaver,
    ) -> None:
        """Each table's own: who seals when, who changes their mind how often. With tells the times are shared."""
        leaver, seals = leaves
        shared = {seat: plan.times(self.rng.choice([1, 1, 2, 3]), plan.start) for seat in seats}
        for number, side in enumerate(self.sides):
            for seat in seats:
                times = shared[seat] if self.where.tells else None
                if seat == leaver or seat in late[number]:
                    continue
                for at, choice in self._seals(plan, side, seat, finals[number][seat], seat == last[number], times):
                    plan.moments[number].append((at, lambda side, s=seat, c=choice: side.seal(s, c)))
            is_early = self.rng.random() < 0.5 and not self.where.tells
            at = plan.times(1, plan.start, plan.start + 1.5)[0] if is_early else seals
            if leaver in seats and at is not None:
                choice = finals[number][leaver]
                plan.moments[number].append((at, lambda side, c=choice: side.seal(leaver, c)))

    def _seals(
        self, plan: Plan, side: Side, seat: int, final: int, is_last: bool, times: list[float] | None
    ) -> list[tuple[float, int]]:
        if is_last or len(self.table.due) == 1:
            return [(plan.end, final)]
        first = [side.closed.pop(seat)] if seat in side.closed and not times else []
        times = times or plan.times(len(first) + self.rng.choice([1, 1, 2, 3]), plan.start)
        minds = first + [self.rng.choice(side.legal(seat)) for _ in times[len(first) : -1]]
        return list(zip(times, [*minds, final], strict=True))

    # What the viewer tries to find out, and what others do besides.

    def _probe(self, plan: Plan) -> None:
        """Ask for everything that may be asked for, at the same times at both tables."""
        for at in plan.times(self.rng.randint(2, 4), plan.start):
            plan.both(at, self.rng.choice(self._probes()))

    def _probes(self) -> list[Action]:
        of_table = [f"/api/tables/{TABLE}{what}" for what in ("", "/record", "/replay", "/verify")]
        paths = ("/api/tables", "/api/mine", "/api/played", f"/api/join/{CODE}", *of_table)
        asked = [lambda side, p=path: side.bottle.get(p, "viewer") for path in paths]
        seat, number, line = self.rng.randrange(self.where.n_seats), self.rng.randrange(40), self.rng.random()
        eyes = self.where.viewer
        said: list[dict[str, object]] = [
            {"do": "choose", "seat": max(eyes, 0), "choice": 99_999, "id": f"{line}"},
            {"do": "choose", "seat": seat, "choice": 99_999, "id": f"{seat} 1001"},
            {"do": "chat", "text": f"line {number}"},
            {"do": "mute", "seat": seat, "muted": line < 0.7},
            *({"do": do} for do in ("back", "ready", "start", "nonsense")),
            *({"do": do, "seat": seat} for do in ("remove", "give", "bot")),
            {"do": "seats", "seats": seat + 1},
        ]
        talk = [lambda side, s=words: side.viewer.say(**s) for words in said]
        return [
            *asked,
            *talk,
            lambda side: _tail(side, f"last={eyes}:{number}"),
            lambda side: _tail(side, "as=watcher"),
        ]

    def _make_noise(self, plan: Plan, leaver: int) -> None:
        """What others do in private: some of it as often at both tables, the log being for other eyes; some not."""
        seats = self.table.seats
        others = [s for s in self.where.others if s != leaver and seats[s].person and not seats[s].is_standby]
        if not others:
            return
        soon = plan.start + 0.1
        for _ in range(self.rng.randint(0, 2)):
            seat, private = self.rng.choice(others), self.rng.choice(PRIVATE)
            times = [
                *plan.times(1, plan.start, soon),
                *plan.times(1, plan.start, soon),
            ]  # before a round is over …
            for number in (0, 1):
                at = times[0 if len(self.table.due) == 1 else number]  # … but where bots follow each other, a turn may
                plan.moments[number].append((at, lambda side, s=seat, p=private: p(side, s)))
        for number in (0, 1):
            seat, secret = self.rng.choice(others), self.rng.choice(_SECRET)
            if self.rng.random() < 0.5:
                at = plan.times(1, plan.start)[0]
                plan.moments[number].append((at, lambda side, s=seat, p=secret: p(side, s)))
        seat, words = self.rng.choice(others), f"words {self.rng.random()}"
        plan.both(plan.times(1, plan.start)[0], lambda side: side.lines[seat].say(do="chat", text=words))

    # Running and comparing.

    def _schedule(self, plan: Plan) -> None:
        for side, moments in zip(self.sides, plan.moments, strict=True):
            for at, action in moments:
                side.bottle.at(at + QUARTER, lambda a=action, s=side: a(s))

    def _go(self, plan: Plan) -> None:
        """Up to the moment when all is in, and a little longer if the house takes its time."""
        self._schedule(plan)
        until, step = plan.end + MOMENT + 2 * QUARTER, self.table.step  # no moment when anything happens by itself
        for _ in range(20):
            for side in self.sides:
                side.bottle.run_until(until)
            if self.table.status != ON or self.table.step != step:
                return
            until += 0.5

    def same(self) -> bool:
        """Compare all that the viewer has heard since; False once the rules have told the difference."""
        for side in self.sides:
            side.listen()
        parted = self._parted()
        one, other = (self._until(side.viewer_heard(), parted) for side in self.sides)
        assert one == other, difference(one, other)
        self.frames = len(one)
        if parted is not None:
            return False
        one_log, other_log = (Counter(side.bottle.written) for side in self.sides)
        assert one_log == other_log, f"the log tells them apart: {one_log - other_log}, {other_log - one_log}"
        assert self.sides[0].table.status == self.sides[1].table.status
        return True

    def _until(self, heard: list[Heard], parted: float | None) -> list[Heard]:
        """What was heard before the tables parted; of that very moment, the frames before the one that told of it."""
        if parted is None:
            return heard
        before = [one for one in heard if one[0] < parted]
        for at, name, payload in heard:
            if at == parted and name == "viewer":
                if any(told in payload for told in TELLING):
                    break
                before.append((at, name, payload))
        return before

    def _parted(self) -> float | None:
        """When the viewer was first told different things, by the rules or with the seed at the end."""
        one, other = (side.told for side in self.sides)
        for mine, theirs in zip(one, other, strict=False):
            assert mine[0] == theirs[0], f"a step was taken at {mine[0]}, but at the other table at {theirs[0]}"
            if mine[1] != theirs[1]:
                return mine[0]
        return None


def difference(one: list[Heard], other: list[Heard]) -> str:
    """The first thing that the viewer has heard at one table and not at the other, and where they part."""
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            at = next((n for n, (a, b) in enumerate(zip(mine[2], theirs[2], strict=False)) if a != b), 0)
            near = slice(max(0, at - 60), at + 60)
            return f"{mine[:2]} … {mine[2][near]!r}, but {theirs[:2]} … {theirs[2][near]!r}"
    longer = max(one, other, key=len)
    return f"only one table sent {longer[min(len(one), len(other))]}"


def _tail(side: Side, query: str) -> None:
    line = side.bottle.line("viewer", TABLE, query, "tail")
    line.bottle.loop.call_later(0.01, line.close)


PRIVATE: tuple[Callable[[Side, int], object], ...] = (
    lambda side, seat: side.lines[seat].say(do="choose", seat=seat, choice=99_999, id="wrong"),
    lambda side, seat: side.lines[seat].say(do="choose", seat=(seat + 1) % side.where.n_seats, choice=0, id="foreign"),
    lambda side, seat: side.lines[seat].say(do="nonsense"),
    lambda side, seat: side.bottle.get("/api/mine", f"p{seat}", f"seat {seat}"),
)
_SECRET: tuple[Callable[[Side, int], object], ...] = (
    lambda side, seat: side.lines[seat].say(do="mute", seat=(seat + 1) % side.where.n_seats),
    lambda side, seat: side.resend(seat),
    lambda side, seat: side.again(seat),
)

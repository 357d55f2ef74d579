"""The group once more, where a game is no ordinary one: guided by a lesson, or the rematch of a game that is over."""

import random
from collections.abc import Sequence
from dataclasses import replace

from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.play import Play
from pokade.games.state import CHANCE, WATCHER, copied
from pokade.server.table import ON, events
from pokade.server.table.events import Event
from pokade.server.table.lessons import LEARNER, Script, lesson
from tests.server.bottle import EPOCH, neutral_delay
from tests.server.coalition import COOKIES, Circle, Group, Ring, circle
from tests.server.lockstep import Finals, Plan
from tests.server.twins import Twin, log_of, replayed, twin_of

TAPS = 40  # of Next, while a lesson is read
Steps = Sequence[tuple[int, int]]


# Lessons.


def classroom(game: str, rng: random.Random) -> Circle:
    """The first of the group learns; the others look on, and try to sit where the rivals sit."""
    script = lesson(game)
    made = Circle(game, len(script.names), dict(script.options), WATCHER, rng)
    made.cookies, made.holds, made.mine = COOKIES[: rng.randint(1, 3)], {LEARNER: COOKIES[0]}, (LEARNER,)
    made.bots = frozenset(range(1, made.n_seats))
    made.seed, made.delay = f"{rng.random()}", neutral_delay(rng)
    made.story, made.is_counted, made.host = rng.choice(("hop", "join", "any")), rng.random() < 0.5, LEARNER
    return made


class Lesson(Group):
    """Two lessons that differ in what their rivals have and do, as far as their learner can't see it."""

    def _twin(self) -> Twin:
        whole = _taught(self.where)
        borders = [n for n in range(len(whole.steps)) if _opens_a_decision(whole, n)]
        cut = self.rng.choice(borders)
        twin = twin_of(self.where, replayed(whole, whole.steps[:cut]))
        rest = whole.steps[cut:]
        self.scripts = self._scripts(twin, rest)
        return twin

    def _scripts(self, twin: Twin, rest: Steps) -> list[Script]:
        """Both lessons go on alike, but what the rivals seal next differs."""
        ends = twin.before.copy(), twin.play.copy()
        scripts = [_script(self.where, end.steps) for end in ends]
        if twin.state is not None:
            ends[1].state = copied(twin.state)
        is_open = True  # the first decision
        for actor, value in rest:
            is_open = is_open and actor != CHANCE
            is_sealed = is_open and actor != LEARNER and len(self._due(ends[0])) > 1
            choices = ends[1].view(actor).choices if is_sealed else []
            values = (value, self.rng.choice(choices or [value]))
            steps = [end.state.step for end in ends]
            if not all(_went_on(play, actor, one) for play, one in zip(ends, values, strict=True)):
                break
            scripts = [_longer(*known, actor) for known in zip(scripts, steps, values, strict=True)]
        return scripts

    @staticmethod
    def _due(play: Play) -> list[int]:
        return [seat for seat in range(play.n_seats) if play.turn != CHANCE and play.turn >> seat & 1]

    def _side(self, number: int, play: Play, twin: Twin | None = None) -> Ring:
        ring = Classroom(self.where, number, play, twin, self.scripts[number])
        ring.is_other = ring.is_other or (number == 1 and self.scripts[0] != self.scripts[1])
        return ring

    def _wait_for_a_decision(self) -> bool:
        """The learner reads on meanwhile."""
        now = max(side.bottle.loop.time() for side in self.sides)
        plan = Plan(now, now + 20, self.rng)
        for at in plan.times(TAPS, now):
            plan.both(at, lambda side: side.say_as(COOKIES[0], do="next"))
        self._schedule(plan)
        return super()._wait_for_a_decision()

    def _finals(self, due: list[int], is_free: bool) -> Finals | None:  # noqa: ARG002 - what is chosen is given
        given = [{seat: script.choice(self.table.step, seat) for seat in due} for script in self.scripts]
        if None in (*given[0].values(), *given[1].values()):
            return None
        return given[0], given[1]  # type: ignore[return-value] # none of them is None


class Classroom(Ring):
    """One of two tables where somebody learns."""

    def __init__(self, where: Circle, number: int, play: Play, twin: Twin | None, script: Script) -> None:
        self._script = script
        super().__init__(where, number, play, twin)
        self.bottle.deal = lambda _: []  # a lesson brings its own

    def _log(self, play: Play, secret: str) -> list[list[Event]]:
        return log_of(self.where, play, secret, script=self._script.data())


def _taught(where: Circle) -> Play:
    """The whole lesson, as a learner plays it who does what it says."""
    script, play = lesson(where.game), Play(GAMES[where.game], where.n_seats, where.options)
    draws = iter(script.draws)
    while play.turn != CHANCE or len(play.steps) < sum(map(len, (script.draws, script.choices))):
        due = [seat for seat in range(play.n_seats) if play.turn != CHANCE and play.turn >> seat & 1]
        step, given = play.state.step, [script.choice(play.state.step, seat) for seat in due]
        if play.turn == CHANCE:
            outcome = next(draws, None)
            if outcome is None:
                break
            play.happen(outcome)
        elif not due or None in given:
            break
        for seat, choice in zip(due, given, strict=True):
            if play.state.step == step and choice is not None:
                play.choose(seat, choice)
    return play


def _opens_a_decision(whole: Play, cut: int) -> bool:
    before = replayed(whole, whole.steps[:cut])
    return before.turn != CHANCE and not getattr(before.state, "chosen", 0)


def _went_on(play: Play, actor: int, value: int) -> bool:
    try:
        if actor == CHANCE:
            play.happen(value)
        else:
            play.choose(actor, value)
    except Refused:
        return False
    return True


def _script(where: Circle, steps: Steps) -> Script:
    """A lesson in which just this happens; it says what the whole one says."""
    play = Play(GAMES[where.game], where.n_seats, where.options)
    script = replace(lesson(where.game), draws=(), choices={})
    for actor, value in steps:
        script = _longer(script, play.state.step, value, actor)
        _went_on(play, actor, value)
    return script


def _longer(script: Script, step: int, value: int, actor: int) -> Script:
    if actor == CHANCE:
        return replace(script, draws=(*script.draws, value))
    return replace(script, choices={**script.choices, (step, actor): value})


# Rematches.


def reunion(game: str, rng: random.Random) -> Circle:
    """A table whose game is over, and whose people want another."""
    made = circle(game, rng, rng.choice(("hop", "join", "heir", "any")))
    made.is_same_throughout, made.tells = True, False
    return made


class Rematch(Group):
    """The first game is the same at both tables, to the end; what others have and seal in the second is not."""

    def _side(self, number: int, play: Play, twin: Twin | None = None) -> Ring:
        return Reunion(self.where, number, play, twin)

    def check(self, rounds: int) -> None:
        self.where.is_same_throughout = False
        for side in self.sides:
            side.meet_again()
        self._look_round()
        for side in self.sides:
            side.be_ready()
        super().check(rounds)


class Reunion(Ring):
    """One of two tables where people have had a game together."""

    def _log(self, play: Play, secret: str) -> list[list[Event]]:
        *log, _ = log_of(self.where, play, secret)
        return [*log, [Event(events.ENDED, EPOCH, {"reason": "voted", "seed": ""})]]

    async def _come_in(self) -> None:
        for cookie in self.where.cookies:
            self.ours[cookie] = self.bottle.line(cookie, self.id, name=cookie)
        for seat in self.where.others:
            self.come(seat)

    def meet_again(self) -> None:
        """Somebody asks for it; everybody comes to the new table and is ready."""
        self.bottle.run_until(1)
        self.line(self.where.host).say(do="rematch")
        self.bottle.run_until(2)
        self.first, self.id = self.id, self.table.rematch
        self.room = self.bottle.run(self.bottle.hub.room(self.id))
        self.table = self.room.table
        self._sit_down()
        self.bottle.run_until(3)

    def be_ready(self) -> None:
        self.shadow = Play(GAMES[self.where.game], len(self.table.seats), self.table.options)
        self.version, self.told = len(self.bottle.storage.logs[self.id]), []
        self.ever = {place.person for place in self.table.seats if place.person}
        for line in self.people():
            line.say(do="ready")
        self.bottle.run_until(3.25)
        assert self.table.status == ON

    def _sit_down(self) -> None:
        people = {seat: place.person for seat, place in enumerate(self.table.seats) if place.person}
        self.held = {seat: person for seat, person in people.items() if person in self.where.cookies}
        self.who = {seat: person for seat, person in people.items() if seat not in self.held}
        for line in self.people():
            line.close()
        self.lines.clear()
        self.bottle.run(self._come_again())

    async def _come_again(self) -> None:
        for cookie in self.where.cookies:
            self.ours[cookie] = self.bottle.line(cookie, self.id, name=cookie)
        for seat in self.who:
            self.come(seat)

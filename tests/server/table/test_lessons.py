"""Guided first games: every lesson is sound, is told in every language, and leads an obedient learner to its end."""

import asyncio
import tomllib
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any

import orjson
import pytest
from pydantic import TypeAdapter

from pokade import records
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.state import CHANCE, WATCHER
from pokade.server.hub import Hub, Pace, index_of
from pokade.server.hub.codec import batches
from pokade.server.network.messages.sent import Sent
from pokade.server.table import ON, OVER, Table, lessons
from pokade.server.table.lessons import LEARNER, Script, lesson, written
from pokade.server.views import frames as wire
from pokade.server.views.frames import Audience, Frame
from pokade.texts import LANGUAGES, entry
from tests.patience import PATIENCE, until
from tests.server.clients import Guest, Tab
from tests.server.hub.test_hub import hub_on, run
from tests.server.leaping import leap, leaping_hub, soon

SENT: TypeAdapter[Any] = TypeAdapter(Sent)
MINUTES = 200.0  # seconds, within the time after which somebody who is away is on standby
AT_ONCE = 3  # sentences, at most
SOMETHING_ELSE = 77  # no die, no card and no choice of any game
every_game = pytest.mark.parametrize("game", GAMES)


def file_of(game: str) -> dict[str, Any]:
    return tomllib.loads(files(lessons).joinpath(f"{game}.toml").read_text("utf-8"))


def keys_of(game: str) -> list[str]:
    """All that a lesson says, in order."""
    return [key for step in file_of(game)["step"] for key in step.get("say", ())]


class Learner:
    """Somebody who reads, taps Next and does as told; keeps what was said and every frame."""

    def __init__(self, hub: Hub, table: Table) -> None:
        self.hub, self.table = hub, table
        self.queue: asyncio.Queue[bytes] = asyncio.Queue(1000)
        self.frames: list[Frame] = []
        self.said: dict[int, list[str]] = {}  # by step

    async def learn(self, is_enough: Callable[[], bool] = lambda: False) -> None:
        """To the end of the lesson, or until that is enough."""
        listener = await self.hub.listen(self.table.id, "ada", self.queue)
        async with asyncio.timeout(PATIENCE):
            while not is_enough() and self.table.status == ON:
                await self.follow(orjson.loads(await self.queue.get()))
        await self.hub.unlisten(self.table.id, listener)

    async def follow(self, frame: Frame) -> None:
        self.frames.append(frame)
        if "lesson" not in frame:
            return
        says, choice = frame["lesson"]["says"], frame["lesson"]["choice"]
        self.said[frame["view"]["state"]["step"]] = says
        if choice is not None:
            await self.choose(choice, f"{frame['n']}")
        elif says:
            await self.hub.tap_next(self.table.id, "ada")

    async def choose(self, choice: int, choice_id: str) -> None:
        await self.hub.ask(self.table.id, lambda t, now: t.choose("ada", LEARNER, choice, choice_id, now))

    @property
    def heard(self) -> list[str]:
        return [key for step in sorted(self.said) for key in self.said[step]]


class Doubter(Learner):
    """Somebody who first tries everything that the lesson does not want."""

    refused = 0

    async def follow(self, frame: Frame) -> None:
        if "lesson" in frame:
            for choice in {*frame["view"]["choices"]} - {frame["lesson"]["choice"]}:
                await self.try_another(choice)
        await super().follow(frame)

    async def try_another(self, choice: int) -> None:
        with pytest.raises(Refused) as refusal:
            await self.choose(choice, "doubt")
        assert refusal.value.code == "lesson/other"
        assert LEARNER not in self.table.chosen
        self.refused += 1


@every_game
def test_a_lesson_obeys_the_rules_and_its_learner_sits_first(game: str):
    script = lesson(game)

    assert len(script.names) in GAMES[game].seats
    assert len(set(script.names)) == len(script.names)
    assert any(seat == LEARNER for _, seat in script.choices)
    assert Script.of(orjson.loads(orjson.dumps(script.data()))) == script


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        (["d roll - OO -"], "no such die face"),
        (["{ p1 pick O | p2 pick O | p3 pick O }"], "nobody chooses"),
        (["d roll O OO -", "{ p1 pick O | p2 pick O }"], "one choice of each"),
    ],
)
def test_a_lesson_that_breaks_the_rules_is_refused(actions: list[str], why: str):
    with pytest.raises(ValueError, match=why):
        written("pok", {"players": ["You", "Otto", "Mila"], "step": [{"say": ["welcome"], "do": actions}]})


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_what_a_lesson_says_has_a_text_and_no_text_is_left_over(game: str, language: str):
    assert list(entry(language, f"{game}.lesson")) == keys_of(game)


@every_game
def test_a_lesson_names_only_who_sits_there(game: str):
    strangers = {name for other in GAMES for name in lesson(other).names[1:]} - set(lesson(game).names)
    for language in LANGUAGES:
        for line in entry(language, f"{game}.lesson").values():
            assert not [name for name in strangers if name in line], line


@every_game
def test_a_lesson_never_says_much_at_once(game: str):
    assert max(len(keys) for keys in lesson(game).sayings.values()) <= AT_ONCE


@every_game
def test_who_follows_a_lesson_hears_every_sentence_in_order_and_is_taught(game: str):
    async def work() -> None:
        async with hub_on("sqlite://") as hub:
            ada = Learner(hub, await hub.teach("ada", "Ada", game))
            await ada.learn()

            assert (ada.table.status, ada.table.ending, ada.table.seed) == (OVER, "taught", "")
            assert ada.table.seats[LEARNER].name == "Ada"
            assert ada.heard == keys_of(game)
            for frame in ada.frames:
                SENT.validate_python(frame)

    run(work())


@every_game
def test_what_was_played_is_the_lesson_to_its_last_action(game: str):
    async def work() -> None:
        async with hub_on("sqlite://") as hub:
            ada = Learner(hub, await hub.teach("ada", "Ada", game))
            await ada.learn()

            assert ada.table.play is not None
            given = [action for step in file_of(game)["step"] for action in step.get("do", ())]
            assert records.actions_of(ada.table.play) == given

    run(work())


@every_game
def test_another_choice_is_refused_and_changes_nothing(game: str):
    async def work() -> None:
        async with hub_on("sqlite://") as hub:
            ada = Doubter(hub, await hub.teach("ada", "Ada", game))
            await ada.learn()

            assert ada.refused > 0
            assert ada.heard == keys_of(game)
            assert not [row for row in await hub.storage.events(ada.table.id) if b"doubt" in row.event]

    run(work())


def test_a_lesson_waits_until_its_learner_has_read():
    async def work() -> None:
        async with leaping_hub(Pace()) as hub:
            table = await hub.teach("ada", "Ada", "pok")
            await hub.tap_next(table.id, "a watcher")
            await asyncio.sleep(MINUTES)
            assert table.step == 0

            await hub.tap_next(table.id, "ada")
            await soon(lambda: LEARNER in table.due)

            await hub.tap_next(table.id, "ada")  # a tap too many is no tap for what comes after the choice
            await hub.ask(table.id, lambda t, now: t.choose("ada", LEARNER, t.script.choice(t.step, 0), "one", now))
            await soon(lambda: table.turn == CHANCE)
            await asyncio.sleep(MINUTES)
            assert table.turn == CHANCE

    leap(work())


@every_game
def test_a_lesson_whose_learner_leaves_comes_to_its_end_by_itself(game: str):
    async def work() -> None:
        async with hub_on("sqlite://") as hub:
            table = await hub.teach("ada", "Ada", game)
            await hub.ask(table.id, lambda t, now: t.leave("ada", now))
            await until(lambda: table.status == OVER)
            assert table.ending == "taught"

    run(work())


@every_game
def test_a_lesson_goes_on_after_a_restart(game: str, sqlite_url: str):
    async def work() -> None:
        async with hub_on(sqlite_url) as hub:
            first = Learner(hub, await hub.teach("ada", "Ada", game))
            await first.learn(lambda: len(first.said) > len(lesson(game).sayings) // 2)
            table_id = first.table.id
        async with hub_on(sqlite_url) as hub:
            second = Learner(hub, (await hub.room(table_id)).table)
            await second.learn()
            second.said |= first.said

            assert second.table.ending == "taught"
            assert second.heard == keys_of(game)

    run(work())


def with_another_future(table: Table) -> Table:
    """The same lesson so far; what its dice, its rivals and its sentences do from now on is different."""
    twin, script, step = table.copy(), table.script, table.step
    assert script is not None
    draws = tuple(draw if number < table.draws else SOMETHING_ELSE for number, draw in enumerate(script.draws))
    is_known = {(at, seat): at < step or (at == step and seat == LEARNER) for at, seat in script.choices}
    choices = {place: choice if is_known[place] else SOMETHING_ELSE for place, choice in script.choices.items()}
    sayings = {at: keys if at <= step else ("something_else",) for at, keys in script.sayings.items()}
    twin.script = Script(script.names, script.options, draws, choices, sayings)
    return twin


async def log_of(game: str) -> list[bytes]:
    """All that was ever stored of a lesson."""
    async with hub_on("sqlite://") as hub:
        ada = Learner(hub, await hub.teach("ada", "Ada", game))
        await ada.learn()
        return [row.event for row in await hub.storage.events(ada.table.id)]


def bytes_of(audience: Audience, viewer: int) -> bytes:
    """Whatever leaves a table for a viewer."""
    return orjson.dumps([audience.snapshot(viewer), index_of(audience.table, 0.0).shown])


@every_game
def test_nobody_can_tell_what_a_lesson_still_has_in_store(game: str):
    audience, differing = Audience(Table("t1")), 0
    for batch in batches(asyncio.run(log_of(game))):
        audience.frames(audience.table.apply(batch))
        if audience.table.status == ON:
            twin = replace(audience, table=with_another_future(audience.table))
            differing += twin.table.script != audience.table.script
            for viewer in (WATCHER, LEARNER):
                assert bytes_of(audience, viewer) == bytes_of(twin, viewer)

    assert differing > len(lesson(game).sayings)


def test_a_planted_leak_of_the_script_is_caught(monkeypatch: pytest.MonkeyPatch):
    honest = wire.described

    def leaky(table: Table) -> Frame:
        return honest(table) | {"draws": table.script.draws if table.script else ()}

    monkeypatch.setattr(wire, "described", leaky)

    with pytest.raises(AssertionError):
        test_nobody_can_tell_what_a_lesson_still_has_in_store("pok")


@pytest.fixture
def address(open_house: str) -> str:
    return open_house


@every_game
def test_a_lesson_is_learnt_over_the_real_protocol(game: str, guest: Callable[..., Guest]):
    ada = guest("Ada")
    table = ada.post(f"/api/lesson/{game}")
    tab, said = ada.at(table["id"]), list[str]()
    while (frame := tab.hear()).get("table", {}).get("status") != "over":
        assert frame["kind"] != "error", frame
        if "lesson" in frame:
            said += frame["lesson"]["says"]
            answer(tab, frame)

    assert frame["table"]["ending"] == "taught"
    assert said == keys_of(game)
    assert [mine["lesson"] for mine in ada.get("/api/mine")] == [True]
    assert "[proof]" not in ada.http.get(f"/api/tables/{table['id']}/record").raise_for_status().text


def test_a_learner_named_like_a_rival_is_the_second_of_that_name(guest: Callable[..., Guest]):
    rival = lesson("pok").names[LEARNER + 1]

    seats = guest(rival).post("/api/lesson/pok")["seats"]

    assert seats[LEARNER]["name"] == f"{rival} 2"
    assert seats[LEARNER + 1]["name"] == rival


def answer(tab: Tab, frame: Frame) -> None:
    """What a client does in a guided game, without knowing any rules."""
    if frame["lesson"]["choice"] is not None:
        tab.say("choose", seat=LEARNER, choice=frame["lesson"]["choice"], id=f"{frame['n']}")
    elif frame["lesson"]["says"]:
        tab.say("next")

"""The server in a page: the same games, frames and answers, with the standard library alone."""

import asyncio
from typing import Any

import pytest

from pokade.games import GAMES
from pokade.server.browser import said
from pokade.server.browser.requests import ROUTES
from pokade.server.network.messages import said as protocol
from pokade.server.network.routes import ROUTES as OF_A_SERVER
from pokade.server.storage.memory import MemoryStorage
from tests.server.browser.page import Page


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_against_bots_is_played_to_its_end_and_proved(game: str, runner: asyncio.Runner):
    page = Page()
    await page.post("/api/guest", {"name": "Ada"})
    table = await page.post(f"/api/quick/{game}", {"level": "casual"})

    over = await page.play(table["id"])

    assert over["ending"] == "played"
    assert (await page.get(f"/api/tables/{table['id']}/verify"))["fair"]
    replay = await page.get(f"/api/tables/{table['id']}/replay?eyes=p1&first=0&most=1000")
    assert len(replay["steps"]) == replay["actions"] + 1
    assert [one["game"] for one in (await page.get("/api/played"))["games"]] == [game]


@pytest.mark.parametrize("game", GAMES)
async def test_one_device_goes_round(game: str, runner: asyncio.Runner):
    page, seats = Page(), GAMES[game].usual_seats
    await page.post("/api/guest", {"name": "Ada"})
    table = await page.post("/api/tables", {"game": game, "seats": seats})
    await page.house.open(1, f"/ws/{table['id']}")
    for seat in range(1, seats):
        await page.say("sit", name=f"Friend {seat}", seat=seat)
    await page.say("start")
    await page.house.close(1)

    over = await page.play(table["id"])

    assert over["ending"] == "played"
    assert [seat["bot"] for seat in over["seats"]] == [None] * seats


@pytest.mark.parametrize("game", GAMES)
async def test_a_lesson_is_taught(game: str, runner: asyncio.Runner):
    page = Page()
    await page.post("/api/guest", {"name": "Ada"})
    table = await page.post(f"/api/lesson/{game}")
    await page.house.open(1, f"/ws/{table['id']}")

    frame = await page.frame()
    while frame.get("table", {}).get("status") != "over":
        lesson = frame.get("lesson") or {}
        wanted = lesson.get("choice")
        if wanted is not None:
            await page.say("choose", seat=0, choice=wanted, id=str(frame["n"]))
        elif lesson:
            await page.say("next")
        frame = await page.frame()

    assert frame["table"]["ending"] == "taught"


async def test_what_a_device_has_kept_is_there_again(runner: asyncio.Runner):
    first = Page()
    await first.post("/api/guest", {"name": "Ada"})
    done = await first.post(f"/api/quick/{next(iter(GAMES))}")
    await first.play(done["id"])
    begun = await first.post(f"/api/quick/{next(iter(GAMES))}")

    again = Page(first.shelf)

    assert (await again.get("/api/me"))["name"] == "Ada"
    assert {one["id"]: one["status"] for one in await again.get("/api/mine")} == {done["id"]: "over", begun["id"]: "on"}
    assert (await again.get(f"/api/tables/{done['id']}/verify"))["fair"]
    assert (await again.play(begun["id"]))["ending"] == "played"


async def test_a_shelf_forgets_what_the_storage_forgets(runner: asyncio.Runner):
    shelf: dict[str, str | None] = {}
    storage = MemoryStorage({}, lambda key, text: shelf.update({key: text}))
    await storage.append("t", 1, [b"one", b"two"])

    await storage.cut_log("t", 10)

    assert set(shelf.values()) == {None}


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("POST", "/api/handover", None, "here/not"),
        ("GET", "/api/tables/0123456789abcdef/analysis", None, "here/not"),
        ("GET", "/api/tables/0123456789abcdef/picture", None, "here/not"),
        ("GET", "/api/tables/0123456789abcdef", None, "table/unknown"),
        ("GET", "/api/join/ABCDE", None, "table/unknown"),
        ("GET", "/metrics", None, "http/unknown"),
        ("POST", "/api/tables", {"game": "chess", "seats": 4}, "table/game"),
        ("POST", "/api/tables", {"seats": 4}, "message/form"),
        ("POST", "/api/replay", "no record", "record/bad"),
    ],
)
async def test_what_is_refused_has_a_code(method: str, path: str, body: Any, code: str, runner: asyncio.Runner):
    page = Page()
    await page.post("/api/guest", {"name": "Ada"})

    status, answer = await page.ask(method, path, body)

    assert (status in (404, 409), answer["code"]) == (True, code)


async def test_strong_bots_are_neither_offered_nor_seated(runner: asyncio.Runner):
    page, game = Page(), next(iter(GAMES))
    await page.post("/api/guest", {"name": "Ada"})

    assert "strong" not in (await page.get("/api/server"))["bots"]
    seated = (await page.post(f"/api/quick/{game}", {"level": "strong"}))["seats"]
    assert {seat["bot"] for seat in seated} == {None, "casual"}
    wish = {"game": game, "seats": GAMES[game].usual_seats}
    assert (await page.ask("POST", "/api/tables", wish | {"bots": 1, "level": "strong"}))[1]["code"] == "here/strong"
    table = await page.post("/api/tables", wish)
    await page.house.open(1, f"/ws/{table['id']}")
    page.heard = asyncio.Queue()
    await page.say("bot", level="strong")
    assert "here/strong" in (await page.heard.get())[2]


async def test_a_table_that_is_not_there_closes_the_line(runner: asyncio.Runner):
    page = Page()

    await page.house.open(1, "/ws/0123456789abcdef")

    kinds = [await page.heard.get(), await page.heard.get()]
    assert [kind for kind, _, _ in kinds] == ["frame", "closed"]
    assert kinds[1][2] == "table/unknown"


def fields_of(model: Any) -> dict[str, Any]:
    """What stands for each field of a message where nothing is said."""
    return {
        name: said.NEEDED if field.is_required() else field.get_default(call_default_factory=True)
        for name, field in model.model_fields.items()
        if name != "do"
    }


def test_messages_have_the_fields_of_the_protocol():
    kinds = {model.model_fields["do"].annotation.__args__[0]: model for model in protocol.Message.__subclasses__()}

    assert {kind: fields_of(model) for kind, model in kinds.items()} == said.FIELDS
    assert fields_of(protocol.NewTable) == said.NEW_TABLE
    assert fields_of(protocol.Quick) == said.QUICK
    assert fields_of(protocol.Guest) == said.GUEST


def test_every_request_of_the_page_has_an_answer_here():
    of_a_server = {(method, path) for method, path, _ in OF_A_SERVER if path.startswith("/api/")}

    assert {
        (m, p) for m, p in of_a_server if not any(m == method and found.fullmatch(p) for method, found, _ in ROUTES)
    } == set()

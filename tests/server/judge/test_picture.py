"""A finished game as a picture, and what a link to it shows: for everybody, so nothing that a watcher may not know."""

import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pokade import texts
from pokade.games import GAMES
from pokade.games.state import WATCHER
from pokade.server.hub import Pace
from pokade.server.judge import picture
from pokade.server.judge.judge import Question
from pokade.server.judge.judging import Judging
from pokade.server.judge.picture import SHAPES, png, svg
from pokade.server.network import judged, pages
from pokade.server.views.frames import shown
from pokade.server.views.result import Result
from pokade.testing import random_game
from tests.patience import wait_until
from tests.server.clients import Guest, refusal, running
from tests.server.network.test_pages import PAGE

every_game = pytest.mark.parametrize("game", GAMES)
WILD = "</text><script>1"  # as long as a name may be
MEANEST = "\"'><img src=x"
SVG = "{http://www.w3.org/2000/svg}"


def result(game: str, *names: str, winners: tuple[int, ...] = (0,)) -> Result:
    return Result(GAMES[game], names, tuple(range(len(names), 0, -1)), winners, GAMES[game].endings[1])


def parsed(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)  # noqa: S314 - our own drawing


def words_in(drawn: str) -> list[str]:
    return [text.text or "" for text in parsed(drawn).iter(f"{SVG}text")]


@every_game
@pytest.mark.parametrize("shape", SHAPES)
def test_a_picture_has_the_size_that_was_asked_for(game: str, shape: str):
    drawn = png(result(game, "Ada", "Ben", "Cleo"), shape, "en")

    size = struct.unpack("!II", drawn[16:24])
    assert drawn.startswith(b"\x89PNG")
    assert size == (SHAPES[shape].width, SHAPES[shape].height)


@every_game
@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_a_picture_names_the_winners_and_what_everybody_counts(game: str, language: str):
    drawn = words_in(svg(result(game, "Ada", "Ben", "Cleo", winners=(0, 1)), "wide", language))

    assert {"Ada", "Ben", "Cleo", "3", "2", "1"} <= set(drawn)


@every_game
@pytest.mark.parametrize("n_winners", [0, 1, 2, 3, 5])
def test_every_number_of_winners_has_its_scene(game: str, n_winners: int):
    names = [f"P{seat}" for seat in range(max(GAMES[game].seats))]

    drawn = svg(result(game, *names, winners=tuple(range(min(n_winners, len(names))))), "square", "en")

    known = {symbol.get("id") for symbol in parsed(drawn).iter(f"{SVG}symbol")}
    used = [use.get("{http://www.w3.org/1999/xlink}href", "")[1:] for use in parsed(drawn).iter(f"{SVG}use")]
    assert set(used) <= known
    assert "var(" not in drawn


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_all_words_stand_inside_the_picture(shape: str, language: str):
    names = [f"Maximiliane {seat:04}" for seat in range(8)]

    drawn = parsed(svg(result("poch", *names, winners=(0, 1, 2)), shape, language))

    lowest = max(float(text.get("y", 0)) for text in drawn.iter(f"{SVG}text"))
    assert lowest <= SHAPES[shape].height - 20


@pytest.mark.parametrize("name", [WILD, MEANEST, "&amp;", "]]>", "\u202eAda", "王小明", "👑"])
def test_a_name_is_a_name_and_nothing_else(name: str):
    drawn = svg(result("pok", name, "Ben", "Cleo"), "square", "en")

    tags = {element.tag for element in parsed(drawn).iter()}
    assert not tags & {f"{SVG}script", f"{SVG}img", f"{SVG}image", f"{SVG}foreignObject"}
    assert any("wins" in words for words in words_in(drawn))
    assert png(result("pok", name, "Ben", "Cleo"), "wide", "en").startswith(b"\x89PNG")


def test_a_game_without_a_scene_of_its_own_has_its_rosettes():
    another = replace(GAMES["pok"], name="another")
    drawn = svg(Result(another, ("Ada", "Ben", "Cleo"), (3, 2, 1), (0, 1), ""), "wide", "en")

    assert drawn.count('href="#seal-') == 2


def test_badges_have_the_letters_of_the_page():  # web/src/seats.ts
    assert picture.initials(["Ada", "ben", "Bo", "🦊x", ""]) == ["A", "Be", "Bo", "🦊", ""]


def test_equal_points_share_a_place():
    tied = Result(GAMES["pok"], ("A", "B", "C", "D"), (3, 5, 3, 1), (1,), "five")

    assert tied.places == [(1, 1), (2, 0), (2, 2), (4, 3)]


@every_game
def test_a_result_is_what_a_watcher_sees(game: str):
    play = random_game(GAMES[game], GAMES[game].usual_seats, {}, 7)
    view = shown(play.view(WATCHER))

    made = Result.of(play, [f"P{seat}" for seat in range(play.n_seats)])

    assert list(made.points) == view["points"]
    assert sum(1 << seat for seat in made.winners) == view["state"]["winners"]


# At the house.


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A house with a page."""
    place: Path = tmp_path_factory.mktemp("client")
    (place / "index.html").write_text(PAGE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "PLACES", (place,))
        with running(f"sqlite:///{place / 'house.db'}", pace=Pace(reveal=0.0, bots=(0.0, 0.0))) as there:
            yield there


def played(guest: Guest) -> dict[str, str]:
    """A game that bots have played to its end."""
    table = guest.post("/api/quick/pok")
    tab = guest.at(table["id"])
    tab.say("leave")
    wait_until(lambda: guest.get(f"/api/tables/{table['id']}")["status"] == "over")
    return table


@pytest.fixture(scope="module")
def ada(address: str) -> Iterator[Guest]:
    with Guest(address, MEANEST) as made:
        yield made


@pytest.fixture(scope="module")
def over(ada: Guest) -> dict[str, str]:
    return played(ada)


def test_the_house_draws_a_game_that_is_over(ada: Guest, over: dict[str, str]):
    answer = ada.http.get(f"/api/tables/{over['id']}/picture?shape=square&language=de")

    assert answer.headers["content-type"] == "image/png"
    assert "max-age" in answer.headers["cache-control"]
    assert struct.unpack("!II", answer.content[16:24]) == (1080, 1080)


def test_a_game_that_is_on_has_no_picture(ada: Guest):
    table = ada.post("/api/quick/pok")

    assert refusal(ada.http.get(f"/api/tables/{table['id']}/picture")) == (409, "replay/on")


@pytest.mark.parametrize("query", ["shape=huge", "language=xx"])
def test_there_are_no_other_pictures(ada: Guest, over: dict[str, str], query: str):
    assert refusal(ada.http.get(f"/api/tables/{over['id']}/picture?{query}")) == (422, "message/form")


def test_each_language_and_shape_has_a_picture_of_its_own(ada: Guest, over: dict[str, str]):
    asked = [f"shape={shape}&language={language}" for shape in SHAPES for language in ("en", "de")]

    drawn = [ada.http.get(f"/api/tables/{over['id']}/picture?{query}").content for query in asked]

    assert len(set(drawn)) == len(asked)


def test_a_picture_is_drawn_once(ada: Guest, over: dict[str, str], monkeypatch: pytest.MonkeyPatch):
    first = ada.http.get(f"/api/tables/{over['id']}/picture").content
    monkeypatch.setattr("pokade.server.judge.judging.Judging.ask", None)  # nobody is asked any more

    assert ada.http.get(f"/api/tables/{over['id']}/picture").content == first


def test_of_the_pictures_that_are_kept_the_one_goes_that_nobody_has_asked_for_the_longest(
    monkeypatch: pytest.MonkeyPatch,
):
    drawn, honest = [], Judging.ask
    monkeypatch.setattr(judged, "MOST_PICTURES", 2)

    async def ask(judging: Judging, there: str, question: Question) -> bytes:
        drawn.append(question.words["language"])
        return await honest(judging, there, question)

    monkeypatch.setattr(Judging, "ask", ask)
    with running("sqlite://", pace=Pace(reveal=0.0, bots=(0.0, 0.0))) as empty, Guest(empty, "Ben") as ben:
        there = f"/api/tables/{played(ben)['id']}/picture?language="
        for language in ("en", "de", "en", "fr", "en", "de"):
            ben.http.get(there + language).raise_for_status()

    assert drawn == ["en", "de", "fr", "de"]


@pytest.mark.parametrize("there", ["/t/{code}", "/t/{id}", "/replay/{id}"])
def test_a_link_to_a_finished_game_shows_who_won_and_its_picture(ada: Guest, over: dict[str, str], there: str):
    page = ada.http.get(there.format(**over)).text

    assert f'/api/tables/{over["id"]}/picture?language=en">' in page
    assert ' · POK">' in page
    assert "A table at Pokade" not in page
    assert '<meta name="twitter:card" content="summary_large_image">' in page


def test_a_link_speaks_the_language_that_it_was_shared_in(ada: Guest, over: dict[str, str]):
    page = ada.http.get(f"/replay/{over['id']}?lang=de").text

    assert "Schritt für Schritt" in page
    assert "picture?language=de" in page


def test_a_name_in_a_link_is_a_name_and_nothing_else(ada: Guest, over: dict[str, str]):
    page = ada.http.get(f"/t/{over['code']}").text

    assert "&quot;&#x27;&gt;&lt;img src=x" in page
    assert "<img" not in page


@pytest.mark.parametrize("there", ["/t/{code}", "/t/{id}", "/replay/{id}"])
def test_a_link_to_a_game_that_is_on_says_nothing_of_it(ada: Guest, there: str):
    page = ada.http.get(there.format(**ada.post("/api/quick/pok"))).text

    assert "picture.png" in page
    assert "img src" not in page


@pytest.mark.parametrize("there", ["/t/ZZZZZ", "/replay/0123456789abcdef", "/t/%00", "/replay/"])
def test_a_link_to_no_game_is_the_page_all_the_same(ada: Guest, there: str):
    answer = ada.http.get(there)

    assert answer.status_code == 200
    assert "picture.png" in answer.text

"""Drawings: they fit, they need neither colours nor signs, and they show a viewer nothing but the view."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType

from pokade import cli, texts
from pokade.chance import Seeded
from pokade.cli import draw
from pokade.cli.draw.brush import plain, wrapped
from pokade.cli.draw.house import home, menu, podium
from pokade.cli.draw.offer import Entry
from pokade.games import GAMES, poch
from pokade.games.cards import cards_in
from pokade.games.game import Game
from pokade.games.play import Play
from pokade.games.state import CHANCE, WATCHER, columns
from pokade.loop import by_view, run
from pokade.players import player

NAMES = ("Ada", "Benedetta-Sophie", "Cleo", "Dörte", "Emil", "Finn", "Gwenaëlle", "Anne")
SHORT_NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gwen", "Hana")
ALL_GAMES = list(GAMES.values())
COLOURS = ("truecolor", "256", "standard", None)


def text(scene: RenderableType, width: int = 80, colours: Any = None, encoding: str = "utf-8") -> str:
    """What a terminal of that kind gets."""
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(
        file=file, width=width, height=24, color_system=colours, force_terminal=True, legacy_windows=False
    )
    console.print(scene)
    file.flush()
    return file.buffer.getvalue().decode(encoding)


def moments(game: Game, n_seats: int, seed: int = 1, **options: Any) -> Iterator[Play]:
    """A whole game, at every moment that somebody may look at it."""
    play, chance = Play(game, n_seats, options), Seeded(seed)
    bots = [player("random", game, f"{seed} {seat}") for seat in range(n_seats)]
    yield play
    for _ in run(play, chance, by_view(bots)):
        yield play


def frames(
    game: Game,
    n_seats: int,
    language: str = "en",
    names: tuple[str, ...] = NAMES,
    *,
    short: bool = False,
    **options: Any,
) -> Iterator[draw.Scene]:
    """The screens of a game, for a seat and for a watcher, one of each kind of moment."""
    seen: Counter[tuple[object, ...]] = Counter()
    names = names[:n_seats]
    for play in moments(game, n_seats, **options):
        view = play.view(0, person=True)
        kind = (view.state.phase, play.turn == CHANCE, bool(view.choices))
        seen[kind] += 1
        if seen[kind] in (1, 2, 3, 9):
            news = " ".join(texts.sentence(language, game, told, names) for told in view.told)
            news = "-" if short else news  # longer ones are shown in portions
            yield draw.screen(view, names, language, news, offers=bool(view.choices))
            yield draw.table(play.view(WATCHER, person=True), names, language)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("game", ALL_GAMES, ids=list(GAMES))
def test_every_phase_fits_the_width_in_all_languages(game: Game, width: int) -> None:
    for n_seats, language in zip((game.seats[0], game.seats[-1]) * 2, texts.LANGUAGES, strict=True):
        for scene in frames(game, n_seats, language):
            shown = text(scene, width)
            assert all(cell_len(line) <= width for line in shown.splitlines()), shown
            assert "Traceback" not in shown


@pytest.mark.parametrize("game", ALL_GAMES, ids=list(GAMES))
def test_nothing_is_cut_off_at_80_columns(game: Game) -> None:
    for n_seats in {game.seats[0], game.seats[-1]}:
        for language in texts.LANGUAGES:
            for scene in frames(game, n_seats, language, SHORT_NAMES):
                assert "…" not in text(scene)


@pytest.mark.parametrize("colours", ["truecolor", None])
@pytest.mark.parametrize("game", [GAMES["pokerdice"], GAMES["poch"]], ids=lambda game: game.name)  # the largest tables
def test_a_table_fits_60_columns_and_24_lines_with_its_news_and_the_prompt(game: Game, colours: Any) -> None:
    for n_seats in {game.seats[0], game.seats[-1]}:
        for language in texts.LANGUAGES:
            for scene in frames(game, n_seats, language, SHORT_NAMES, short=True):
                shown = re.sub(r"\x1b\[[0-9;]*m", "", text(scene, 60, colours))
                assert "…" not in shown, shown
                assert len(shown.splitlines()) < 24, shown
                assert all(cell_len(line) <= 60 for line in shown.splitlines()), shown


@pytest.mark.parametrize("game", ALL_GAMES, ids=list(GAMES))
def test_every_phase_can_be_drawn_with_any_colours(game: Game) -> None:
    for colours in COLOURS:
        for scene in frames(game, game.seats[-1]):
            assert text(scene, 80, colours).strip()


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize("game", ALL_GAMES, ids=list(GAMES))
def test_every_phase_can_be_drawn_in_ascii(game: Game, language: str) -> None:
    for scene in frames(game, game.seats[0], language):
        shown = text(scene, encoding="ascii")
        assert shown.isascii()
        assert all(len(line) <= 80 for line in shown.splitlines())


def test_options_have_drawings_too() -> None:
    drawn = 0
    for game in ALL_GAMES:
        n_seats = game.seats[0]
        for option in game.options:
            taken = option.takes(n_seats)
            for value in () if isinstance(taken, range) else taken[1:]:
                assert all(text(scene) for scene in frames(game, n_seats, **{option.name: value}))
                drawn += 1
    assert drawn > len(ALL_GAMES)


def test_the_house_fits_and_needs_no_signs() -> None:
    for language in texts.LANGUAGES:
        scenes = [home(ALL_GAMES, language), draw.curtain("Zoë", 2, language)]
        scenes.append(menu("Zoë", "¿?", [Entry(0, ("1",), "é", "ü")], language, note="ß"))
        for scene in scenes:
            for width in (80, 120):
                assert all(cell_len(line) <= width for line in text(scene, width).splitlines())
            assert text(scene, encoding="ascii").isascii()


def test_the_winner_gets_a_rosette() -> None:
    *_, play = moments(GAMES["pok"], 3)
    scene = podium(play.view(WATCHER), NAMES[:3], "en", "The end.")
    assert "▀" in text(scene, colours="truecolor")
    assert "The end." in text(scene)


def test_points_below_zero_have_the_sign_that_sentences_have(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, play = moments(GAMES["pokopop"], 3)
    view = play.view(WATCHER)
    monkeypatch.setattr(type(view), "points", [-5, 3, 0])

    assert "−5" in text(podium(view, NAMES[:3], "de", "Schluss."))


def test_plain_signs_are_as_wide_as_the_others() -> None:
    assert plain("╭●■▲♥ñß…漢") == "+O#^hns.??"


def other_sealed(play: Play) -> Play:
    """Others have sealed something else."""
    twin = play.copy()
    for seat in range(1, twin.n_seats):
        twin.state.choice[seat] = twin.view(seat).choices[-1] if twin.turn >> seat & 1 else twin.state.choice[seat]
    return twin


def drawn(play: Play, seat: int, language: str = "en") -> str:
    view = play.view(seat, person=True)
    names = NAMES[: play.n_seats]
    news = " ".join(texts.sentence(language, play.game, told, names) for told in view.told)
    return text(draw.screen(view, names, language, news, offers=bool(view.choices)), 120, "truecolor")


SEALING = [name for name, game in GAMES.items() if any(column.mark == "sealed" for column in columns(game.state))]


@pytest.mark.parametrize("name", SEALING)
def test_nobody_sees_what_others_have_sealed(name: str) -> None:
    compared = 0
    for play in moments(GAMES[name], 3):
        if play.turn != CHANCE and play.turn & 1 and play.turn != 1:
            twin = other_sealed(play)
            compared += twin.state.choice != play.state.choice
            assert drawn(play, 0) == drawn(twin, 0)
            assert drawn(play, WATCHER) == drawn(twin, WATCHER)
    assert compared > 5


def test_nobody_sees_the_cards_of_others() -> None:
    compared = 0
    for play in moments(GAMES["poch"], 4):
        unseen = [play.state.hand[seat] & ~play.state.seen[seat] for seat in (1, 2)]
        if play.state.phase not in (poch.BIDDING, poch.STARTING, poch.NAMING) or not all(unseen):
            continue
        one, other = cards_in(unseen[0])[0], cards_in(unseen[1])[-1]
        twin = play.copy()
        twin.state.hand[1] ^= 1 << one | 1 << other
        twin.state.hand[2] ^= 1 << one | 1 << other
        compared += 1
        for seat in (0, 3, WATCHER):
            assert drawn(play, seat) == drawn(twin, seat)
        assert drawn(play, 1) != drawn(twin, 1)
    assert compared > 5


def test_people_with_strict_memory_do_not_see_what_has_gone_by() -> None:
    for play in moments(GAMES["pok"], 3):
        twin = play.copy()
        twin.state.counters[1] = twin.state.counters[1][::-1]
        assert drawn(play, 0) == drawn(twin, 0)
    for play in moments(GAMES["pokopop"], 3):
        twin = play.copy()
        twin.state.pile[:5] = twin.state.pile[:5][::-1]
        twin.state.unseen[:2] = twin.state.unseen[:2][::-1]
        assert drawn(play, 0) == drawn(twin, 0)


def test_assisted_memory_shows_the_counters_of_others() -> None:
    *_, play = moments(GAMES["pok"], 3, memory="assisted")
    twin = play.copy()
    twin.state.counters[1] = [2, 2, 2] if play.state.counters[1] != [2, 2, 2] else [1, 2, 2]
    assert drawn(play, 0) != drawn(twin, 0)


def test_drawing_and_asking_know_nothing_but_views() -> None:
    package = Path(cli.__file__).parent
    for file in [*package.glob("draw/*.py"), *(package / f"{name}.py" for name in ("table", "screen", "house"))]:
        assert "play.state" not in file.read_text("utf-8"), file


def test_a_line_never_ends_before_a_sign_that_belongs_to_its_last_word():
    assert wrapped("Il reste une couleur\u00a0: pique", 21) == ["Il reste une", "couleur\u00a0: pique"]
    assert wrapped("12\u202f345 jetons", 5) == ["12\u202f34", "5", "jeton", "s"]  # too long for any line

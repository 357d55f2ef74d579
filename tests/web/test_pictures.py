"""The pictures of the page in the README, as `make docs` draws them."""

from pathlib import Path
from typing import Final

import pytest
from docs import screens
from PIL import Image

from pokade.games import GAMES
from tests.web.browsers import SHARED

ROOT: Final = Path(__file__).parents[2]
LARGEST: Final = 1_000_000  # bytes: a README is read on phones too


def test_without_a_browser_nothing_is_drawn_and_the_reason_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    SHARED.close()
    monkeypatch.setattr(screens, "present", lambda _: None)

    screens.write_screens()

    assert "there is no browser" in capsys.readouterr().err


@pytest.mark.parametrize("game", GAMES)
def test_the_complete_rules_show_the_drawn_examples_of_the_page(game: str) -> None:
    assert f"pictures/rules-{game}.png" in (ROOT / "docs" / "rules" / f"{game}.md").read_text("utf-8")
    assert (screens.HERE / f"rules-{game}.png").stat().st_size < LARGEST // 10


@pytest.mark.parametrize("name", ["phones.png", "desktop.png", "reveal.webp"])
def test_the_readme_shows_pictures_that_are_small(name: str) -> None:
    assert f"docs/pictures/{name}" in (ROOT / "README.md").read_text("utf-8")
    assert (screens.HERE / name).stat().st_size < LARGEST


def test_the_reveal_moves() -> None:
    with Image.open(screens.HERE / "reveal.webp") as picture:
        assert picture.n_frames > 10

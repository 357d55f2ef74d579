"""Pictures of matches: whole names, whole numbers, and words in every language."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from pokade.arena.simulate import Match, run
from pokade.cli.plot import LINE, _folded, plot
from pokade.games import GAMES


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_match_can_be_drawn(tmp_path: Path, ending: str):
    file = tmp_path / f"match.{ending}"

    plot(run(Match(GAMES["poch"], ["random"] * 3, 500)), file, "en")

    assert file.stat().st_size > 5_000


def test_counts_are_labelled_with_whole_numbers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    drawn: list[Figure] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: drawn.append(figure))

    plot(run(Match(GAMES["pok"], ["random"] * 3, 50)), tmp_path / "x.png", "en")

    _, points, rounds = drawn[0].axes
    for axes in (points, rounds):
        for low, high in ((0, 1), (0, 3), (2, 5)):  # few different values
            axes.set_xlim(low, high)
            assert all(place == round(place) for place in axes.get_xticks())


@pytest.mark.parametrize("name", ["casual", "bots/v2/clever_one.py:choose", "x" * 40, ""])
def test_a_picture_has_whole_names(name: str):
    assert _folded(name).replace("\n", "") == name
    assert all(len(line) <= LINE for line in _folded(name).split("\n"))


def test_a_picture_speaks_the_language_that_was_asked_for(tmp_path: Path):
    file = tmp_path / "match.svg"

    plot(run(Match(GAMES["pok"], ["random"] * 3, 2_000)), file, "de")

    drawn = file.read_text("utf-8")
    assert "<!-- POK: 2.000 Spiele zu 3, Startwert 0 -->" in drawn
    assert "<!-- Anteile am Sieg, mit 95-%-Intervallen -->" in drawn

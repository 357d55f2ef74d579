"""Looking back at a game: everything adds up, nothing is judged by what its owner could not know."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pokade import records
from pokade.analysis import analysed, playouts, told
from pokade.analysis.game import Analysis
from pokade.analysis.judging import Judged
from pokade.analysis.moments import moments
from pokade.analysis.playouts import ByPlayouts
from pokade.analysis.solved import BySolution
from pokade.chance import exhaust
from pokade.games import GAMES
from pokade.games.errors import BadRecord
from pokade.games.play import Play
from pokade.games.state import packed
from pokade.records import Record
from pokade.testing import random_game
from tests.test_conformance import claims

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.toml"))
EXACT = 1e-12


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums are right however few games were played on."""
    monkeypatch.setattr(playouts, "BUDGET", 20_000)
    monkeypatch.setattr(playouts, "FEWEST", 24)
    monkeypatch.setattr(playouts, "MOST", 200)
    monkeypatch.setattr(playouts, "mixed", lambda view, _: dict.fromkeys(view.choices, 1 / len(view.choices)))


def record_of(play: Play, **given: Any) -> Record:
    return records.read(records.write(play, [f"p{seat}" for seat in range(play.n_seats)], **given))


def random_records() -> Iterator[Record]:
    for name, game in GAMES.items():
        for n_seats in (game.seats[0], game.seats[-1]):
            yield record_of(random_game(game, n_seats, {}, f"analysis {name}"))


def check_sums(analysis: Analysis, final: tuple[float, ...]) -> None:
    n_seats = analysis.play.n_seats
    before = [1 / n_seats] * n_seats
    for step in analysis.steps:
        for seat in range(n_seats):
            parts = step.luck[seat] + step.choices[seat] + step.meeting[seat]
            assert before[seat] + parts == pytest.approx(step.chances.shares[seat], abs=EXACT)
        before = list(step.chances.shares)
    for seat, found in enumerate(analysis.seats):
        assert 1 / n_seats + found.luck + found.choices + found.meeting == pytest.approx(final[seat], abs=EXACT)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_an_equal_part_and_all_changes_are_the_share_of_the_win(file: Path):
    analysis = analysed(records.read(file.read_bytes()))

    outcome = analysis.play.outcome()
    assert outcome is not None
    check_sums(analysis, outcome.shares)


def test_the_same_holds_for_random_games():
    for record in random_records():
        analysis = analysed(record)

        outcome = analysis.play.outcome()
        assert outcome is not None
        check_sums(analysis, outcome.shares)


@cache
def solved_game() -> Analysis:
    return analysed(records.read(next(file for file in GOLDEN if file.stem.startswith("pok-1")).read_bytes()))


def test_with_a_solution_everything_is_exact():
    analysis = solved_game()

    assert analysis.method["kind"] == "solution"
    assert {error for step in analysis.steps for error in step.chances.errors} == {0.0}
    judged = [one for step in analysis.steps for one in step.judged.values()]
    assert {one.error for one in judged} == {0.0}
    assert min(one.cost for one in judged) > -0.002  # nothing beats a solution by more than its certificate says


def test_what_a_solution_mixes_costs_nothing():
    judged = [one for step in solved_game().steps for one in step.judged.values()]

    for one in judged:
        for choice, often in one.mixture.items():
            if often > 0.01:
                value = sum(part * one.worths[other] for other, part in one.mixture.items())
                assert one.worths[choice] == pytest.approx(value, abs=1e-4)


def test_dice_are_fair_to_a_solution():
    """Over all throws the chances after the dice are on average those before them."""
    found, play = moments(solved_game().record)
    reference = BySolution(play.game, play.n_seats)
    start = Play(play.game, play.n_seats)
    start.state = found[0].before
    mean = [0.0] * play.n_seats
    for after, chance in exhaust(start):
        for seat, share in enumerate(reference.chances(after.state).shares):
            mean[seat] += float(chance) * share
    assert mean == pytest.approx([1 / play.n_seats] * play.n_seats, abs=1e-4)


def test_a_game_still_on_is_refused():
    for game in GAMES.values():
        with pytest.raises(BadRecord) as refusal:
            analysed(record_of(Play(game, game.usual_seats)))

        assert refusal.value.code == "analysis/on"


def unfinished(name: str) -> Play:
    whole = random_game(GAMES[name], GAMES[name].usual_seats, {}, "cut")
    play = Play(whole.game, whole.n_seats)
    for actor, value in whole.steps[: len(whole.steps) * 2 // 3]:
        play.take(actor, value)
    return play


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_was_cut_short_is_analysed_up_to_there(name: str):
    play = unfinished(name)

    analysis = analysed(record_of(play), is_closed=True)

    check_sums(analysis, analysis.steps[-1].chances.shares)
    assert told(analysis)["shares"] is None


def test_a_record_of_a_closed_table_says_so_by_its_seed():
    proof = records.Proof("x", "t", "c", ("", "", "", ""), seed="00")

    analysed(record_of(unfinished("pokopop"), proof=proof, is_closed=True))


def test_notes_of_the_table_change_nothing():
    play = random_game(GAMES["pokopop"], 4, {}, "notes")
    notes = [(3, "standby p1"), (5, "timeout p2"), (9, "return p1"), (9, "resign p3")]

    plain, noted = analysed(record_of(play)), analysed(record_of(play, notes=notes))

    assert told(noted)["seats"] == told(plain)["seats"]


@pytest.mark.parametrize("name", GAMES)
def test_the_same_record_has_the_same_analysis(name: str):
    record = record_of(random_game(GAMES[name], GAMES[name].usual_seats, {}, "again"))

    assert told(analysed(record)) == told(analysed(record))


@pytest.mark.parametrize("name", GAMES)
def test_a_choice_is_judged_by_what_its_owner_could_know(name: str):
    """Whatever a seat can't see is changed; what its choice is worth stays the same to the last digit."""
    game, rng, compared = GAMES[name], random.Random(1), 0
    play = random_game(game, game.usual_seats, {}, "owner")
    found, _ = moments(record_of(play))
    again = Play(game, play.n_seats)
    for moment in [moment for moment in found if not moment.is_chance][:12]:
        for seat, chosen in moment.choices.items():
            if game.n_choices(moment.before, seat) < 2:
                continue
            again.state = moment.before
            twin = claims(name).twin(again, seat, False, rng)
            if getattr(twin, "chosen", 0):
                continue  # in a sealed round there is nothing else to hide
            compared += packed(twin) != packed(moment.before)
            results = []
            for state in (moment.before, twin):
                reference, one = ByPlayouts(game, play.n_seats, playouts.MOST), type(moment)(state, {seat: chosen}, 1)
                known = {o: Judged(o, c, {c: 1.0}, {c: 0.0}, 0.0) for o, c in _sealed(moment.before).items()}
                results.append(reference.judge(one, known))
            assert results[0] == results[1]
    assert compared or name != "poch"


def _sealed(state: Any) -> dict[int, int]:
    return {seat: choice for seat, choice in enumerate(getattr(state, "choice", [])) if choice >= 0}


def test_progress_goes_from_nothing_to_all():
    heard: list[tuple[int, int]] = []

    analysed(record_of(random_game(GAMES["pokopop"], 3, {}, "heard")), lambda done, total: heard.append((done, total)))

    assert heard[0][0] == 0
    assert heard[-1][0] == heard[-1][1]
    assert heard == sorted(heard)

"""Reports: they listen to the very games of a match, count what the rules tell, and other numbers stay in the lab."""

import re

import numpy as np
import pytest

from pokade import records
from pokade.arena.casting import Cast, plain_player
from pokade.arena.changed import changed, changes_from, numbers_of
from pokade.arena.kernel import cache_directory
from pokade.arena.loops import Arena
from pokade.arena.measures import NUMBER, ROWS, TOTAL, measures_of
from pokade.arena.report.listening import Listening
from pokade.arena.report.run import Report, other_values, run
from pokade.arena.report.tables import as_csv, tables
from pokade.arena.simulate import Estimate
from pokade.arena.streams import Duplicate, luck_of
from pokade.cli.report_page import Page
from pokade.cli.report_pictures import within_a_page
from pokade.games import GAMES
from pokade.games.errors import BadRun
from pokade.games.game import Game, number_in, one_of
from pokade.games.play import Play
from pokade.games.state import WIDTH
from pokade.loop import by_view
from pokade.loop import run as steps_of
from pokade.texts import LANGUAGES, entry

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
FIRST, *OTHERS = GAMES.values()
every_compiled_game = pytest.mark.parametrize(  # each takes seconds to compile, so `make soak` has the others
    "game", [FIRST, *(pytest.param(game, marks=pytest.mark.soak) for game in OTHERS)], ids=lambda game: game.name
)
POK = GAMES["pok"]
LEVELS = ("casual", "random", "novice", "casual-bold")


def seated(n: int) -> list[str]:
    return [LEVELS[seat % len(LEVELS)] for seat in range(n)]


@every_compiled_game
def test_games_that_are_listened_to_are_those_of_a_match(game: Game):
    n = game.usual_seats

    rows, _ = Listening(game, n).observe(Cast(game, seated(n)), 5, 7, 40)

    assert (rows == Arena(game, n).play(5, 7, 40, seated(n))).all()


@every_compiled_game
def test_what_is_counted_of_compiled_games_is_what_plain_ones_tell(game: Game):
    n, measures = game.usual_seats, measures_of(game)
    told = np.zeros((max(1, len(measures.measures)), ROWS, 3), np.int64)
    for number in range(6):
        luck, play = luck_of(3, number), Play(game, n)
        players = [plain_player(who, game, luck) for who in seated(n)]
        for step in steps_of(play, Duplicate(3, number, play), by_view(players)):
            for event in range(play.state.n_told if step.is_open else 0):
                code, who, what, more, _ = play.state.told[event * WIDTH : (event + 1) * WIDTH]
                measures.note(play.state, code, who, what, more, told)

    _, counts = Listening(game, n).observe(Cast(game, seated(n)), 3, 0, 6)

    assert (counts == told).all()
    assert told.any() == bool(measures.measures)


def test_a_challenge_counts_as_met_when_the_rules_say_so():
    """Ones on the disc, no twos, threes on the disc: two discs and a square meet nothing, one disc meets the ones."""
    note, counts = measures_of(POK).note, np.zeros((4, ROWS, 3), np.int64)
    for picks in ("pick O", "pick O", "pick S"), ("pick O", "pick S", "pick S"):
        play = Play(POK, 3)
        for outcome in (0, 3, 0):
            play.happen(outcome)
        told = play.state.told[: play.state.n_told * WIDTH]
        for seat, words in enumerate(picks):
            play.choose(seat, words)
        for row in (told, play.state.told[: play.state.n_told * WIDTH]):
            for at in range(0, len(row), WIDTH):
                note(play.state if row is not told else _thrown(), *row[at : at + 4], counts)

    assert counts[0, :, NUMBER].tolist()[:3] == [2, 0, 2]
    assert counts[0, :, TOTAL].tolist()[:3] == [1, 0, 0]


def _thrown() -> object:
    play = Play(POK, 3)
    for outcome in (0, 3, 0):
        play.happen(outcome)
    return play.state


@pytest.mark.parametrize("language", LANGUAGES)
@every_game
def test_every_measure_and_every_number_has_its_words(game: Game, language: str):
    own, known = entry(language, "report.game").get(game.name, {}), measures_of(game)

    assert list(own.get("measure", {})) == [measure.name for measure in known.measures]
    assert list(own.get("number", {})) == list(known.numbers)
    for measure in known.measures:
        words = own["measure"][measure.name]
        rows = entry(language, f"{game.name}.{measure.words}") if measure.words else words["rows"]
        assert len(rows) == measure.rows
        assert ("unit" in words) != measure.is_part


def test_the_other_values_of_an_option_are_all_or_half_and_double():
    assert list(other_values(one_of("way", "up", "down", "both"), 3)) == ["down", "both"]
    assert list(other_values(number_in("deals", range(1, 100), 10), 3)) == [5, 20]
    assert list(other_values(number_in("deals", range(4, 7), 5), 3)) == [4, 6]
    assert list(other_values(number_in("waits", range(9), 0), 3)) == [8]


@pytest.fixture(scope="module")
def report() -> Report:
    return run(Report(POK, 3, 400, seed=2), threads=1)


def test_the_same_seed_gives_the_same_numbers_on_any_number_of_threads(report: Report):
    again = run(Report(POK, 3, 400, seed=2), threads=3)

    one, other = ({name: as_csv(rows) for name, rows in tables(each).items()} for each in (report, again))
    assert one == other
    assert set(one) == {"games", "seats", "length", "endings", "measures", "options", "levels", "cross"}
    assert one["seats"].count("\n") == 1 + 3 * 3


def test_the_numbers_of_a_report_add_up(report: Report):
    found = tables(report)

    for level in ("random", "novice", "casual"):
        assert sum(row["share"] for row in found["seats"] if row["level"] == level) == pytest.approx(1)
    assert sum(row["games"] for row in found["length"]) == 400
    assert sum(row["part"] for row in found["length"]) == pytest.approx(1)
    assert report.usual.spread().mean >= 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_stands_alone_with_its_pictures(report: Report, language: str):
    page = Page(report, language).html()

    names = re.findall(r'\bid="([^"]+)"', page)
    assert page.count("<svg") == 4 + len(report.measures)
    assert len(names) == len(set(names))
    assert set(re.findall(r'(?:url\(|href=")#([^")]+)', page)) <= set(names)
    assert not re.search(r'(src|href)="(?!#)|@import|<script', page)
    assert "currentColor" in page
    assert entry(language, "report.seats.title").replace("'", "&#x27;") in page


def test_a_picture_within_a_page_has_names_of_its_own():
    svg = '<?xml?>\n<svg height="5pt" width="7pt" id="a"><use href="#a"/><g clip-path="url(#b)"/></svg>'

    assert within_a_page(svg, "x") == '<svg id="x-a"><use href="#x-a"/><g clip-path="url(#x-b)"/></svg>'


def test_changed_numbers_change_the_game_and_leave_the_real_one_alone():
    other = changed(POK, {"twos_blanks": 0})
    _, counts = Listening(other, 3).observe(Cast(other, ["casual"] * 3), 1, 0, 50)
    _, before = Listening(POK, 3).observe(Cast(POK, ["casual"] * 3), 1, 0, 50)

    assert counts[0, 0, NUMBER] == counts[0, 1, NUMBER]  # the die of twos is never blank
    assert before[0, 0, NUMBER] > before[0, 1, NUMBER]
    assert other is changed(POK, {"twos_blanks": 0})
    assert changed(POK, {"twos_blanks": 3}) is POK
    assert numbers_of(POK)["twos_blanks"] == 3
    assert numbers_of(other)["twos_blanks"] == 0


@every_game
def test_a_game_is_played_to_its_end_with_each_number_at_either_end(game: Game):
    for name, number in measures_of(game).numbers.items():
        for value in (number.takes[0], number.takes[-1]):
            play, luck = Play(changed(game, {name: value}), game.seats[0]), luck_of(1, 1)
            players = [plain_player("casual", play.game, luck) for _ in range(game.seats[0])]
            for _ in steps_of(play, Duplicate(1, 1, play), by_view(players)):
                pass
            assert play.is_over


def test_compiled_code_of_changed_numbers_is_kept_apart(tmp_path):
    assert cache_directory([], tmp_path) != cache_directory([], tmp_path, "(('twos_blanks', 0),)")


def test_changed_numbers_never_leave_the_lab():
    other = changed(POK, {"goal": 3})
    play = Play(other, 3)

    assert other not in GAMES.values()
    with pytest.raises(ValueError, match="no game that a record can hold"):
        records.write(play, ["Ada", "Ben", "Cleo"])
    with pytest.raises(ValueError, match="own numbers"):
        Cast(other, ["strong"] * 3)


@pytest.mark.parametrize("given", ["goal", "colour=3", "goal=9", "goal=x", "goal=-1"])
def test_a_change_that_is_none_is_refused(given: str):
    with pytest.raises(BadRun):
        changes_from(POK, [given])


def test_a_report_on_changed_numbers_shows_both_games():
    found = run(Report(POK, 3, 60, changes={"goal": 2}))

    before, after = tables(found)["changes"]
    assert after["rounds"] < before["rounds"]
    assert after["numbers"] == "goal=2"
    assert "strong" not in {row["level"] for row in tables(found)["levels"]}
    assert isinstance(found.usual.spread(), Estimate)

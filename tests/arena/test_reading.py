"""The master level: what it believes of rivals, how far it leans on that, and that compiled tables play the same."""

import random

import numpy as np
import pytest

from pokade.arena import reading
from pokade.arena.bots import bot, read, thought
from pokade.arena.casting import Cast
from pokade.arena.reading.beliefs import BOLD, LOSS, REFERENCE, TRUST, believed, expected, leaned, sureness
from pokade.arena.reading.pok.guessing import _guesses, guesses
from pokade.arena.reading.pok.kinds import CASUAL, NOVICE
from pokade.arena.reading.pok.reference import answers, mixtures, reference
from pokade.arena.tournament import Tournament, run
from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.play import Play, View, legal
from pokade.games.pok import GAME, SYMBOLS
from pokade.games.recall import Recall
from pokade.games.state import columns, members
from pokade.loop import by_view
from pokade.loop import run as steps_of
from pokade.players import LUCK, Recalling, player, policy
from tests.games.test_pok import choosing

readers = pytest.mark.parametrize("name", [name for name, game in GAMES.items() if reading.has_reader(game)])
SLIGHT = 1e-3  # of a win: what a solution leaves to be gained in one choice


def test_without_anything_seen_all_is_as_it_was():
    belief = believed([], 3)

    assert belief == pytest.approx([TRUST, (1 - TRUST) / 2, (1 - TRUST) / 2])
    assert sureness(belief) == 0


def test_a_choice_makes_the_kinds_likelier_that_would_have_made_it():
    belief = believed([(0.5, 0.1, 0.1)] * 2 + [(0.1, 0.1, 0.9)] * 4, 3)
    weights = [TRUST * 0.5**2 * 0.1**4, (1 - TRUST) / 2 * 0.1**6, (1 - TRUST) / 2 * 0.1**2 * 0.9**4]

    assert belief == pytest.approx([weight / sum(weights) for weight in weights])
    assert sureness(belief) == pytest.approx(1 - belief[REFERENCE] / TRUST)


def test_choices_that_speak_for_the_reference_are_no_reason_to_leave_it():
    assert sureness(believed([(0.9, 0.1)] * 5, 2)) == 0


def test_what_is_expected_of_a_rival_is_the_mean_of_its_kinds():
    assert expected([0.25, 0.75], [(1.0, 0.0), (0.2, 0.8)]) == pytest.approx([0.4, 0.6])


def test_nothing_is_leaned_on_that_is_not_known():
    assert leaned([0.3, 0.7], [0.9, 0.1], [0.5, 0.5], sure=0.0) == pytest.approx([0.3, 0.7])


def test_the_best_answer_never_counts_for_all():
    assert leaned([0.3, 0.7], [0.9, 0.1], [0.5, 0.5], sure=1.0) == pytest.approx([0.3 + 0.7 * BOLD, 0.7 - 0.7 * BOLD])


@pytest.mark.parametrize("risk", [0.02, 0.1, 0.5])
def test_leaning_loses_no_more_than_is_allowed_if_all_play_the_reference(risk: float):
    assured = [0.6 - risk, 0.6]

    chances = leaned([0.0, 1.0], [0.9, 0.1], assured, sure=1.0)

    assert sum(map(float.__mul__, chances, assured)) >= 0.6 - LOSS - 1e-12


def played(rounds: int, rivals: list[str], seed: int = 1) -> Play:
    """A game in which seat 0 plays casual, up to the choice of a later round."""
    play = Play(GAME, 1 + len(rivals))
    minds = [player(who, GAME, f"{seed} {seat}") for seat, who in enumerate(["casual", *rivals])]
    for _ in steps_of(play, Seeded(seed), by_view(minds)):
        if play.state.round > rounds and play.turn > 0:
            break
    return play


def test_with_no_past_it_plays_as_the_strong_level():
    view = choosing("O SS -", 3).view(0)

    assert [read(view, luck) for luck in range(20)] == [thought(view, luck) for luck in range(20)]


@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_a_symbol_that_the_reference_mixes_is_worth_no_less_than_any_other(n_seats: int):
    play = choosing("O SS -", n_seats, hands=" ".join(["OOSSTT", *["OSSTT"] * (n_seats - 1)]))
    state = play.view(0).state
    mixed = reference(state)

    worths = answers(state, 0, (mixed,))[0]

    slight = SLIGHT if n_seats < 5 else 0.02  # a search is not as exact
    assert all(max(worths) - worths[symbol] < slight for symbol in range(SYMBOLS) if mixed[0][symbol] > 0.05)
    assert all(sum(row) == pytest.approx(1) for row in mixed)


def test_an_answer_counts_all_that_rivals_may_show():
    # One disc goes; seat 1 shows a disc for sure and seat 2 never does: my disc stops seat 1, my square lets it win.
    state = choosing("O - -", 3, hands="OOSS OT SSTT").view(0).state

    disc, square, _ = answers(state, 0, ([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],))[0]

    assert square == 0.0
    assert disc > 0.1


@pytest.mark.parametrize(("kind", "name"), [(CASUAL, "casual"), (NOVICE, "novice")])
def test_a_kind_shows_what_the_level_shows(kind: int, name: str):
    play, rng, times = played(3, ["casual"] * 3), random.Random(5), 6000
    seat = 2
    decide, shown = policy(name, GAME), np.zeros(SYMBOLS)
    for _ in range(times):
        shown[decide(play.view(seat).state, seat, rng.randrange(LUCK))] += 1 / times

    assert guesses(play.view(0).state)[seat][kind] == pytest.approx(shown.tolist(), abs=0.04)


def sealed_rounds(name: str, times: int) -> list[View]:
    """Views with their past, of sealed rounds that the reader covers, from a game of casual players."""
    game, found = GAMES[name], []
    play = Play(game, game.seats[1])
    recall, reader = Recall(play, 0), reading.reader_of(game)
    minds = by_view([player("casual", game, seat) for seat in range(play.n_seats)])

    def decide(play: Play, seat: int) -> int:
        if seat == 0 and reader.covers(play.view(0)):
            found.append(recall.view(play))
        return minds(play, seat)

    for _ in steps_of(play, Seeded(6), decide):
        pass
    return found[:: max(1, len(found) // times)]


@readers
def test_every_kind_mixes_what_is_allowed_and_nothing_else(name: str):
    for view in sealed_rounds(name, 8):
        guessed = reading.reader_of(view.game).guesses(view.state)
        for seat in members(view.turn):
            allowed = legal(view.game, view.state, seat)
            assert len(guessed[seat]) == reading.reader_of(view.game).KINDS
            for mixture in guessed[seat]:
                assert sum(mixture) == pytest.approx(1)
                assert all(chance == 0 or choice in allowed for choice, chance in enumerate(mixture))


@readers
def test_what_is_played_is_a_mixture_of_what_is_allowed(name: str):
    leaning = 0
    for view in sealed_rounds(name, 8):
        chances = reading.chances(view)
        unread = [reading.reader_of(view.game).reference(view.state)[view.seat][choice] for choice in view.choices]
        assert sum(chances) == pytest.approx(1)
        assert min(chances) >= 0
        leaning += chances != pytest.approx(unread)

    assert leaning > 0  # casual players give reasons


def first_symbol(play: Play, seat: int) -> int:
    """Everybody but seat 0 always shows the first symbol that is left."""
    return play.legal(seat)[0] if seat else player("casual", GAME, len(play.steps))(play.view(seat))


def gained_by_reading(n_seats: int, seed: int) -> float:
    """What reading is worth in the fifth round, against what those rivals will really show."""
    play = Play(GAME, n_seats)
    for _ in steps_of(play, Seeded(seed), first_symbol):
        if play.state.round > 4 and play.turn > 0:
            break
    view = Recall(play, 0).view(play)
    rivals = [[float(symbol == play.legal(seat)[0]) for symbol in range(SYMBOLS)] for seat in range(n_seats)]
    worths = answers(view.state, 0, (rivals,))[0]
    unread = [reference(view.state)[0][choice] for choice in view.choices]
    leaning = zip(view.choices, reading.chances(view), unread, strict=True)
    return sum((chance - before) * worths[choice] for choice, chance, before in leaning)


@pytest.mark.parametrize("n_seats", [3, 5])
def test_it_reads_a_habit_and_leans_on_it(n_seats: int):
    assert sum(gained_by_reading(n_seats, seed) for seed in range(1, 13)) > 0.02


def test_the_same_past_and_luck_give_the_same_choice_in_any_process():
    play = played(8, ["novice", "random"])
    views = [Recall(play, 0).view(play) for _ in range(2)]
    first = [read(views[0], luck) for luck in range(30)]
    _guesses.cache_clear()
    mixtures.cache_clear()

    assert [read(views[1], luck) for luck in range(30)] == first


def test_a_master_gets_the_past_of_its_seat_and_the_strong_level_does_not():
    assert isinstance(bot("master", GAME, 1), Recalling)
    assert isinstance(bot("master-bold", GAME, 1), Recalling)
    assert not isinstance(bot("strong", GAME, 1), Recalling)


@readers
def test_compiled_and_plain_tables_play_the_same_games(name: str):
    tournament = Tournament(GAMES[name], ["master", "casual", "master-bold"], 3)

    run(tournament, 3)

    assert tournament.is_compiled
    plain = [tournament.play(number) for number in range(3)]
    assert [(one.who, one.points, one.choices) for one in tournament.played] == [
        (one.who, one.points, one.choices) for one in plain
    ]


def seen_in(view: View) -> list[list[object]]:
    """The past of a view without what was told, which compiled tables leave out."""
    names = [column.name for column in columns(GAME.state) if column.name not in ("told", "n_told", "unheard")]
    return [[getattr(earlier.state, name) for name in names] for earlier in view.past]


def test_a_compiled_table_shows_what_a_plain_one_shows(monkeypatch: pytest.MonkeyPatch):
    pasts: list[list[list[object]]] = []
    tournament = Tournament(GAME, ["master", "casual", "casual"], 4)

    def listening(view: View) -> list[float]:
        pasts.append(seen_in(view))
        return [1.0] * len(view.choices)

    monkeypatch.setattr(reading, "chances", listening)
    run(tournament, 2)
    compiled = pasts[:]
    pasts.clear()
    for number in range(2):
        tournament.play(number)

    assert compiled == pasts
    assert len(compiled) > 10


def test_only_the_master_level_is_shown_what_has_happened():
    assert Cast(GAME, ["master", "casual"]).recalls == [True, False]
    assert not Cast(GAME, ["casual", "random"]).is_recalling

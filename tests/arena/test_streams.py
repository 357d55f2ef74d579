"""Random numbers: the plain streams draw what the compiled ones draw."""

import numpy as np
import pytest

from pokade.arena.draws import below, next_word, start_luck, start_round
from pokade.arena.kernel import compiled
from pokade.arena.streams import Duplicate, Stream, luck_of
from pokade.games import GAMES
from pokade.games.play import Play

GAME = GAMES["pok"]


def draws_of(rng: object, counts: object, drawn: object) -> int:
    """Numbers below these counts, and a whole word after them."""
    for at in range(len(counts)):
        drawn[at] = below(rng, counts[at])
    return next_word(rng)


COUNTS = np.array([2, 3, 6, 52, 1, 1 << 31, (1 << 31) + 1, 3_000_000_000] * 50)


@pytest.mark.parametrize("seed", [0, 7, (1 << 64) - 1])
def test_plain_and_compiled_streams_are_the_same(seed: int):
    rng, drawn = np.zeros(1, np.uint64), np.zeros(len(COUNTS), np.int64)
    for start, numbers, plain in (
        (start_round, (5, 3), Stream(seed, 5, 3)),
        (start_luck, (5,), luck_of(seed, 5)),
    ):
        compiled(start, GAME)(rng, np.uint64(seed), *numbers)

        word = compiled(draws_of, GAME)(rng, COUNTS, drawn)

        assert drawn.tolist() == [plain.randrange(count) for count in COUNTS.tolist()]
        assert int(word) == plain.getrandbits(64)


def test_dice_of_a_round_are_the_same_however_much_was_drawn_before():
    play = Play(GAME, 3)
    long, short = Duplicate("a", 4, play), Duplicate("a", 4, play)
    first = [long.draw(6) for _ in range(20)]

    play.state.round += 1

    assert [long.draw(6) for _ in range(9)] == [short.draw(6) for _ in range(9)]
    assert first[:9] != [Duplicate("a", 5, play).draw(6) for _ in range(9)]

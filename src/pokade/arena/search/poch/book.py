"""The book of bids: its file, and the work of learning it.

The file is one line of JSON, then the numbers, compressed: edges between classes of hands, mixtures, sizes.
"""

import json
import lzma
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from pokade.arena.kernel import cell_of, compiled, record_type, visible
from pokade.arena.memory import made
from pokade.arena.search.poch.bidding import fear, prepare_tails
from pokade.arena.search.poch.learning import Lessons, play_games
from pokade.arena.search.poch.memory import BIDS, FEWEST, RECORDS, SIZES, VARIANTS, Memory, Table
from pokade.games.cards import CARDS
from pokade.games.poch import GAME
from pokade.games.state import packed

FILE: Final = Path(__file__).with_name("bids.book")
FORMAT: Final = "book/1"
WHOLE: Final = 255  # a mixture's parts
FIELDS: Final = ("edges", "book", "sizes")  # of the table, which the file holds
SAMPLED: Final = 20_000  # hands that the edges between classes are drawn from
BETTER: Final = (0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.26, 0.33, 0.4, 0.48, 0.56, 0.65, 0.74, 0.83, 0.92)  # at an edge
PIECE: Final = 100  # games that are played at a time


def read(table: Any) -> None:
    """Fill in the book that comes with the package."""
    _, packed_numbers = FILE.read_bytes().split(b"\n", 1)
    fill(table, packed_numbers)


def fill(table: Any, packed_numbers: bytes) -> None:
    """Fill in what a file holds."""
    numbers, at = lzma.decompress(packed_numbers), 0
    for name in FIELDS:
        field = getattr(table, name)
        size = field.nbytes
        field[:] = np.frombuffer(numbers[at : at + size], field.dtype).reshape(field.shape)
        at += size


def written(table: Any, heading: dict[str, Any]) -> bytes:
    """The file of a book."""
    numbers = b"".join(getattr(table, name).tobytes() for name in FIELDS)
    return json.dumps(heading).encode() + b"\n" + lzma.compress(numbers, preset=9)


def learn(file: Path, lessons: int, seed: int, progress: Callable[[int, int], None]) -> None:
    """Learn the whole book, or what is still missing of it: it is written down after each number of players.

    The same number of lessons and seed make the same book.
    """
    heading: dict[str, Any] = {"format": FORMAT, "game": GAME.name, "lessons": lessons, "seed": seed, "learnt": []}
    table, _ = made(Table)
    prepare_tails(table)
    if file.exists():
        first, packed_numbers = file.read_bytes().split(b"\n", 1)
        if json.loads(first) | {"learnt": []} == heading:
            heading = json.loads(first)
            fill(table, packed_numbers)
    for variant in range(VARIANTS):
        for size in range(SIZES):
            if [variant, size] not in heading["learnt"]:
                learn_one(table, variant, size, lessons, seed)
                heading["learnt"].append([variant, size])
                file.write_bytes(written(table, heading))
            progress(len(heading["learnt"]), VARIANTS * SIZES)


def learn_one(table: Any, variant: int, size: int, enough: int, seed: int) -> None:
    """Learn the part of the book for one number of players and one variant; every seat has a lesson in every deal."""
    n_seats = size + FEWEST
    table.edges[size] = edges(table, n_seats, seed)
    lessons, _ = made(Lessons)
    lessons.book[:] = 1.0 / BIDS
    lessons.sizes[:] = 1.0
    memory, _ = made(Memory)
    states, flats, start = _records(n_seats, variant)
    rng = np.array([seed * VARIANTS * SIZES + variant * SIZES + size], np.uint64)
    play = compiled(play_games, GAME)
    while lessons.n_deals * n_seats < enough:
        play(states, flats, start, table, memory, lessons, rng, PIECE)
    table.book[variant, size] = _parts(lessons.sums)
    table.sizes[variant, size] = _parts(lessons.sizes)


def edges(table: Any, n_seats: int, seed: int) -> list[float]:
    """Where classes of hands end: they hold fixed parts of all hands, the best ones smaller parts."""
    source = random.Random(f"pokade book {seed} {n_seats}")
    hands = [sum(1 << dealt for dealt in source.sample(range(CARDS), CARDS // n_seats)) for _ in range(SAMPLED)]
    feared = sorted(fear(table, n_seats, hand, 0) for hand in hands)
    return [feared[int(part * SAMPLED)] for part in BETTER]


def _records(n_seats: int, variant: int) -> tuple[Any, Any, Any]:
    """Room to play in, and the start of a game of a variant."""
    showdown, bluff = divmod(variant, 2)
    options = {"showdown": ("bidders", "everyone")[showdown], "bluff": ("not-best", "no-set")[bluff]}
    cells = visible(GAME).shape[1]
    states = np.zeros(RECORDS, record_type(GAME))
    flats = states.view(np.int64).reshape(RECORDS, -1)[:, :cells]
    start = np.array(packed(GAME.new(n_seats, options)), np.int64)[:cells].copy()
    start[cell_of(GAME, "unheard")] = 1
    return states, flats, start


def _parts(weights: Any) -> Any:
    """Weights as parts of a whole."""
    total = weights.sum(axis=-1, keepdims=True)
    return np.round(WHOLE * weights / np.where(total > 0.0, total, 1.0))

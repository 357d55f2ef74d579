"""A dataset on disk: Parquet files of choices, the records of the games, a schema and a card.

Polars writes and reads the Parquet files (extra `[data]`). Rows come in the order of games and steps, and files end
after the same games whatever the number of threads: the same seed gives the same bytes.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from pokade import records
from pokade.arena.dataset.loops import OF_CHOICE, OF_GAME, OF_PHASE, OF_ROUND, OF_SEAT
from pokade.arena.dataset.playing import Piece, Writing, actions_of, games_of
from pokade.arena.encoding import Encoder
from pokade.arena.runs import Workers, check_seats, in_order
from pokade.arena.tournament import Tournament
from pokade.games.errors import BadRun
from pokade.games.play import Play
from pokade.players import is_strong

BATCH: Final = 512  # games of a piece …
SEARCHED: Final = 4  # … and where somebody searches
FILE_ROWS: Final = 1 << 18  # rows after which a file is closed
COLUMNS: Final = {
    "game": "number of the game, from 0",
    "round": "round of the game, from 1",
    "seat": "seat that chose, from 0",
    "player": "who sat there",
    "phase": "phase of the game, as the rules number them",
    "observation": "the seat's view as numbers (see features)",
    "mask": "1 for each action that was allowed",
    "choice": "the choice, as the rules number it",
    "action": "the action that stands for it",
    "mixture": "how often the player takes each action here, where that is known; else null",
    "share": "the seat's part of the win at the end of the game",
    "points": "the seat's points at the end of the game",
}


@dataclass(slots=True)
class Dataset:
    """What is asked for, and how far it is."""

    tournament: Tournament
    games: int
    folder: Path
    n_records: int | None = None  # games that are written as records too; None for all
    choices: int = 0
    files: list[str] = field(default_factory=list)

    @property
    def encoder(self) -> Encoder:
        return Encoder(self.tournament.game, self.tournament.size, self.tournament.options)


def polars() -> Any:
    """The library, or a sentence about it."""
    try:
        import polars as pl  # noqa: PLC0415 - an extra
    except ImportError:
        raise BadRun("data/missing", "datasets need Polars: pip install 'pokade[data]'") from None
    return pl


def load(folder: Path | str) -> Any:
    """All choices of a dataset as a lazy frame of Polars; observation, mask and mixture are arrays."""
    return polars().scan_parquet(Path(folder) / "choices-*.parquet")


def write(dataset: Dataset, workers: int | Workers = 1, progress: Callable[[int], None] = lambda _: None) -> None:
    """Play the games and write everything."""
    polars()
    tournament = dataset.tournament
    check_seats(workers, [tournament.outsiders.get(name, name) for name in tournament.entrants])
    size = SEARCHED if any(map(is_strong, tournament.entrants)) else BATCH
    batches = (range(at, min(at + size, dataset.games)) for at in range(0, dataset.games, size))
    pending: list[Any] = []
    with (dataset.folder / "records.pok.toml").open("w", encoding="utf-8", newline="\n") as file:
        for piece in in_order(Writing.of(tournament), batches, workers):
            for text in _records(dataset, piece):
                file.write(text)
            pending.append(_frame(dataset, piece))
            if sum(map(len, pending)) >= FILE_ROWS:
                _close(dataset, pending)
            progress(piece.first + len(piece.who))
    if pending:
        _close(dataset, pending)
    (dataset.folder / "schema.json").write_text(json.dumps(schema(dataset), indent=1) + "\n", "utf-8")


def _close(dataset: Dataset, pending: list[Any]) -> None:
    name = f"choices-{len(dataset.files):05}.parquet"
    frame = polars().concat(pending, rechunk=True)
    frame.write_parquet(
        dataset.folder / name, compression="zstd", compression_level=1, statistics=False, row_group_size=FILE_ROWS
    )
    dataset.files.append(name)
    dataset.choices += len(frame)
    pending.clear()


def _frame(dataset: Dataset, piece: Piece) -> Any:
    """The choices of a piece as a frame."""
    pl, rows, names = polars(), piece.rows, dataset.tournament.entrants
    game, seat = rows[:, OF_GAME], rows[:, OF_SEAT]
    mixture = pl.Series("mixture", np.nan_to_num(piece.mixtures))
    is_known = pl.Series(~np.isnan(piece.mixtures[:, 0]))
    frame = pl.DataFrame(
        {
            "game": (game + piece.first).astype(np.int64),
            "round": rows[:, OF_ROUND].astype(np.int16),
            "seat": seat.astype(np.int8),
            "player": pl.Series(np.array(names)[piece.who[game, seat]]).cast(pl.Enum(list(dict.fromkeys(names)))),
            "phase": rows[:, OF_PHASE].astype(np.int8),
            "observation": piece.numbers,
            "mask": piece.masks,
            "choice": rows[:, OF_CHOICE].astype(np.int32),
            "action": actions_of(dataset.encoder, piece).astype(np.int32),
            "mixture": mixture,
            "share": piece.shares[game, seat].astype(np.float32),
            "points": piece.points[game, seat].astype(np.int32),
        }
    )
    return frame.with_columns(pl.when(is_known).then(pl.col("mixture")).otherwise(None).alias("mixture"))


def _records(dataset: Dataset, piece: Piece) -> Iterator[str]:
    """The games of a piece as records, one after the other."""
    tournament = dataset.tournament
    for number, steps in games_of(piece):
        if dataset.n_records is None or number < dataset.n_records:
            play = Play(tournament.game, tournament.size, tournament.options)
            for actor, value in steps:
                play.take(actor, value)
            names = [tournament.entrants[who] for who in piece.who[number - piece.first]]
            yield ("---\n" if number else "") + records.write(play, names)


def schema(dataset: Dataset) -> dict[str, Any]:
    """What is in the files, for programs."""
    tournament, encoder = dataset.tournament, dataset.encoder
    return {
        **{name: value for name, value in tournament.heading().items() if name != "files"},
        "games": dataset.games,
        "choices": dataset.choices,
        "files": dataset.files,
        "columns": COLUMNS,
        "features": [str(feature) for feature in encoder.features],
        "actions": encoder.n_actions,
        "first_action_of_phase": encoder.layout.action.tolist(),
        "budget": asdict(tournament.budget),
    }

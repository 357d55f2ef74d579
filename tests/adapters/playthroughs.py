"""Writes how each game looks to OpenSpiel: `python -m tests.adapters.playthroughs`."""

from pokade.games import GAMES
from tests.adapters.test_openspiel import PLAYTHROUGHS, played_through


def main() -> None:
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for name in GAMES:
        (PLAYTHROUGHS / f"{name}.txt").write_text(played_through(name), "utf-8")


if __name__ == "__main__":
    main()

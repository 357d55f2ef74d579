"""`make docs`: writes the protocol page and draws the pictures of the README, the rules and the theory."""

from pathlib import Path

from docs import encoding, fields, protocol, theory
from docs.pictures import write_terminal
from docs.screens import write_screens

from pokade.arena.runs import all_threads
from pokade.arena.simulate import Match, run
from pokade.cli.plot import plot
from pokade.games import GAMES

HERE = Path(__file__).parent / "pictures"


def main() -> None:
    """Every page and picture that is made by a program."""
    protocol.write()
    fields.write()
    encoding.write()
    theory.write()
    write_terminal()
    write_screens()
    match = Match(GAMES["poch"], ["casual", "random", "random", "random"], 300_000, seed=1, threads=all_threads())
    plot(run(match), HERE / "simulate.svg", "en")


if __name__ == "__main__":
    main()

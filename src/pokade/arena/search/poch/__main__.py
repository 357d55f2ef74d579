"""`python -m pokade.arena.search.poch` learns the book of bids again; a run that was stopped goes on where it was."""

import argparse
import sys
from pathlib import Path

from pokade.arena.search.poch.book import FILE, learn

parser = argparse.ArgumentParser(prog="python -m pokade.arena.search.poch", description=__doc__)
parser.add_argument("--lessons", type=int, default=600_000, help="for each number of players and variant")
parser.add_argument("--seed", type=int, default=2026)
parser.add_argument("--out", type=Path, default=FILE)
given = parser.parse_args()
learn(given.out, given.lessons, given.seed, lambda done, of: print(f"{done} of {of}", file=sys.stderr))  # noqa: T201

"""A copy of the source tree with a fifth game in it, as `pokade new-game` makes it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
NAME, TITLE = "pennies", "Matching Pennies"
LEFT_OUT: Final = (".*", "node_modules", "dist", "site", "__pycache__", "*.png", "*.webp")


def copied(place: Path) -> Path:
    """The tree as it is now, without what is made from it."""
    tree = place / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
    return tree


def call(tree: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a module with the code of a tree; "-c" and a line of Python instead run that."""
    environment = os.environ | {"PYTHONPATH": str(tree / "src")}
    command = [sys.executable, *(() if words[0] == "-c" else ("-m",)), *map(str, words)]
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)


def with_a_further_game(place: Path) -> Path:
    """A copy with a further game."""
    tree = copied(place)
    done = call(tree, "pokade", "new-game", NAME, "--title", TITLE)
    assert done.returncode == 0, done.stderr
    return tree

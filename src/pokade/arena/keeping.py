"""Results that are kept in a file: one line says which run they are of, each further line is a game or a count."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pokade.games import GAMES
from pokade.games.errors import BadRun
from pokade.games.game import Game

INSTEAD: Final = "name another file, or take that one away"


def code_of(game: Game) -> str:
    """A digest of the rules, the built-in players and the arena: games of other code are of another tournament."""
    here = Path(__file__).parents[1]
    files = [here / "chance.py", here / "loop.py"]
    for folder in ("games", "players", "arena"):
        files += sorted(file for kind in ("*.py", "*.book") for file in (here / folder).rglob(kind))
    others = set(GAMES) - {game.name} | {"plot"}
    played = [file for file in files if not others & {file.stem, *file.relative_to(here).parts}]
    return digest_of(played)


def digest_of(files: Iterable[Path]) -> str:
    """What changes when one of these files does."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in sorted(files))).hexdigest()[:16]


def games_in(keep: Path, heading: dict[str, Any]) -> list[dict[str, Any]]:
    """The games in a file, as far as they are whole; begins the file if there is none or nothing in it."""
    heading = json.loads(json.dumps(heading))
    if not keep.exists() or keep.stat().st_size == 0:
        keep.write_text(json.dumps(heading) + "\n", "utf-8")
        return []
    try:
        first, *lines = keep.read_text("utf-8").split("\n")
        found = json.loads(first)
    except ValueError:
        found = None
    if found != heading:
        raise _difference(str(keep), found, heading)
    keep.write_text("\n".join([first, *lines[:-1], ""]), "utf-8")  # what follows the last line end was cut off
    return [json.loads(line) for line in lines[:-1]]


def _difference(file: str, found: Any, heading: dict[str, Any]) -> BadRun:
    """Why the games of a file are not those of this run."""
    if not isinstance(found, dict):
        return BadRun("keep/none", f"{file} holds no games that were kept; {INSTEAD}", file=file)
    changed = [name for name, value in heading.items() if found.get(name) != value]
    if changed == ["files"]:
        bot = next(name for name, digest in heading["files"].items() if found.get("files", {}).get(name) != digest)
        sentence = f"{file} holds games of another {bot} (the file has changed since); {INSTEAD}"
        return BadRun("keep/bot", sentence, file=file, bot=bot)
    if changed == ["code"]:
        return BadRun("keep/code", f"{file} holds games of other code (pokade has changed since); {INSTEAD}", file=file)
    what = ", ".join(changed)
    return BadRun("keep/other", f"{file} holds another run (other {what}); {INSTEAD}", file=file, what=what)

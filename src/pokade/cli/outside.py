"""Players that live in files outside the project: FILE.py:NAME is a function, or an object that can be called."""

import importlib.util
from pathlib import Path

from pokade.players import PLAYERS, TEMPERS, Player, is_player


def outsider(name: str) -> Player | None:
    """The player of a file; None if the name is a built-in player's. Refuses every other name."""
    if is_player(name):
        return None
    file, colon, function = name.rpartition(":")
    if not colon:
        known = f"{', '.join(PLAYERS)} (with a temper if you like: casual-{TEMPERS[0]})"
        raise ValueError(f"no player {name}; there are {known} and FILE.py:FUNCTION")
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    if spec is None or spec.loader is None or not Path(file).is_file():
        raise ValueError(f"{file} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = getattr(module, function, None)
    if not callable(found):
        raise ValueError(f"{file} has no function {function}")
    chosen: Player = found() if isinstance(found, type) else found
    return chosen

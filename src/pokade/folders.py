"""Where Pokade keeps things on this machine: the folders that its system has for that (XDG, Library, AppData)."""

from pathlib import Path
from typing import Final

import platformdirs

NAME: Final = "pokade"


def data_folder() -> Path:
    """For what must not be lost: the database of the server. Raises OSError."""
    return _known(platformdirs.user_data_path(NAME, appauthor=False))


def cache_folder() -> Path:
    """For what can be made again: compiled code. Raises OSError."""
    return _known(platformdirs.user_cache_path(NAME, appauthor=False))


def _known(folder: Path) -> Path:
    """A user without a home has none either: `~` would become a folder of that name wherever the program is started."""
    if not folder.is_absolute():
        raise FileNotFoundError(f"there is no home folder for {folder}")
    return folder

"""What several commands are tested with."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a record to a file of its own."""

    def written(content: str | bytes, name: str = "game.pok.toml") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written

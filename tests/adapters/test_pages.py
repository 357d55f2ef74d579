"""The code of docs/adapters.md and docs/encoding.md runs as it stands there."""

from pathlib import Path

import pytest

from tests.test_docs import blocks

DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = {
    f"{page}-{at}": block
    for page in ("adapters", "encoding")
    for at, block in enumerate(blocks((DOCS / f"{page}.md").read_text("utf-8"), "python"))
}


@pytest.mark.parametrize("name", BLOCKS)
def test_the_code_of_the_page_runs(name: str):
    exec(compile(BLOCKS[name], name, "exec"), {})  # noqa: S102 - our own page


def test_every_library_has_its_twenty_lines():
    assert len([name for name in BLOCKS if name.startswith("adapters")]) == 3
    assert all(len(block.splitlines()) <= 22 for block in BLOCKS.values())

"""The notebook for researchers: it runs from top to bottom, and its links lead somewhere."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

NOTEBOOK = Path(__file__).parents[1] / "docs" / "tour.ipynb"


def cells(kind: str) -> list[str]:
    return [
        "".join(cell["source"])
        for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
        if cell["cell_type"] == kind
    ]


def test_every_link_of_the_notebook_leads_somewhere():
    links = re.findall(r"\]\(([^)\s]+)\)", "".join(cells("markdown")))

    assert links
    assert [link for link in links if not (NOTEBOOK.parent / link).is_file()] == []


def test_the_notebook_is_kept_without_its_outputs():
    assert all(not cell.get("outputs") for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"])


@pytest.mark.soak
def test_the_notebook_runs_from_top_to_bottom(tmp_path: Path):
    code = "\n".join(cells("code")).replace("SECONDS = 20", "SECONDS = 4")
    assert "SECONDS = 4" in code

    settings = {**os.environ, "MPLBACKEND": "agg"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=settings,
        capture_output=True,
        text=True,
        timeout=20 * PATIENCE,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "learned.npz").is_file()

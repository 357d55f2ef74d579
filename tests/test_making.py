"""The two commands that a stranger starts with: what they install, and that they say so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import waiting

ROOT = Path(__file__).parents[1]


def dry(tmp_path: Path, target: str) -> str:
    """What make would do for a target in a clone where nothing is set up."""
    fresh = [f"VENV={tmp_path}/venv", f"NODE={tmp_path}/node", f"MODULES={tmp_path}/modules", f"CLIENT={tmp_path}/page"]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # of the make above us
    return subprocess.run(
        ["make", "--dry-run", *fresh, target], cwd=ROOT, env=alone, capture_output=True, text=True, check=True
    ).stdout


def test_playing_installs_no_test_tools(tmp_path: Path):
    done = dry(tmp_path, "play")

    assert "[dev]" not in done
    assert done.count("--editable .") == 1
    assert "pokade serve" in done.splitlines()[-1]


def test_testing_installs_them(tmp_path: Path):
    assert dry(tmp_path, "test-lint").count("--editable '.[dev]'") == 1


def test_the_node_that_builds_the_client_lies_beside_it_only(tmp_path: Path):
    assert [line for line in dry(tmp_path, "play").splitlines() if "nodejs" in line and "web/.node" not in line] == []


def test_a_step_says_what_it_does_and_when_it_is_done(capfd: pytest.CaptureFixture[str]):
    assert waiting.main("Thinking", sys.executable, "-c", "print('a long story')") == 0

    first, last = capfd.readouterr().out.splitlines()
    assert first == "Thinking …"
    assert last.startswith("Thinking: ")


def test_a_step_that_fails_shows_what_it_said(capfd: pytest.CaptureFixture[str]):
    assert waiting.main("Thinking", sys.executable, "-c", "import sys; sys.exit('no idea')") == 1

    told = capfd.readouterr()
    assert told.out.splitlines()[-1].endswith("FAILED")
    assert told.err == "no idea\n"

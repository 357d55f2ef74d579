"""A command in a process of its own, as people and programs call it."""

import json
import os
import subprocess
import sys
from typing import Any

from tests.patience import PATIENCE

PROGRAM = [sys.executable, "-c", "from pokade.cli import main; main()"]
CALM = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1"}


def ran(name: str, *arguments: object, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run it to its end; whatever it is given, it never shows a traceback."""
    called = [*PROGRAM, name, *map(os.fsencode, map(str, arguments))]
    done = subprocess.run(called, input=stdin, capture_output=True, timeout=PATIENCE, env=CALM | env, check=False)
    assert b"Traceback" not in done.stderr
    assert b"Traceback" not in done.stdout
    return done


def answered(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    """What it says of each record; its exit status says whether all are right."""
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == (0 if all(line["ok"] for line in lines) else 1)
    return lines

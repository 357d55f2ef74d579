"""What people install: the source distribution is complete, and the wheel made from it works on every Python."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from pokade import __version__
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
TAKES_LONG = 900  # seconds, for what never ends
pytestmark = pytest.mark.xdist_group("packaging")


def test_no_lock_file_knows_an_address():
    locks = [CONSTRAINTS, ROOT / "web" / "package.json", ROOT / "web" / ".npmrc"]

    assert [file.name for file in locks if "://" in file.read_text("utf-8")] == []


def test_every_python_that_is_tested_is_named():
    named = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text("utf-8"))

    assert tuple(named) == PYTHONS


def test_the_workflow_runs_on_all_of_them():
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")

    assert {tuple(json.loads(found)) for found in re.findall(r"python: (\[.*\])", workflow)} == {PYTHONS}


def test_the_hooks_before_a_commit_run_what_make_runs():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    made = (ROOT / "Makefile").read_text("utf-8")

    assert {"ruff format", "ruff check --fix"} <= set(re.findall(r"entry: \.venv/bin/(ruff .*)", hooks))
    assert all(f"$(BIN)/{command}" in made for command in ("ruff format .", "ruff check --fix ."))


def test_every_folder_that_people_write_is_in_the_source_distribution():
    written = {path.partition("/")[0] for path in tracked() if "/" in path and not path.startswith(".")}
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

    assert {f"/{folder}" for folder in written} <= {*pyproject["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]}


def tracked() -> list[str]:
    """The files that git knows; none in an unpacked distribution."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    return listed.stdout.split()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a source distribution, and the wheel that was built from it and from nothing else."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    return folder


@pytest.mark.soak
def test_the_source_distribution_has_all_that_its_own_tests_need(built: Path):
    with tarfile.open(next(built.glob("*.tar.gz"))) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}

    assert {name for name in tracked() if not name.startswith(".")} - names == set()
    assert [name for name in names if "node_modules" in name or name.startswith("web/dist")] == []


@pytest.mark.soak
@pytest.mark.parametrize("version", PYTHONS)
def test_the_wheel_plays_and_serves(version: str, built: Path, tmp_path: Path):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    run(python, "-m", "venv", tmp_path / "venv")
    pip = (tmp_path / "venv/bin/python", "-m", "pip", "install", "--quiet", "--constraint", CONSTRAINTS)
    run(*pip, next(built.glob("*.whl")))
    pokade = tmp_path / "venv/bin/pokade"

    assert run(pokade, "--version", cwd=tmp_path) == f"pokade {__version__}\n"
    assert json.loads(run(pokade, "replay", "--json", ROOT / "tests/golden/pok-1.pok.toml", cwd=tmp_path))["ok"]
    assert json.loads(run(pokade, "simulate", "pok", "--games", "100", "--json", cwd=tmp_path))["games"] == 100
    for address in served(pokade, tmp_path):
        scripts = re.findall(r'src="(/assets/[^"]+\.js)"', httpx.get(address, timeout=PATIENCE).text)
        script = httpx.get(address + scripts[0], timeout=PATIENCE)
        assert script.headers["Content-Type"].startswith("text/javascript")


def interpreter(version: str) -> Path | None:
    """The interpreter of a version: this one, one of the machine, or one of pyenv's."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return Path(sys.executable)
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found = [shutil.which(f"python{version}"), *sorted(versions.glob(f"{version}.*/bin/python"))]
    return next((Path(path) for path in found if path and _runs(path, version)), None)


def _runs(path: str | Path, version: str) -> bool:
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    return said.startswith(f"Python {version}.")


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        command, cwd=cwd, env=elsewhere(cwd), capture_output=True, text=True, check=False, timeout=TAKES_LONG
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def elsewhere(home: Path) -> dict[str, str]:
    """An environment in which nothing of this clone is found."""
    folders = {} if home == ROOT else {"XDG_DATA_HOME": f"{home}/data", "XDG_CACHE_HOME": f"{home}/cache"}
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MAKE"))} | folders


def served(pokade: Path, home: Path) -> Iterator[str]:
    """The address of a house, as long as it is open; it closes cleanly."""
    serve = [pokade, "serve", "--host", "127.0.0.1", "--port", "0", "--log-format", "json", "--log-level", "info"]
    with subprocess.Popen(serve, cwd=home, env=elsewhere(home), stderr=subprocess.PIPE, text=True) as house:
        try:
            assert house.stderr is not None
            told: Iterator[dict[str, Any]] = map(json.loads, house.stderr)
            yield next(line["here"] for line in told if "here" in line)
        finally:
            house.terminate()
            assert house.wait(PATIENCE) == 0

"""The shape of the project: imports point one way, every § is tested, nothing heavy loads before it is needed."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pokade.games import GAMES
from pokade.games.state import RULES

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pokade"

# What each part may import of the others; the picture in docs/architecture.md, read from the bottom up.
MAY_IMPORT = {
    "games": {"games"},
    "chance": {"games"},
    "players": {"games", "players"},
    "texts": {"games", "texts"},
    "records": {"games"},
    "fairness": {"games", "records"},
    "arena": {"games", "chance", "players", "records", "arena"},
    "testing": {"games", "chance", "players", "records", "arena"},
    "server": {"games", "chance", "players", "texts", "records", "fairness", "arena", "server"},
    "cli": {"__version__", "games", "chance", "players", "texts", "records", "fairness", "arena", "server", "cli"},
    "__main__": {"cli"},
}
PURE = {"collections", "dataclasses", "functools", "typing"}  # all that the rules may take from the standard library


def imports(file: Path) -> set[str]:
    """The full names of the modules that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are absolute"
            found |= (
                {f"{node.module}.{alias.name}" for alias in node.names} if node.module == "pokade" else {node.module}
            )
    return found


def part_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.py")), ids=lambda file: str(file.relative_to(SOURCE)))
def test_imports_point_down_the_picture_only(file: Path):
    if file == SOURCE / "__init__.py":
        assert not imports(file)
        return
    parts = {name.split(".")[1] for name in imports(file) if name.startswith("pokade.")}

    assert parts <= MAY_IMPORT[part_of(file)]


@pytest.mark.parametrize("file", sorted((SOURCE / "games").glob("*.py")), ids=lambda file: file.name)
def test_the_rules_are_pure(file: Path):
    outside = {name.split(".")[0] for name in imports(file)} - {"pokade"}

    assert outside <= PURE


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.py")), ids=lambda file: str(file.relative_to(SOURCE)))
def test_only_the_kernel_compiles(file: Path):
    assert file == SOURCE / "arena" / "kernel.py" or "numba" not in {name.split(".")[0] for name in imports(file)}


def test_importing_the_rules_loads_neither_numpy_nor_numba():
    code = "import sys, pokade.games; print(sorted({'numpy', 'numba', 'rich', 'typer'} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_starting_the_command_does_not_load_the_compiler():
    code = "import sys, pokade.cli; print(sorted({'numpy', 'numba', 'matplotlib'} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_of_the_rulebook_is_cited_by_a_test(name: str):
    rulebook = (ROOT / "docs" / "rules" / f"{name}.md").read_text("utf-8")
    tests = (ROOT / "tests" / "games" / f"test_{name}.py").read_text("utf-8")
    defined = set(re.findall(r"^\*\*§(\d+\.\d+)\*\*", rulebook, re.MULTILINE))
    cited = set(re.findall(rf"# {name} §(\d+\.\d+)", tests))
    for more in re.findall(rf"# {name} (§[^\n]*)", tests):
        cited |= set(re.findall(r"§(\d+\.\d+)", more))

    assert defined, "a rulebook without rules"
    assert defined - cited == set()
    assert cited - defined == set()


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_that_the_code_cites_is_in_the_rulebook(name: str):
    rulebook = (ROOT / "docs" / "rules" / f"{name}.md").read_text("utf-8")
    code = (SOURCE / "games" / f"{name}.py").read_text("utf-8")

    assert set(re.findall(r"§(\d+(?:\.\d+)?)", code)) <= set(
        re.findall(r"^(?:\*\*|## )§(\d+(?:\.\d+)?)", rulebook, re.M)
    )


def test_every_rule_function_says_what_it_does():
    assert [function.__name__ for function in RULES if not function.__doc__] == []


@pytest.mark.parametrize("name", GAMES)
def test_nothing_but_its_own_files_names_a_game(name: str):
    """A further game adds files and one name to the list, and touches nothing else."""
    own = {SOURCE / folder / f"{name}.py" for folder in ("games", "players", "cli/draw")} | {
        SOURCE / "games" / "__init__.py"
    }
    strangers = [
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        if file not in own
        and any(
            isinstance(node, ast.Constant) and node.value == name
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
        )
    ]

    assert strangers == []


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def test_no_file_carries_the_address_of_a_registry():
    address = re.compile(r'"resolved": *"https?://|--(extra-)?index-url|--find-links|@ file://')

    assert [
        f.name
        for f in tracked()
        if f.suffix in (".txt", ".json", ".toml", ".cfg") and address.search(f.read_text("utf-8"))
    ] == []


def test_every_claim_about_security_names_a_test_that_there_is():
    page = (ROOT / "docs" / "security.md").read_text("utf-8")

    named = re.findall(r"`(tests/[a-z_/]+\.py)::(\w+)`", page)

    lost = [f"{file}::{name}" for file, name in named if f"def {name}(" not in (ROOT / file).read_text("utf-8")]
    rows = [row for row in page.splitlines() if row.startswith("| ") and not row.startswith(("| ---", "| what"))]
    assert lost == []
    assert [row for row in rows if "::test_" not in row] == []

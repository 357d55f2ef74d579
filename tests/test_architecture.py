"""The shape of the project: imports point one way, every § is tested, nothing heavy loads before it is needed."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs import games

from pokade.games import GAMES
from pokade.games.state import RULES

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pokade"

ROW = re.compile(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)*) ?\|$", re.MULTILINE)
# What each part may import: itself, and what the table under the picture in docs/architecture.md says.
MAY_IMPORT = {
    part: {part, *re.findall(r"\w+", others)}
    for part, others in ROW.findall((ROOT / "docs" / "architecture.md").read_text("utf-8"))
} | {"__main__": {"cli"}}
MAY_IMPORT["cli"].add("__version__")
LAYER = re.compile(r"^\| `server/(\w+)` \|.*\| ((?:`\w+`(?:, )?)*) ?\|$", re.MULTILINE)
LAYERS = {  # the same for the layers of the server, from the table further down
    layer: {layer, *re.findall(r"\w+", others)}
    for layer, others in LAYER.findall((ROOT / "docs" / "architecture.md").read_text("utf-8"))
}
ANYWHERE = ("table", "views")  # these run wherever Python runs …
THEIRS = {"games", "players", "texts", "records", "server"}  # … and so does what they import
WAITING = {"asyncio", "concurrent", "multiprocessing", "selectors", "socket", "subprocess", "threading"}
PURE = {"collections", "dataclasses", "functools", "typing"}  # all that the rules may take from the standard library


def imports(file: Path) -> set[str]:
    """The full names of the modules that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports are absolute"
            is_package = node.module in ("pokade", "pokade.server")
            found |= {f"{node.module}.{alias.name}" for alias in node.names} if is_package else {node.module}
    return found


def part_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.py")), ids=lambda file: str(file.relative_to(SOURCE)))
def test_imports_point_up_the_picture_only(file: Path):
    if file == SOURCE / "__init__.py":
        assert not imports(file)
        return
    parts = {name.split(".")[1] for name in imports(file) if name.startswith("pokade.")}

    assert parts <= MAY_IMPORT[part_of(file)]


def test_every_part_is_in_the_picture_or_the_page_says_that_it_is_not():
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    drawn = set(re.findall(r">(\w+)/?<", (ROOT / "docs" / "pictures" / "architecture.svg").read_text("utf-8")))
    named = set(re.findall(r"`(\w+)`", re.search(r"Not drawn are [^.]*", page)[0]))
    parts = {part for part, _ in ROW.findall(page)}

    assert parts - drawn == named


@pytest.mark.parametrize("file", sorted((SOURCE / "server").rglob("*.py")), ids=lambda file: "/".join(file.parts[-2:]))
def test_imports_of_the_server_point_up_its_layers_only(file: Path):
    if file == SOURCE / "server" / "__init__.py":
        assert not imports(file)
        return
    layer = file.relative_to(SOURCE / "server").parts[0].removesuffix(".py")
    layers = {name.split(".")[2] for name in imports(file) if name.startswith("pokade.server.")}

    assert layers <= LAYERS[layer]


@pytest.mark.parametrize(
    "file",
    [file for layer in ANYWHERE for file in sorted((SOURCE / "server" / layer).rglob("*.py"))],
    ids=lambda file: str(file.relative_to(SOURCE)),
)
def test_tables_and_what_people_see_of_them_need_nothing_but_python(file: Path):
    names = [name.split(".") for name in imports(file)]

    assert {name[0] for name in names} - {"pokade"} <= set(sys.stdlib_module_names) - WAITING
    assert {name[1] for name in names if name[0] == "pokade"} <= THEIRS


def test_a_table_can_be_asked_and_seen_without_any_library():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import pokade.server.table.questions, "
        "pokade.server.table.rematches, pokade.server.views.frames, pokade.server.views.replays, "
        "pokade.server.views.listing, pokade.server.views.recent, pokade.server.views.result; "
        "print('asyncio' in sys.modules)"
    )
    alone = [sys.executable, "-I", "-S", "-c", code, str(SOURCE.parent)]

    assert subprocess.run(alone, capture_output=True, text=True, check=True).stdout == "False\n"


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


# Files outside of the games' own that may name one, with the reason.
MAY_NAME_GAMES = {
    "src/pokade/games/__init__.py": "the one list",
    "src/pokade/texts/": "one catalogue a language",
    "web/src/protocol.ts": "made from the list",
    "web/src/theme/pieces.svg": "all drawings lie in the page once",
    "benchmarks/load.py": "a load that stays the same from version to version",
    "benchmarks/stalls.py": "as above",
    "benchmarks/classes.py": "as above",
    "benchmarks/uploads.py": "as above",
}
KINDS = (".py", ".ts", ".svelte", ".css", ".svg", ".toml", ".json", ".md")
NAMES = re.compile(
    rf"\b({'|'.join(re.escape(word) for game in GAMES.values() for word in (game.name, game.title))})(?!\w)"
)


MANY = 3  # names in one list: two may be examples


def files_of(root: Path, *folders: str) -> list[Path]:
    """The files of a tree that people write."""
    return [
        path
        for folder in folders
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in KINDS and "__pycache__" not in path.parts
    ]


def is_a_games_own(path: str) -> bool:
    """A file or a folder that is named after a game."""
    parts = re.split(r"[/._-]", path)
    return any(name in parts for name in GAMES)


@pytest.mark.parametrize("folder", ["src", "web/src", "benchmarks"])
def test_nothing_but_its_own_files_names_a_game(folder: str):
    """A further game adds files and one name to the list, and touches nothing else."""
    named = {}
    for path in files_of(ROOT, folder):
        place = path.relative_to(ROOT).as_posix()
        text = path.read_text("utf-8").replace(".pok.toml", "")  # the ending of every record
        if place.endswith(".test.ts"):
            continue  # an example
        if not is_a_games_own(place) and not any(place.startswith(known) for known in MAY_NAME_GAMES):
            named[place] = NAMES.findall(text)

    assert {place: found for place, found in named.items() if found} == {}


def lists_of_games(path: Path) -> list[list[str]]:
    """Lists, tuples, sets and tables that hold the names of many games."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        members = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        names = [
            leaf.value for member in members if member for leaf in ast.walk(member) if isinstance(leaf, ast.Constant)
        ]
        if len({*names} & {word for game in GAMES.values() for word in (game.name, game.title)}) >= MANY:
            found.append(names)
    return found


MAY_LIST_GAMES = {
    "docs/screens.py": "what is in the README's pictures",
    "tests/games/test_trees.py": "numbers that were counted for a game",
    "tests/server/hub/test_strong.py": "an order in which somebody asks for bots",
}


def test_no_test_has_a_list_of_games_of_its_own():
    """A test may take a game as an example. What it says of every game it says by the one list."""
    files = [path for path in files_of(ROOT, "tests", "docs") if path.suffix == ".py"]
    found = {path.relative_to(ROOT).as_posix() for path in files if lists_of_games(path)}

    assert found - set(MAY_LIST_GAMES) == set()
    assert set(MAY_LIST_GAMES) - found == set()


def test_no_sentence_counts_the_games():
    """A further game makes none of them false."""
    counted = re.compile(
        r"\b(four|vier|quatre|cuatro) (small |kleine |petits )?(games|Spiele|jeux|juegos)\b", re.IGNORECASE
    )
    pages = [ROOT / "README.md", ROOT / "pyproject.toml", *files_of(ROOT, "docs", "src", "web/src")]

    assert [path.name for path in pages if counted.search(path.read_text("utf-8"))] == []


def test_nothing_is_done_anew():
    """Again is the word that everybody knows."""
    pages = [ROOT / "README.md", *files_of(ROOT, "docs", "src", "templates", "benchmarks", "web/src")]

    assert [path.name for path in pages if re.search(r"\banew\b", path.read_text("utf-8"))] == []


def test_nobody_is_called_one():
    """People are "you", "a player", "a watcher": an impersonal one leaves open who it is."""
    pages = [ROOT / "README.md", *files_of(ROOT, "docs", "src", "templates", "benchmarks", "web/src")]
    impersonal = re.compile(r"\b[Oo]ne's own\b|\boneself\b")

    assert [path.name for path in pages if impersonal.search(path.read_text("utf-8"))] == []


def unfinished(root: Path) -> list[Path]:
    """The files of a tree that still say what is to be done in them."""
    return [
        path
        for path in files_of(root, "src", "tests", "docs", "web/src", "benchmarks")
        if re.search(r"\bTODO\b:", path.read_text("utf-8"))
    ]


def test_nothing_is_left_to_be_done():
    assert unfinished(ROOT) == []


def test_the_readme_lists_every_game_in_the_rules_own_words():
    assert games.PAGE.read_text("utf-8") == games.page(), "python -m docs.games writes it again"


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

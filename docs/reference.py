"""The reference: what the package offers to programs, from its own docstrings and signatures."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parents[1] / "src" / "pokade"
# What programs import; the rest of the package may change from version to version.
MODULES: Final = (
    "games/__init__.py",
    "games/game.py",
    "games/play.py",
    "games/state.py",
    "games/errors.py",
    "chance.py",
    "loop.py",
    "players/__init__.py",
    "records.py",
    "fairness.py",
    "texts/__init__.py",
    "arena/bots.py",
    "arena/simulate.py",
    "arena/tournament.py",
    "solver/__init__.py",
    "analysis/__init__.py",
    "testing/__init__.py",
    "testing/games.py",
    "testing/rules.py",
    "testing/players.py",
)
FOLDERS: Final = ("adapters",)  # every public file of these


def pages() -> dict[str, str]:
    """A page a module, by its file name in the site."""
    files = [SOURCE / name for name in MODULES if (SOURCE / name).exists()]
    files += [file for folder in FOLDERS for file in sorted((SOURCE / folder).glob("*.py"))]
    return {_name(file): _page(file) for file in files}


def _name(file: Path) -> str:
    parts = ["pokade", *file.relative_to(SOURCE).with_suffix("").parts]
    return ".".join(part for part in parts if part != "__init__")


def _page(file: Path) -> str:
    tree = ast.parse(file.read_text("utf-8"))
    told = [f"# `{_name(file)}`", ast.get_docstring(tree) or "", *_constants(tree)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            told += _class(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            told += [f"## `{node.name}`", _signature(node), _text(node)]
    return "\n\n".join(part for part in told if part) + "\n"


def _constants(tree: ast.Module) -> Iterator[str]:
    """Names of the module in capitals, or types, as they stand in the source."""
    found = [
        ast.unparse(node)
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and _is_public(node) and len(ast.unparse(node)) < 120
    ]
    if found:
        yield "```python\n" + "\n".join(found) + "\n```"


def _is_public(node: ast.Assign | ast.AnnAssign) -> bool:
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return isinstance(target, ast.Name) and not target.id.startswith("_")


def _class(node: ast.ClassDef) -> list[str]:
    bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
    fields = [ast.unparse(one) for one in node.body if isinstance(one, ast.AnnAssign) and _is_public(one)]
    shown = "\n    ".join([f"class {node.name}{bases}:", *fields])
    told = [f"## `{node.name}`", f"```python\n{shown if fields else shown[:-1]}\n```", _text(node)]
    for one in node.body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and not one.name.startswith("_"):
            told += [f"### `{node.name}.{one.name}`", _signature(one), _text(one)]
    return told


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    if any(isinstance(one, ast.Name) and one.id == "property" for one in node.decorator_list):
        return f"```python\n{node.name}: {ast.unparse(node.returns) if node.returns else 'Any'}\n```"
    way = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    back = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"```python\n{way} {node.name}({ast.unparse(node.args)}){back}\n```"


def _text(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    return ast.get_docstring(node) or ""

"""`pokade new-game`: the files of a further game. They are a tiny game that works, so that it is replaced bit by bit.

The templates lie in `templates/game` of the source tree, each where its file will lie. `newgame` in them becomes the
name, `Newgame` the beginning of its class, `New Game` the title.
"""

import keyword
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from pokade.cli.options import FAILED, Lang, fail, language_named
from pokade.games import GAMES
from pokade.texts import LANGUAGES, catalogue, text

TEMPLATES: Final = Path("templates/game")
LIST: Final = Path("src/pokade/games/__init__.py")
TEXTS: Final = Path("src/pokade/texts")
NAME: Final = re.compile(r"[a-z][a-z0-9]{1,19}")
MADE: Final = (
    "docs.protocol",
    "docs.fields",
    "docs.encoding",
    "docs.games",
    "tests.web.golden",
)  # modules that write what follows from the list


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lowercase letters and digits, as in a file's name.")],
    title: Annotated[str, typer.Option(metavar="TITLE", help="What people call it; else its name.")] = "",
    tree: Annotated[Path, typer.Option(metavar="FOLDER", help="The source tree of Pokade.")] = Path(),
    lang: Lang = "",
) -> None:
    """Write the files of a further game into a source tree.

    It is a tiny game that works, with TODOs to replace it by.
    """
    language = language_named(lang)
    if not (tree / TEMPLATES).is_dir():
        fail(text(language, "new_game.no_tree", folder=tree.resolve(), templates=TEMPLATES.as_posix()))
    _check_name(tree, name, language)
    written = [_written(tree, template, name, title or name.capitalize()) for template in _templates(tree)]
    _list(tree, name)
    _tidy(tree, [*written, LIST])
    for path in written:
        typer.echo(path.as_posix())
    typer.echo(text(language, "new_game.done", name=name))


def _templates(tree: Path) -> list[Path]:
    return sorted(path.relative_to(tree / TEMPLATES) for path in (tree / TEMPLATES).rglob("*") if path.is_file())


def _check_name(tree: Path, name: str, language: str) -> None:
    """Refuses a name that is no name of a file, or that something else has."""
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        fail(text(language, "new_game.bad_name", name=name))
    there = [target for template in _templates(tree) if (target := _target(template, name)) != template]
    taken = [target for target in there if (tree / target).exists()]
    if name in GAMES or name in catalogue(LANGUAGES[0]) or taken:
        file = taken[0].as_posix() if taken else ""
        fail(
            text(
                language, f"new_game.{'taken_by' if taken else 'taken'}", name=name, **({"file": file} if file else {})
            )
        )


def _target(template: Path, name: str) -> Path:
    return Path(template.as_posix().replace("newgame", name))


def _written(tree: Path, template: Path, name: str, title: str) -> Path:
    """Write the file of a template, or add it to the catalogue that it is a part of."""
    content = (tree / TEMPLATES / template).read_text("utf-8")
    for placeholder, value in (("newgame", name), ("Newgame", name.capitalize()), ("New Game", title)):
        content = content.replace(placeholder, value)
    target = _target(template, name)
    if template.parent == TEXTS:
        content = with_tables((tree / target).read_text("utf-8"), content)
    (tree / target).parent.mkdir(parents=True, exist_ok=True)
    (tree / target).write_text(content, "utf-8")
    return target


def with_tables(catalogue: str, more: str) -> str:
    """A catalogue with further tables; where it has one of them already, that one gets the further keys."""
    for head, keys in re.findall(r"(?ms)^(\[[\w.]+\])\n(.*?)\s*(?=^\[[\w.]+\]$|\Z)", more):
        # A comment above the next table belongs to that one.
        there = re.search(rf"(?ms)^{re.escape(head)}\n.*?(?=\n*(?:^#[^\n]*\n)*(?:^\[[\w.]+\]$|\Z))", catalogue)
        if there is None:
            catalogue = f"{catalogue.rstrip()}\n\n{head}\n{keys}\n"
        else:
            catalogue = f"{catalogue[: there.end()]}\n{keys}{catalogue[there.end() :]}"
    return catalogue


def _list(tree: Path, name: str) -> None:
    """Add the game to the one list."""
    found = (tree / LIST).read_text("utf-8")
    found = re.sub(r"(from pokade\.games import .*)", rf"\1, {name}", found, count=1)
    found = re.sub(r"(\w+\.GAME)\)", rf"\1, {name}.GAME)", found, count=1)
    (tree / LIST).write_text(found, "utf-8")


def _tidy(tree: Path, written: list[Path]) -> None:
    """Sort imports and break lines as their new names want it; write again what follows from the list of games."""
    files = [path.as_posix() for path in written if path.suffix == ".py"]
    _run(tree, "ruff", "check", "--quiet", "--select", "I", "--fix", *files)
    _run(tree, "ruff", "format", "--quiet", *files)
    for module in MADE:
        _run(tree, module)


def _run(tree: Path, *words: str) -> None:
    """Run a module in the tree; its own words tell what is wrong."""
    call, environment = [sys.executable, "-m", *words], os.environ | {"PYTHONPATH": str((tree / "src").resolve())}
    done = subprocess.run(call, cwd=tree, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own modules
    if done.returncode:
        fail(f"python -m {words[0]}: {(done.stderr or done.stdout).strip().splitlines()[-1]}", FAILED)

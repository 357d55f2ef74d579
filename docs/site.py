"""`python -m docs.site`: the documentation site in `site/`, with a page that plays without a server in `site/play/`.

The pages of the project lie where people read them in a repository. Here they are laid side by side, their links are
put right, the reference is written from docstrings, and Zensical makes a site of it that asks nobody else for anything.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from docs import links, reference
from docs.static_page import lay_out

from pokade import __version__
from pokade.games import GAMES

ROOT: Final = Path(__file__).parents[1]
STAGE: Final = ROOT / ".site"  # what the generator reads
SITE: Final = ROOT / "site"
# Pages beside docs/, under the names that they have in the site.
FROM_THE_ROOT: Final = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "SECURITY.md": "reporting.md",
    "README.md": "overview.md",
}
NAV: Final[dict[str, tuple[str, ...]]] = {  # every other page goes to the last of them
    "Guides": ("players.md", "hosting.md", "bot-authors.md", "researchers.md", "new-game.md"),
    "Rules": tuple(f"rules/{name}.md" for name in GAMES),
    "Bots and theory": ("bots.md", "theory.md", "problems.md", "solver.md", "exploit.md", "train.md", "analysis.md"),
    "Formats": ("protocol.md", "fields.md", "encoding.md", "adapters.md", "dataset.md", "record.md", "fairness.md"),
    "Reference": (),
    "Project": ("overview.md", "architecture.md", "benchmarks.md", "glossary.md", "faq.md"),
}
LAST: Final = "Project"
LINK: Final = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
ELSEWHERE: Final = re.compile(r"https://(unpkg\.com|cdn\.jsdelivr\.net|fonts\.g\w+\.com|api\.github\.com)")
NOWHERE: Final = "about:blank#"  # instead of an address that the theme would load from, were it asked to


def main() -> None:
    """Build the site, and refuse to leave one with a broken link."""
    pages = stage()
    (STAGE / "zensical.toml").write_text(settings(pages), "utf-8")
    shutil.rmtree(SITE, ignore_errors=True)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "-f", str(STAGE / "zensical.toml")]
    subprocess.run(command, check=True, cwd=STAGE)  # noqa: S603 - our own command
    shutil.move(STAGE / "built", SITE)
    for file in (*SITE.rglob("*.js"), *SITE.rglob("*.css"), *SITE.rglob("*.html")):
        text = file.read_text("utf-8")
        if ELSEWHERE.search(text):
            file.write_text(ELSEWHERE.sub(NOWHERE, text), "utf-8")
    lay_out(ROOT / "web" / "dist", SITE / "play")
    if broken := links.broken(SITE):
        sys.exit("\n".join(["Broken links:", *broken]))


def stage() -> list[str]:
    """Lay all pages and pictures side by side; the names of the pages."""
    shutil.rmtree(STAGE, ignore_errors=True)
    sources = {path.relative_to(ROOT / "docs").as_posix(): path for path in _pages()}
    sources |= {name: ROOT / path for path, name in FROM_THE_ROOT.items() if (ROOT / path).exists()}
    places = {path.resolve(): name for name, path in sources.items()}
    for name, path in sources.items():
        _write(name, linked(path, name, places))
    for name, text in reference.pages().items():
        _write(f"reference/{name}.md", text)
        sources[f"reference/{name}.md"] = ROOT
    shutil.copytree(ROOT / "docs" / "pictures", STAGE / "docs" / "pictures", dirs_exist_ok=True)
    shutil.copytree(ROOT / "docs" / "theme", STAGE / "docs" / "theme")
    shutil.copy(ROOT / "web" / "public" / "icon.svg", STAGE / "docs" / "theme" / "icon.svg")
    return sorted(sources)


def _pages() -> Iterator[Path]:
    for path in sorted((ROOT / "docs").rglob("*.md")):
        if not path.name.endswith(".template.md"):
            yield path


def _write(name: str, text: str) -> None:
    place = STAGE / "docs" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")


def linked(path: Path, name: str, places: dict[Path, str]) -> str:
    """A page with its links as they are in the site; what the site does not have is named without a link."""

    def put_right(found: re.Match[str]) -> str:
        target = found[2]
        if re.match(r"\w+:", target):
            return found[0]
        there = (path.parent / target).resolve()
        if there in places:
            return f"{found[1]}{os.path.relpath(places[there], Path(name).parent)}{found[3]}"
        if there.is_file() and there.is_relative_to(ROOT / "docs"):  # a picture, or data behind one
            inside = there.relative_to(ROOT / "docs").as_posix()
            (STAGE / "docs" / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(there, STAGE / "docs" / inside)
            return f"{found[1]}{os.path.relpath(inside, Path(name).parent)}{found[3]}"
        raise ValueError(f"{path.name}: {target} is not in the site")

    return LINK.sub(put_right, path.read_text("utf-8"))


def settings(pages: list[str]) -> str:
    """What Zensical is told. TOML takes JSON's words for strings and lists."""
    theme = f"""
[project.theme]
logo = "theme/icon.svg"
favicon = "theme/icon.svg"
font = false
features = ["navigation.tabs", "navigation.sections", "navigation.top", "navigation.footer", "search.highlight",
  "content.code.copy", "toc.follow"]
palette = [
  {{ media = "(prefers-color-scheme: light)", scheme = "default", toggle.icon = "lucide/sun", toggle.name = "Dark" }},
  {{ media = "(prefers-color-scheme: dark)", scheme = "slate", toggle.icon = "lucide/moon", toggle.name = "Light" }},
]
[project.extra]
generator = false
version = "{__version__}"
[project.markdown_extensions]
abbr = {{}}
admonition = {{}}
attr_list = {{}}
md_in_html = {{}}
tables = {{}}
toc.permalink = true
pymdownx.highlight.pygments_lang_class = true
pymdownx.superfences = {{}}
"""
    head = {
        "site_name": "Pokade",
        "site_description": "Games of sealed choice and bluff: play, host, study.",
        "docs_dir": "docs",
        "site_dir": "built",
        "use_directory_urls": False,
        "extra_css": ["theme/site.css"],
        "copyright": "MIT licence. The games are the work of others; see the overview.",
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in head.items()]
    return "\n".join(["[project]", *lines, f"nav = {_toml(nav(pages))}", theme])


def nav(pages: list[str]) -> list[dict[str, Any]]:
    """The pages in their order; what is new goes to the last part, so no page is ever without a way to it."""
    named = {page for part in NAV.values() for page in part} | {"index.md"}
    others = [page for page in pages if page not in named and not page.startswith("reference/")]
    parts: list[dict[str, Any]] = [{"Pokade": "index.md"}]
    for title, own in NAV.items():
        wanted = [page for page in own if page in pages]
        wanted += [page for page in pages if page.startswith("reference/")] if title == "Reference" else []
        wanted += others if title == LAST else []
        parts.append({title: wanted})
    return parts


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(one)}" for key, one in value.items()) + " }"
    return "[" + ", ".join(map(_toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


if __name__ == "__main__":
    main()

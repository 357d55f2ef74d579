"""Every link of a built site leads to a file of it, and every mark behind a `#` to a place in that file."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links of a page, and the places in it that links may lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = {"", "__top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.places |= {told[name] or "" for name in ("id", "name") if name in told}
        link = told.get("href") if tag in ("a", "link") else told.get("src")
        if link:
            self.links.append(link)


def broken(site: Path) -> list[str]:
    """The links that lead nowhere; the page that plays has its own addresses and is left out."""
    files = [path for path in site.rglob("*.html") if "play" not in path.relative_to(site).parts]
    pages = {path: Page(path.read_text("utf-8")) for path in files if path.name != "404.html"}
    return [
        f"{path.relative_to(site)}: {link}"
        for path, page in pages.items()
        for link in page.links
        if not leads_somewhere(path, link, pages)
    ]


def leads_somewhere(path: Path, link: str, pages: dict[Path, Page]) -> bool:
    """Addresses elsewhere are believed."""
    address = urlsplit(link)
    if address.scheme or address.netloc:
        return True
    target = (path.parent / unquote(address.path)).resolve() if address.path else path
    target = target / "index.html" if target.is_dir() else target
    if target not in pages:
        return target.is_file()
    return unquote(address.fragment) in pages[target].places

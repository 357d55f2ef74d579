"""Draws the icons and the picture of links from pieces.svg, with the tests' browser: `python -m tests.web.icons`."""

from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from tests.web.browsers import launched

WEB: Final = Path(__file__).parents[2] / "web"
PUBLIC: Final = WEB / "public"
PAGE: Final = "#F3F1F7"
ICONS: Final = {"icon-180": (180, 0.8, PAGE), "icon-192": (192, 1.0, ""), "icon-512": (512, 1.0, "")}
MASKABLE: Final = {"icon-maskable": (512, 0.66, PAGE)}
WORDS: Final = "p { margin: 28px 0 0; font: 800 44px/56px Roboto, sans-serif; letter-spacing: -.02em; color: #1C1433 }"
CLOTHS: Final = (
    ("#CFC3F6", "die-2-T", 190, -8),
    ("#B9E2CE", "pip-5-held", 170, 9),
    ("#FFD25C", "creature-2-pop", 230, 0),
    ("#F6BFB2", "poch-board", 330, 0),
)


def use(piece: str, width: float) -> str:
    inside = f'<use href="#{piece}" width="100" height="100"/>'
    return f'<svg width="{width}" height="{width}" viewBox="-2 -2 104 104">{inside}</svg>'


def icon(size: int, part: float, ground: str) -> str:
    style = f"display:grid;place-items:center;width:{size}px;height:{size}px;background:{ground or 'transparent'}"
    return f'<div style="{style}">{use("mark", size * part)}</div>'


def link_picture() -> str:
    """1200 × 630: the word, the motto, and the four cloths with a piece on each."""
    cells = "".join(
        f'<div style="background:{cloth};position:relative;overflow:hidden">'
        f'<svg width="{width}" height="{width}" style="position:absolute;left:50%;top:56%;'
        f'transform:translate(-50%,-50%) rotate({turn}deg);overflow:visible"><use href="#{piece}" width="{width}" '
        f'height="{width}"/></svg></div>'
        for cloth, piece, width, turn in CLOTHS
    )
    word = '<svg width="620" height="116" viewBox="0 0 535 100"><use href="#word-pokade"/></svg>'
    return f"""<div style="width:1200px;height:630px;background:{PAGE};display:grid;grid-template-rows:1fr 270px">
      <div style="display:flex;align-items:center;gap:36px;padding:0 72px">{use("mark", 210)}
        <div>{word}<p>Choose in secret. Show together.</p></div>
      </div><div style="display:grid;grid-template-columns:repeat(4,1fr)">{cells}</div></div>"""


def main() -> None:
    tokens = (WEB / "src/theme/tokens.css").read_text("utf-8")
    pieces = (WEB / "src/theme/pieces.svg").read_text("utf-8").replace("<svg ", '<svg width="0" height="0" ', 1)
    drawn = {name: icon(*made) for name, made in (ICONS | MASKABLE).items()} | {"picture": link_picture()}
    with sync_playwright() as playwright:
        page = launched(playwright).new_page(color_scheme="light")
        for name, body in drawn.items():
            style = f"<style>{tokens} body {{ margin: 0; color: #1C1433; background: transparent }} {WORDS}</style>"
            page.set_content(f'{style}{pieces}<div id="it" style="width:max-content">{body}</div>')
            page.locator("#it").screenshot(path=PUBLIC / f"{name}.png", omit_background=True)


if __name__ == "__main__":
    main()

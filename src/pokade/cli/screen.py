"""The terminal: what is shown, what is typed, and what is cleared away."""

import signal
import sys
import threading
import time
from collections.abc import Sequence
from typing import Final

from rich.console import Console, RenderableType
from rich.text import Text

from pokade import texts
from pokade.cli import draw
from pokade.cli.draw.brush import Brush, plain, wrapped
from pokade.cli.draw.house import pages
from pokade.games.game import Game
from pokade.games.play import View

GLANCE: Final = 0.2  # seconds from one look at a clock to the next
BEAT: Final = 0.7  # seconds that a step of a bot stays on the screen
CLEAR: Final = "\x1b[2J\x1b[H"
CLEAR_ALL: Final = "\x1b[2J\x1b[3J\x1b[H"  # what can be scrolled back to as well


class Leave(Exception):
    """Somebody has left, or nobody types any more."""


class Quit(Leave):
    """Somebody may want to leave the game."""


class Screen:
    """One terminal, or a pipe that stands for one."""

    def __init__(self, language: str, console: Console | None = None) -> None:
        self.language = language
        self.console = console or Console(highlight=False)
        self.parting: list[str] = []  # said at the door
        self.can_clear = self.console.is_terminal and not self.console.is_dumb_terminal
        self.is_live = bool(sys.stdin and sys.stdin.isatty() and self.console.is_terminal)
        self._shown: RenderableType | None = None  # what is redrawn when the terminal changes its size …
        self._asked: str | None = None  # … with what is asked below it, while somebody types

    def __enter__(self) -> "Screen":
        if self.is_live and self.can_clear:
            self.console.set_alt_screen(True)  # nothing of a game stays to be scrolled back to
            if hasattr(signal, "SIGWINCH"):  # not on Windows
                signal.signal(signal.SIGWINCH, lambda *_: self.redraw())
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        """Say goodbye to a person who leaves."""
        if self.is_live and self.can_clear:
            if hasattr(signal, "SIGWINCH"):
                signal.signal(signal.SIGWINCH, signal.SIG_DFL)
            self.console.set_alt_screen(False)
        left = kind is not None and issubclass(kind, Leave | KeyboardInterrupt)
        for words in [*self.parting, *([self.say("play.bye")] if left else [])]:
            self.tell(words)
        return left

    def say(self, key: str, **values: object) -> str:
        return self.spelt(texts.text(self.language, key, **values))

    def spelt(self, words: str) -> str:
        """The words in what the terminal can print."""
        words = words.encode("utf-8", "replace").decode()  # a file's name may hold what no terminal can
        return plain(words) if self.console.options.ascii_only else words

    def clear(self, *, everything: bool = False) -> None:
        """An empty screen; `everything` takes away what could be scrolled back to."""
        if self.can_clear:
            self.console.file.write(CLEAR_ALL if everything else CLEAR)
            self.console.file.flush()

    def show(self, scene: RenderableType, *, everything: bool = False) -> None:
        self._shown = scene
        self.clear(everything=everything)
        self.console.print(scene, crop=True, overflow="crop", no_wrap=True)

    def redraw(self) -> None:
        """The terminal has another size: the same once more, if somebody is looking at a question."""
        if self._shown is not None and self._asked is not None:
            self.show(self._shown)
            self._write(self._asked)

    def _write(self, words: str) -> None:
        self.console.file.write(words)
        self.console.file.flush()

    def tell(self, words: str) -> None:
        """One line below whatever is shown."""
        self.console.print(Text(self.spelt(words)), soft_wrap=True)

    def read(self, prompt: str = "") -> str:
        """A typed line; the end of the input is somebody leaving."""
        self._asked = self.spelt(f"  {prompt} > " if prompt else "  > ")
        self._write(self._asked)
        try:
            line = input()
        except EOFError:
            self.console.file.write("\n")
            raise Leave from None
        except UnicodeDecodeError:
            return "\ufffd"
        finally:
            self._asked = None
        if not self.is_live:
            self.console.file.write("\n")
        return line.strip()

    def wait_for(self, words: str, work: threading.Thread) -> None:
        """A line that says what is waited for, and for how long already."""
        started = time.monotonic()
        while work.is_alive():
            line = f"  {time.monotonic() - started:.0f} s  {self.spelt(words)}"
            self._write(f"\r{line[: self.console.width - 1]}" if self.is_live else "")
            work.join(GLANCE)
        self._write("\n" if self.is_live else "")

    def pause(self) -> None:
        """Until Enter; a pipe does not wait."""
        if self.is_live and self.read(self.say("play.enter")).casefold() == draw.LEAVE:
            raise Quit

    def beat(self) -> None:
        if self.is_live:
            time.sleep(BEAT)

    def brush(self, game: Game) -> Brush:
        return Brush.of(self.console, self.console.options, self.language, draw.drawing(game).CLOTH)

    def leaves(self, view: View, names: Sequence[str], news: Sequence[str], *, offers: bool) -> list[str]:
        """The sentences in portions that fit below the table; a pipe takes them all at once."""
        if not self.is_live:
            return [" ".join(news)]
        brush = self.brush(view.game)
        room = draw.room(view, names, brush, offers=offers)
        portions: list[str] = [""]
        for sentence in news:
            longer = f"{portions[-1]} {sentence}".strip()
            if portions[-1] and len(wrapped(longer, brush.width - 8)) > room:
                portions.append(sentence)
            else:
                portions[-1] = longer
        return portions

    def rules(self, game: Game) -> None:
        """The short rules, page by page."""
        from rich.markdown import Markdown  # noqa: PLC0415 - slow to load, and few games are interrupted for it

        text = texts.entry(self.language, f"{game.name}.short_rules")
        width = min(self.console.width - 6, 96)
        shown = self.console.render_lines(Markdown(text), self.console.options.update(width=width), pad=False)
        lines = [Text.assemble(*((part.text, part.style or "") for part in line)) for line in shown]
        height = self.console.height - 5 if self.is_live else len(lines)
        for at in range(0, len(lines), max(height, 5)):
            title = self.say("play.reads", title=game.title)
            self.show(pages(title, lines[at : at + max(height, 5)], self.language, draw.drawing(game).CLOTH))
            self.pause()

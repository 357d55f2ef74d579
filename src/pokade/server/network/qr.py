"""QR codes: drawn one at a time beside the event loop, since each takes some ten milliseconds, and kept for a while."""

import asyncio
import io
from collections import OrderedDict
from typing import Final

import segno

LONGEST: Final = 255  # letters of an address; a code of thousands takes a quarter of a second, and nobody can scan it
KEPT: Final = 256  # drawings of a few kilobytes
INK: Final = "#1C1433"


class Drawings:
    """The QR codes that were asked for lately."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._one = asyncio.Lock()

    def has(self, text: str) -> bool:
        """Is it there already?"""
        return text in self._kept

    async def get(self, text: str) -> bytes:
        """The QR code of a text, as SVG."""
        async with self._one:
            if text not in self._kept:
                self._kept[text] = await asyncio.to_thread(_svg, text)
            self._kept.move_to_end(text)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return self._kept[text]


def _svg(text: str) -> bytes:
    drawn = io.BytesIO()
    code = segno.make_qr(text, error="m")
    code.save(drawn, kind="svg", border=0, dark=INK, light=None, xmldecl=False, svgns=True, omitsize=True)
    return drawn.getvalue()

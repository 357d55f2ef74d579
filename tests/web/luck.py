"""The luck of a house and of the browsers in it: it follows from the name of the test."""

import json
import urllib.request
from typing import Final

from fastapi import FastAPI

from tests.luck import foresee
from tests.web.houses import House


def foreseeable(app: FastAPI, words: str) -> None:
    """Make the luck of a house that has not opened yet follow from these words, or those that a test says later."""
    secrets = foresee(words)

    async def begin(words: list[str]) -> None:
        secrets.begin("".join(words))

    app.router.add_api_route("/luck", begin, methods=["POST"])
    app.router.routes.insert(0, app.router.routes.pop())  # before the pages, which answer to every address


def begin(house: House, words: str) -> None:
    """From here on the house has the luck of these words."""
    body = json.dumps([words]).encode()
    headers = {"content-type": "application/json"}
    asked = urllib.request.Request(f"{house.url}/luck", body, headers)  # noqa: S310 - our own house
    with urllib.request.urlopen(asked) as answer:  # noqa: S310 - our own house
        assert answer.status == 200


# Each load of a page goes on with other numbers, or it would give two choices the same id.
FORESEEABLE: Final = """(() => {
  window.name = String(Number(window.name) + 1);
  let state = 0;
  for (const letter of %s + window.name) state = (Math.imul(state, 31) + letter.codePointAt(0)) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  crypto.getRandomValues = (numbers) => numbers.map(next);
})();"""


def foreseeable_page(words: str) -> str:
    """A script that makes what a page draws at random follow from these words."""
    return FORESEEABLE % json.dumps(words)

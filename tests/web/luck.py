"""Luck that is a test's own, and the same in every run: no test passes or fails by chance.

The house draws its seeds, and browsers their salts, from the name of the test; bots choose by what they see.
"""

import json
import random
import urllib.request
from typing import Any, Final

from fastapi import FastAPI

from pokade.games.game import Game
from pokade.games.play import View
from pokade.players import Player, player
from pokade.server import hub
from tests.web.houses import House


class Secrets:
    """What a house asks of the module `secrets`, the same after the same words."""

    def __init__(self, words: str) -> None:
        self.begin(words)

    def begin(self, words: str) -> None:
        self._random = random.Random(words)

    def token_hex(self, length: int) -> str:
        return self._random.randbytes(length).hex()

    def choice(self, letters: str) -> str:
        return self._random.choice(letters)

    def seed(self) -> bytes:
        return self._random.randbytes(32)


def steady_player(level: str, game: Game) -> Player:
    """A player that chooses alike whenever it sees the same."""

    def choose(view: View) -> int:
        return player(level, game, f"{view.seat} {view.state!r}")(view)

    return choose


def foreseeable(app: FastAPI, words: str) -> None:
    """Make the luck of a house that has not opened yet follow from these words, or those that a test says later."""
    secrets: Any = Secrets(words)
    hub.secrets, hub.new_seed, hub.player = secrets, secrets.seed, steady_player  # type: ignore[assignment]

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

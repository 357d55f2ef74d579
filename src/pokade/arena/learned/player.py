"""A trained network as a player like any other: it gets a view, and returns one of its choices. JAX is not needed."""

import io
import json
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

from pokade.arena.encoding import Encoder
from pokade.arena.learned.network import Layer, Network, fits, mixtures
from pokade.games import GAMES
from pokade.games.errors import BadPlayer, Refused
from pokade.games.play import View
from pokade.players import source_of

KIND: Final = "network"  # what tells such a file from others with arrays


class Learned:
    """Draws from the mixtures of a network. It remembers nothing but its luck."""

    def __init__(self, encoder: Encoder, network: Network, seed: int | str) -> None:
        if not fits(network, encoder.size, encoder.n_actions):
            raise ValueError("the network does not fit the encoder of this version")
        self.encoder, self.network = encoder, network
        self._luck = source_of(seed)

    def __call__(self, view: View) -> int:
        encoder = self.encoder
        if view.game is not encoder.game or view.state.n_seats != encoder.n_seats:
            raise ValueError(f"this player has learnt {encoder.game.title} with {encoder.n_seats}")
        parts = mixtures(self.network, encoder.observation(view)[None], encoder.mask(view)[None])[0].cumsum()
        drawn = self._luck.randrange(1 << 32) / (1 << 32) * float(parts[-1])
        return encoder.choice(view.state.phase, int(np.searchsorted(parts, drawn, side="right")))

    def saved(self, about: dict[str, Any]) -> bytes:
        """The bytes of its file: arrays, and what is to be known about them."""
        encoder = self.encoder
        known = {**about, "game": encoder.game.name, "players": encoder.n_seats, "options": encoder.options}
        arrays = {
            f"{KIND}.{at}.{name}": part
            for at, layer in enumerate(self.network)
            for name, part in layer._asdict().items()
        }
        out = io.BytesIO()
        np.savez_compressed(out, allow_pickle=False, about=np.array(json.dumps(known)), **arrays)
        return out.getvalue()


def is_learned(file: Path) -> bool:
    """Does the file hold a network of this kind?"""
    try:
        with np.load(file, allow_pickle=False) as found:
            return f"{KIND}.0.weights" in found.files
    except (OSError, ValueError, EOFError, BadZipFile):
        return False


def load(file: Path) -> Learned:
    """A player that was written down."""
    try:
        with np.load(file, allow_pickle=False) as found:
            about = json.loads(str(found["about"]))
            layers = sum(name.startswith(f"{KIND}.") for name in found.files) // len(Layer._fields)
            parts = [[found[f"{KIND}.{at}.{name}"] for name in Layer._fields] for at in range(layers)]
        encoder = Encoder(GAMES[about["game"]], about["players"], about["options"])
        return Learned(encoder, [Layer(*part) for part in parts], f"learned {file.name}")
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile, Refused) as error:
        why = f"{type(error).__name__}: {error}"
        raise BadPlayer("player/loaded", f"{file} could not be loaded: {why}", player=str(file), why=why) from None

"""The spaces of an encoder, in Gymnasium's words."""

from typing import Any

import numpy as np
from gymnasium import spaces

from pokade.arena.encoding import Encoder


def observation_space(encoder: Encoder) -> spaces.Dict:
    """The numbers of a view, and the mask of its actions."""
    numbers = spaces.Box(0.0, 1.0, (encoder.size,), np.float32)
    return spaces.Dict({"observation": numbers, "action_mask": spaces.Box(0, 1, (encoder.n_actions,), np.int8)})


def action_space(encoder: Encoder) -> spaces.Discrete[Any]:
    """All actions, the no-op last."""
    return spaces.Discrete(encoder.n_actions)

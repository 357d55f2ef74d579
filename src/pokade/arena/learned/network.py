"""A network as plain arrays: encoded views in, mixtures of actions out. It needs numpy and nothing else."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pokade.arena.encoding import Mask, Numbers


class Layer(NamedTuple):
    """One step of a network; between two steps, what is below zero becomes zero."""

    weights: Numbers  # from, to
    bias: Numbers


Network = Sequence[Layer]


def outputs(network: Network, numbers: Numbers) -> Numbers:
    """What the last layer says of each row of numbers."""
    *hidden, last = network
    for layer in hidden:
        numbers = np.maximum(numbers @ layer.weights + layer.bias, 0.0)
    found: Numbers = numbers @ last.weights + last.bias
    return found


def mixtures(network: Network, numbers: Numbers, masks: Mask) -> Numbers:
    """How often each action is taken: a softmax over those that the mask allows."""
    said = np.where(masks == 1, outputs(network, numbers), -np.inf)
    parts = np.exp(said - said.max(axis=-1, keepdims=True))
    found: Numbers = parts / parts.sum(axis=-1, keepdims=True)
    return found


def fits(network: Network, numbers: int, actions: int) -> bool:
    """Do the layers fit each other, so many numbers and so many actions?"""
    widths = [numbers, *(len(layer.bias) for layer in network)]
    shapes = [layer.weights.shape for layer in network]
    return bool(network) and shapes == list(pairwise(widths)) and widths[-1] == actions

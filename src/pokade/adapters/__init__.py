"""The games in the libraries that researchers use. Each needs its extra; none is needed to play or to host.

    pokade.adapters.pettingzoo   `env` and `parallel_env`           pip install pokade[pettingzoo]
    pokade.adapters.gymnasium    one seat, or many tables at once   pip install pokade[pettingzoo]
    pokade.adapters.openspiel    games for `pyspiel.load_game`      pip install pokade[openspiel]

They translate names and arrays and decide nothing: everything comes from views, through the one encoder.
"""

import importlib.util

if importlib.util.find_spec("gymnasium"):  # so that `gymnasium.make` knows the games
    from pokade.adapters import gymnasium  # noqa: F401

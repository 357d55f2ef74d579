"""What keeps tables going: those that this process serves, durable before visible, with dice, bots and deadlines."""

from pokade.server.hub.draws import Fairness, provable
from pokade.server.hub.hub import CODE_LENGTH, CODE_LETTERS, Hub
from pokade.server.hub.index import index_of
from pokade.server.hub.listeners import Listener
from pokade.server.hub.log import Ask
from pokade.server.hub.room import Room
from pokade.server.hub.times import A_DAY, Pace, Patience

__all__ = [
    "A_DAY",
    "CODE_LENGTH",
    "CODE_LETTERS",
    "Ask",
    "Fairness",
    "Hub",
    "Listener",
    "Pace",
    "Patience",
    "Room",
    "index_of",
    "provable",
]

"""Kept dice form a lattice: no die, one die … up to the 252 throws of five.

For any worth of the final dice the best rethrows, and how often each end then comes, are two walks over its 462 nodes.
"""

from typing import Any

from pokade.arena.search.pokerdice.memory import INNER, NODES, SETS, THROWS
from pokade.games.pokerdice import DICE, FACES, met_objectives
from pokade.games.state import NOTHING, rule


@rule
def link_nodes(table: Any) -> None:
    """Nodes in order of their number of dice; each comes into being when its highest die is added."""
    for node in range(NODES):
        for face in range(FACES):
            table.down[node, face] = NOTHING
    made = 1
    first = 0
    for _ in range(DICE):
        end = made
        for node in range(first, end):
            for face in range(highest(table, node), FACES):
                link(table, node, face, made)
                made += 1
        for node in range(first, end):
            top = highest(table, node)
            for face in range(top):
                less = table.down[node, top]
                link(table, node, face, table.up[table.up[less, face], top])
        first = end
    list_less(table)


@rule
def list_less(table: Any) -> None:
    """The nodes below each, side by side: they are what is walked most."""
    for node in range(NODES):
        for face in range(FACES):
            if table.down[node, face] != NOTHING:
                table.less[node, table.n_less[node]] = table.down[node, face]
                table.n_less[node] += 1


@rule
def highest(table: Any, node: int) -> int:
    """The highest face of a node (from 0)."""
    top = 0
    for face in range(FACES):
        if table.count[node, face] > 0:
            top = face
    return top


@rule
def link(table: Any, node: int, face: int, more: int) -> None:
    """One more die of a face leads from one node to another."""
    table.up[node, face] = more
    table.down[more, face] = node
    for other in range(FACES):
        table.count[more, other] = table.count[node, other]
    table.count[more, face] += 1


@rule
def lay(state: Any, table: Any, throw: int) -> None:
    """The dice of a throw, in order."""
    die = 0
    for face in range(FACES):
        for _ in range(table.count[INNER + throw, face]):
            state.dice[die] = face + 1
            die += 1


@rule
def judge_throws(state: Any, table: Any) -> None:
    """The rules say which objectives each throw meets; there are few different answers."""
    for throw in range(THROWS):
        lay(state, table, throw)
        met = met_objectives(state)
        kind = 0
        while kind < table.n_kinds and table.met[kind] != met:
            kind += 1
        table.met[kind] = met
        table.n_kinds = max(table.n_kinds, kind + 1)
        table.kind[throw] = kind


@rule
def weigh_throws(table: Any, memory: Any) -> None:
    """Five dice on an empty table."""
    for node in range(NODES):
        memory.mass[node] = 0.0
    memory.mass[0] = 1.0
    roll(table, memory)
    for throw in range(THROWS):
        table.odds[throw] = memory.mass[INNER + throw]


@rule
def node_of(state: Any, table: Any, again: int) -> int:
    """The node of the dice that are not thrown again."""
    node = 0
    for die in range(DICE):
        if not again >> die & 1:
            node = table.up[node, state.dice[die] - 1]
    return node


@rule
def expect(table: Any, means: Any) -> None:
    """From the worth of every throw, that of every set of kept dice: each die more is any face."""
    for node in range(INNER - 1, -1, -1):
        total = 0.0
        for face in range(FACES):
            total += means[table.up[node, face]]
        means[node] = total / FACES


@rule
def keep_best(table: Any, memory: Any) -> None:
    """For every set of dice the best part of it to keep, with one rethrow left."""
    for node in range(NODES):
        best = memory.last[node]
        hold = node
        for index in range(table.n_less[node]):
            less = table.less[node, index]
            if memory.best[less] > best:
                best = memory.best[less]
                hold = memory.hold[less]
        memory.best[node] = best
        memory.hold[node] = hold


@rule
def plan(table: Any, memory: Any) -> None:
    """The worth of everything that may be kept, with one rethrow left and with two, for the final dice's worth."""
    for throw in range(THROWS):
        memory.last[INNER + throw] = memory.worth[table.kind[throw]]
    expect(table, memory.last)
    keep_best(table, memory)
    for node in range(INNER, NODES):
        memory.early[node] = memory.best[node]
    expect(table, memory.early)


@rule
def before_throw(table: Any, memory: Any) -> float:
    """What a round is worth before its first throw if every throw goes on as planned; `best` has each throw's worth."""
    total = 0.0
    for node in range(NODES):
        best = memory.early[node]
        for index in range(table.n_less[node]):
            best = max(best, memory.best[table.less[node, index]])
        memory.best[node] = best
        if node >= INNER:
            total += table.odds[node - INNER] * best
    return total


@rule
def best_again(state: Any, table: Any, memory: Any, left: int) -> int:
    """The dice to throw again (§2.5) so that what is kept is worth most; among equals the fewest throws."""
    best = 0
    most = memory.last[node_of(state, table, 0)]
    for again in range(1, 1 << DICE):
        node = node_of(state, table, again)
        worth = memory.early[node] if left == 2 else memory.last[node]
        if worth > most + 1e-12:
            best = again
            most = worth
    return best


@rule
def worth_of_keeping(memory: Any, kept: int) -> float:
    """What the dice are worth after the first rethrow, or without one."""
    worth: float = memory.last[kept] if kept >= INNER else memory.early[kept]
    return worth


@rule
def roll(table: Any, memory: Any) -> None:
    """Probability flows up the lattice until five dice lie."""
    for node in range(INNER):
        mass = memory.mass[node]
        if mass > 0:
            for face in range(FACES):
                memory.mass[table.up[node, face]] += mass / FACES


@rule
def foresee(table: Any, memory: Any, kept: int) -> None:
    """How often the dice end as which set of objectives, if this is kept first and the plan followed then."""
    for node in range(NODES):
        memory.mass[node] = 0.0
    memory.mass[kept] = 1.0
    if kept < INNER:
        roll(table, memory)
        throw_last(table, memory)
    for kind in range(SETS):
        memory.ends[kind] = 0.0
    for throw in range(THROWS):
        memory.ends[table.kind[throw]] += memory.mass[INNER + throw]


@rule
def throw_last(table: Any, memory: Any) -> None:
    """Every throw that may lie now goes on with what is best kept of it."""
    for node in range(INNER):
        memory.mass[node] = 0.0
    for node in range(INNER, NODES):
        hold = memory.hold[node]
        if hold < INNER:
            memory.mass[hold] += memory.mass[node]
            memory.mass[node] = 0.0
    roll(table, memory)

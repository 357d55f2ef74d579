"""Many tables at once on one thread, observations, masks and random actions included, beside Pgx (`benchmarks vector`).

Both play 4,096 tables and are measured in CPU seconds, since the machine is shared, in turns and each at its best.
"""

import importlib.util
import os
import time
from collections.abc import Callable

from rich.table import Table

from pokade.arena.vector import Tables
from pokade.games import GAMES

TABLES = 4096
TRIES = 5
STEPS = 100  # of all tables, in a try
PEERS = ("kuhn_poker", "leduc_holdem")


def rate(run: Callable[[], int]) -> float:
    """Steps a CPU second of a function that says how many it took; the process has one thread that works."""
    started = time.process_time()
    return run() / (time.process_time() - started)


def ours(name: str, n_seats: int) -> Callable[[], int]:
    """Every seat at random; counts the seats that were really asked."""
    tables = Tables(GAMES[name], TABLES, n_seats, seed=1)

    def run() -> int:
        taken = 0
        for _ in range(STEPS):
            actions = tables.random_actions()
            taken += actions.size - int((actions == tables.encoder.noop).sum())
            tables.step(actions)
        return taken

    run()
    return run


def theirs(name: str) -> Callable[[], int] | None:
    """The same of a game of Pgx, with new games where one is over, compiled as a whole."""
    if importlib.util.find_spec("pgx") is None:
        return None
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    import jax  # noqa: PLC0415 - only where it is installed
    import pgx  # noqa: PLC0415 - as above
    from pgx.experimental import auto_reset  # noqa: PLC0415 - as above

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    def one(state, key):  # type: ignore[no-untyped-def]
        first, second = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(first, logits, axis=-1)
        after = jax.vmap(step)(state, actions, jax.random.split(second, TABLES))
        return after, after.observation.sum() + after.rewards.sum()

    many = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, STEPS)))
    keys = jax.random.split(jax.random.PRNGKey(0), TABLES)
    kept = [jax.jit(jax.vmap(env.init))(keys), 0]

    def run() -> int:
        kept[1] += 1
        kept[0], sums = many(kept[0], jax.random.PRNGKey(kept[1]))
        sums.block_until_ready()
        return TABLES * STEPS

    run()
    return run


def vector_table() -> Table:
    """Millions of seat-steps a CPU second, and how many times each peer's that is."""
    runs = {f"{game.title} {n}": ours(game.name, n) for game in GAMES.values() for n in (game.usual_seats,)}
    first = next(iter(GAMES.values()))
    runs = {f"{first.title} {first.seats[0]}": ours(first.name, first.seats[0]), **runs}
    peers = {f"pgx {name}": found for name in PEERS if (found := theirs(name))}
    best = dict.fromkeys([*runs, *peers], 0.0)
    for _ in range(TRIES):
        for name, run in {**runs, **peers}.items():
            best[name] = max(best[name], rate(run))
    table = Table("tables at once", "million seat-steps/s", *(f"× {peer}" for peer in peers))
    for name, found in best.items():
        table.add_row(name, f"{found / 1e6:.2f}", *(f"{found / best[peer]:.1f}" for peer in peers))
    return table

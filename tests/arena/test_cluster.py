"""A real cluster of two nodes on this machine, one of which is lost in the middle: that costs time, no more."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pokade.arena.cluster import Cluster
from pokade.arena.simulate import Match
from pokade.arena.simulate import run as simulate
from pokade.arena.tournament import Tournament
from pokade.arena.tournament import run as meet
from pokade.games import GAMES
from pokade.solver.pok import LimitedSolving
from tests.arena.test_runs import result
from tests.cli.test_commands import called

pytestmark = [pytest.mark.soak, pytest.mark.filterwarnings("default")]  # Ray's own warnings are not ours
POK = GAMES["pok"]
STORE = 80 << 20  # bytes of each node's object store


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    pytest.importorskip("ray", reason="Ray is an extra: pip install .[cluster]")
    from ray import cluster_utils, shutdown  # noqa: PLC0415 - an extra

    small = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False}
    found = cluster_utils.Cluster(initialize_head=True, head_node_args=small)
    yield found
    shutdown()
    found.shutdown()


def with_a_node(nodes: Any) -> Any:
    node = nodes.add_node(num_cpus=1, object_store_memory=STORE)
    nodes.wait_for_nodes()
    return node


def test_a_lost_node_costs_time_only(nodes: Any):
    node, seats, heard = with_a_node(nodes), ["casual"] * 4, list[int]()
    machines = Cluster(nodes.address)
    assert machines.at_once == 2

    def lose(done: int) -> None:
        heard.append(done)
        if len(heard) == 5:
            nodes.remove_node(node, allow_graceful=False)

    there = simulate(Match(POK, seats, 300_000, seed=9, workers=machines), lose)

    assert len(heard) > 20
    assert result(there) == result(simulate(Match(POK, seats, 300_000, seed=9, threads=2)))


def test_tournaments_and_solutions_are_those_of_one_machine(nodes: Any, tmp_path: Path):
    with_a_node(nodes)
    machines, here, there = Cluster(nodes.address), *(Tournament(POK, ["strong", "casual", "novice"]) for _ in range(2))

    meet(here, 30, 1)
    meet(there, 30, machines, tmp_path / "kept")
    solved = [LimitedSolving(3, tmp_path / name, 1) for name in ("one", "two")]
    for work, workers in zip(solved, (2, machines), strict=True):
        work.run(workers, lambda _: None)

    assert [(one.who, one.shares) for one in here.played] == [(one.who, one.shares) for one in there.played]
    assert len((tmp_path / "kept").read_text().splitlines()) == 31
    assert solved[0].out.read_bytes() == solved[1].out.read_bytes()


def test_the_commands_take_a_cluster(nodes: Any, tmp_path: Path):
    words = ("simulate", "pok", "--players", 3, "--games", 20_000, "--json")

    here, there = called(*words), called(*words, "--cluster", nodes.address, "--keep", tmp_path / "kept")

    assert there.exit_code == 0, there.output
    assert json.loads(here.stdout)["shares"] == json.loads(there.stdout)["shares"]
    learnt = called("exploit", "pok", "--against", "random", "--games", 200, "--runs", 2, "--cluster", nodes.address)
    assert learnt.exit_code == 0, learnt.output

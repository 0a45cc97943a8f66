"""Choices of packages, and orders of their blocks."""

import numpy as np

from engines.methods.neksus.instance import instance_of
from engines.methods.neksus.reproduction.common import system
from engines.methods.neksus.space import by_traffic, merged
from engines.search.strategies import Exhaustive
from hardware.chiplet_system.model import ApplicationChain
from tests.engines.methods.neksus.problems import neksus_problem


def chain(*blocks: str, handed_on: tuple[float, ...]) -> ApplicationChain:
    return ApplicationChain(blocks, handed_on, frames_per_s=30.0, deadline_s=1.0)


def test_blocks_that_hand_on_stand_side_by_side() -> None:
    chains = [chain("a", "c", handed_on=(100.0,)), chain("b", "d", handed_on=(10.0,))]
    assert by_traffic("abcd", chains, 2) == ("a", "c", "b", "d")
    # The heavier hand-over has the place that both want.
    assert by_traffic("abc", [chain("a", "b", handed_on=(1.0,)), chain("a", "c", handed_on=(9.0,))], 2)[:2] == (
        "a",
        "c",
    )


def test_blocks_of_one_process_share_a_chiplet() -> None:
    blocks = tuple(system().blocks)
    assert merged(system(), blocks, 1) == tuple((block,) for block in blocks)
    pairs = merged(system(), blocks, 2)
    assert [block for own in pairs for block in own] == list(blocks)
    assert max(map(len, pairs)) <= 2
    assert all(len({system().blocks[block].process for block in own}) == 1 for own in pairs)


def test_every_row_of_genes_is_a_package_or_has_too_few_ports() -> None:
    space = instance_of(neksus_problem({"most_ports": 4})).space
    sizes = np.array(space.sizes)
    for genes in (0 * sizes, sizes // 2, sizes - 1):
        design = space.design(genes)
        assert design is None or design.ports <= 4


def test_each_block_that_is_decided_is_bought_or_designed() -> None:
    params = {
        "reuse": "each", "reuse_blocks": "cam, mic", "orders": 1, "granularities": "1", "serdes_ratios": "6",
        "channel_widths": "128", "topologies": "crossbar", "chain_lengths": "4", "flows": "direct",
    }  # fmt: skip
    space = instance_of(neksus_problem(params)).space
    assert Exhaustive(space, 1).evaluations == 4
    designs = Exhaustive(space, 1).designs()
    new = {tuple(b for n, (b,) in enumerate(each.chiplets) if n not in each.bought) for each in designs if each}
    assert {frozenset(blocks) for blocks in new} == {frozenset(x) for x in ((), ("cam",), ("mic",), ("cam", "mic"))}


def test_every_block_for_sale_is_decided_where_none_is_named() -> None:
    assert len(instance_of(neksus_problem({"reuse": "each"})).space.decided) == 12
    assert instance_of(neksus_problem({"reuse": "for-sale, none"})).space.decided == ()

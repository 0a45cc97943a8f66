from itertools import pairwise

import pytest

from engines.cost.soc.operations import operation_table
from engines.mapping.problem.blocks import blocks_of, common_name
from engines.workloads.loader import builtin_network


def test_blocks_of_the_paper_s_network_are_stem_graphers_ffns_and_head() -> None:
    names, starts = blocks_of(operation_table(builtin_network("magnas-vig-s-gin").operations), "blocks")
    assert len(names) == 34 and names[:3] == ("stem", "grapher1", "ffn1")
    assert starts[0] == 0 and all(begin < end for begin, end in pairwise(starts))


@pytest.mark.parametrize(("workload", "block"), [("vig-s", "backbone.0"), ("resnet50", "layer1.0")])
def test_large_blocks_are_split_by_the_next_part_of_names(workload: str, block: str) -> None:
    operations = operation_table(builtin_network(workload).operations)
    names, _ = blocks_of(operations, "blocks")
    assert block in names
    assert len(operations.blocks()[0]) < len(names) < len(blocks_of(operations, "layers")[0])


def test_layers_are_operations_that_run() -> None:
    operations = operation_table(builtin_network("resnet50").operations)
    names, starts = blocks_of(operations, "layers")
    assert len(names) == operations.runs.sum() == len(starts)


@pytest.mark.parametrize("workload", ["inception-v3", "unet-512", "visformer-tiny"])
def test_parts_of_a_block_that_stand_apart_have_names_of_their_own(workload: str) -> None:
    names, _ = blocks_of(operation_table(builtin_network(workload).operations), "blocks")
    assert len(set(names)) == len(names)
    again = [name for name in names if name.endswith(" (2)")]
    assert again and all(common_name(name) in names for name in again)

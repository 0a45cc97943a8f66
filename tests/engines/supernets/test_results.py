from __future__ import annotations

import pytest

from engines.supernets.results import architecture_table, block_table, size_breakdown
from engines.supernets.spaces import small_space
from engines.supernets.workload import network_of


def test_parts_and_blocks_add_up_to_the_subnet() -> None:
    space = small_space(3, 16, 4, 8, "pyramid")
    architecture = space.largest("edge")
    network = network_of(space, architecture)
    macs = float(sum(operation.macs for operation in network.operations))
    parts, blocks = size_breakdown(space, architecture), block_table(space, architecture)
    assert parts.values.sum() == pytest.approx(macs)
    assert parts.bars[0] == "Stem" and parts.bars[-1] == "Head" and len(parts.bars) == len(architecture) + 2
    assert sum(blocks.table_columns[1].values) == pytest.approx(macs)


def test_a_part_that_is_left_out_has_no_width() -> None:
    space = small_space(3, 16, 4, 8, "pyramid")
    columns = {column.title: column.values for column in architecture_table(space, space.smallest("gin")).table_columns}
    assert set(columns["Graph operator"]) == {"GIN"}
    assert [width != width for width in columns["Width inside"]] == [
        each == "left out" for each in columns["Feed-forward"]
    ]

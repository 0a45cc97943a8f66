from __future__ import annotations

from engines.workloads.loader import builtin_network
from frontend.pages.catalogue.workload.layer_table import layer_table
from frontend.pages.catalogue.workload.layers.query import asked_of
from tests.frontend.words import words
from tests.support.stored_runs import People


def test_every_layer_has_a_row_though_nothing_is_compared(people: People) -> None:
    network = builtin_network("resnet50")
    table = layer_table(network, None, asked_of(people.owner, {}))
    (grid,) = [part for part in table._traverse() if hasattr(part, "rowData")]
    assert [row["name"] for row in grid.rowData] == [layer.name for layer in network.layers]
    assert {column["field"] for column in grid.columnDefs} >= {"number", "name"}
    assert f"{len(network.layers)} layers" in words(table)

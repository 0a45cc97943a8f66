from __future__ import annotations

from tests.frontend.pages.run.design.cases import DELAYS, ENERGY, graph, names


def test_a_graph_whose_names_do_not_fit_gives_way_to_what_can_be_read() -> None:
    assert names(graph(400), DELAYS, ENERGY) == ["delays", "energy"]
    assert names(graph(400)) == ["mapping"]

from __future__ import annotations

from tests.engines.methods.magnas.searched_for_tests import designs_of


def test_baselines_are_the_largest_of_each_operator_on_each_unit() -> None:
    designs = designs_of()
    labels = [label for label, origin in zip(designs.label, designs.origin, strict=True) if origin == "baseline"]
    assert len(labels) == 8 and "GraphSAGE, DLA alone" in labels
    assert min(designs.columns["transitions"][:8]) == max(designs.columns["transitions"][:8]) == 0


def test_designs_of_the_search_are_labelled_by_their_architecture() -> None:
    designs = designs_of()
    row = designs.origin.index("search")
    assert designs.label[row].endswith(f"{designs.columns['blocks'][row]:g} blocks")

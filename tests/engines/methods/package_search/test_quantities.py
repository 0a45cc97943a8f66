"""What decisions show beside figures."""

from engines.contract.decision_columns import decided_cells
from engines.contract.quantities import objectives_of
from engines.methods.package_search.params import PackageSearchParams
from engines.methods.package_search.quantities import CHOICE, COLUMNS, DECISION_COLUMNS, MAY_SPAN, QUANTITIES


def test_a_package_with_the_schedule_on_it() -> None:
    package = {"dataflows": ["nvdla", "shidiannao"], "memory_bandwidth_gb_per_s": 64.0, "interface_sides": "both"}
    windows = [
        {"models": [{"model": 0, "path": [1, 0], "cuts": [3, 9]}]},
        {"models": [{"model": 0, "path": [1], "cuts": [9]}]},
    ]
    cells = decided_cells(DECISION_COLUMNS, {"package": package, "goal": "edp", "windows": windows})
    assert cells == {
        "dataflows": ("nvdla", "shidiannao"), "memory": 64.0, "sides": "both", "goal": "edp", "chiplets_used": 2.0,
        "segments": 3.0, "windows": 2.0, "paths": ("W1 A: C1 → C0", "W2 A: C1"),
        "cuts": ("W1 A: 3, 9", "W2 A: 9"),
    }  # fmt: skip


def test_objectives_come_first_and_nothing_comes_twice() -> None:
    assert COLUMNS[: len(MAY_SPAN)] == MAY_SPAN and len(set(COLUMNS)) == len(COLUMNS)


def test_cost_spans_the_front_where_it_is_asked_for() -> None:
    usual, priced = (
        {each.name for each in objectives_of(CHOICE.roles(QUANTITIES, PackageSearchParams(minimise_cost=asked)))}
        for asked in (False, True)
    )
    assert priced - usual == {"cost_usd"} and usual

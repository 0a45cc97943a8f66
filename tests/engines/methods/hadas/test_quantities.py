"""What decisions show beside figures."""

from engines.contract.decision_columns import decided_cells
from engines.methods.hadas.quantities import DECISION_COLUMNS, LIMITS, QUANTITIES


def test_a_backbone_with_its_exits() -> None:
    decision = {
        "backbone": {"resolution": 192, "depth": [1, 3, 2], "width": [16, 24], "kernel_size": [3, 5]},
        "exits": [4, 9], "rule": "entropy", "threshold": 0.5, "clocks_mhz": {"gpu": 1300.5},
    }  # fmt: skip
    assert decided_cells(DECISION_COLUMNS, decision) == {
        "resolution": 192.0, "depth": 6.0, "depths": (1.0, 3.0, 2.0), "widths": (16.0, 24.0), "kernels": (3.0, 5.0),
        "ends": 2.0, "exits": (4.0, 9.0), "rule": "entropy", "clocks_mhz.gpu": 1300.5,
    }  # fmt: skip


def test_of_a_network_that_is_given_only_exits_are_decided() -> None:
    cells = decided_cells(DECISION_COLUMNS, {"exits": [], "clocks_mhz": {}})
    assert cells["ends"] == 0 and cells["resolution"] is None and cells["depth"] is None and cells["rule"] is None


def test_limits_are_on_columns_that_are_minimised() -> None:
    columns = {each.name: each for each in QUANTITIES}
    assert [columns[limit.column].sense for limit in LIMITS] == ["minimise", "minimise"]

"""What decisions show beside figures."""

from engines.contract.decision_columns import decided_cells
from engines.methods.magnas.quantities import DECISION_COLUMNS


def test_superblocks_and_their_units() -> None:
    blocks = [{"operator": "mr_conv", "depth": 2, "hidden": 96}, {"operator": "gin", "depth": 4, "hidden": 192}]
    decision = {"architecture": blocks, "units": ["gpu", "dla"], "clocks_mhz": {"gpu": 520.0, "memory": 1065.0}}
    assert decided_cells(DECISION_COLUMNS, decision) == {
        "operators": ("mr_conv", "gin"), "depths": (2.0, 4.0), "hidden": (96.0, 192.0), "units": ("gpu", "dla"),
        "clocks_mhz.gpu": 520.0, "clocks_mhz.memory": 1065.0,
    }  # fmt: skip


def test_a_mapping_of_a_given_architecture_shows_no_superblocks() -> None:
    cells = decided_cells(DECISION_COLUMNS, {"units": ["gpu"], "clocks_mhz": {}})
    assert cells == {"operators": None, "depths": None, "hidden": None, "units": ("gpu",)}

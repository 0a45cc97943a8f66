"""Units added to and removed from a board."""

from __future__ import annotations

import pytest

from engines.documents import families
from engines.documents.builtin import builtin_documents
from hardware.errors import HardwareError
from hardware.soc.model import Soc
from hardware.soc.unit_edits import with_unit, without_unit

XAVIER = builtin_documents("hardware")["jetson-agx-xavier"].content


def loaded(content: dict) -> Soc:
    found = families.load(content, "hardware")
    assert isinstance(found, Soc)
    return found


def test_a_unit_alike_another_is_added_and_a_board_with_it_is_valid() -> None:
    board = loaded(with_unit(XAVIER, "npu-2", "dla", "assumed; chosen by ann"))
    assert list(board.units) == ["cpu", "gpu", "dla", "npu-2"]
    assert board.units["npu-2"].operations_per_cycle == board.units["dla"].operations_per_cycle
    assert board.power_modes["mode-10w"].units["npu-2"] == board.power_modes["mode-10w"].units["dla"]
    assert "assumed; chosen by ann" in {board.sources[key] for key in board.sources if key.startswith("units.npu-2")}
    assert "npu-2" not in XAVIER["units"]


def test_a_unit_is_removed_with_all_that_is_said_of_it() -> None:
    board = loaded(without_unit(XAVIER, "dla"))
    assert list(board.units) == ["cpu", "gpu"]
    assert all("dla" not in mode.units for mode in board.power_modes.values())
    assert not [key for key in board.sources if ".dla" in key]


def test_a_unit_added_and_removed_again_leaves_nothing_behind() -> None:
    assert without_unit(with_unit(XAVIER, "npu-2", "dla", "assumed"), "npu-2") == XAVIER


@pytest.mark.parametrize(("name", "like"), [("gpu", "dla"), ("Big Core", "cpu"), ("", "cpu"), ("npu", "none")])
def test_what_is_no_new_unit_is_refused(name: str, like: str) -> None:
    with pytest.raises(HardwareError):
        with_unit(XAVIER, name, like, "assumed")


def test_the_last_unit_stays() -> None:
    alone = without_unit(without_unit(XAVIER, "dla"), "cpu")
    with pytest.raises(HardwareError, match="one of at least two units"):
        without_unit(alone, "gpu")

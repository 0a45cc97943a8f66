from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import DecisionError
from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.decided_clocks import clocks_mhz, decided_clocks
from engines.documents.builtin import get_builtin
from hardware.soc.family import SOC
from hardware.soc.model import Soc


@pytest.fixture(scope="module")
def tx2() -> Soc:
    soc: Soc = SOC.load(get_builtin("hardware", "jetson-tx2").content)
    return soc


def test_what_is_left_out_stands_as_usual_and_what_is_given_at_the_nearest_step(tx2: Soc) -> None:
    usual = clocks_mhz(highest_clocks(tx2), 0)
    assert usual["gpu"] == pytest.approx(1300.5)
    found = decided_clocks(tx2, {"gpu": 1120}, usual)
    assert clocks_mhz(found, 0) == {**usual, "gpu": pytest.approx(1122)}


@pytest.mark.parametrize(
    ("given", "field"),
    [("high", "decision.clocks_mhz"), ({"gpu": True}, "decision.clocks_mhz"), ({"gpu": 1}, "decision.clocks_mhz.gpu")],
)
def test_what_is_no_clock_is_refused_by_its_name(tx2: Soc, given: Any, field: str) -> None:
    with pytest.raises(DecisionError) as refused:
        decided_clocks(tx2, given, clocks_mhz(highest_clocks(tx2), 0), otherwise=', or "governor"')
    assert refused.value.field == field

"""How much each parameter matters."""

from __future__ import annotations

import numpy as np
import pytest

from engines.cost.silicon.costs import LargeDies, large_die_money
from engines.cost.silicon.sensitivity import tornado
from hardware.silicon.loader import load_silicon_costs
from hardware.silicon.model import SiliconCosts
from tests.hardware.silicon_for_tests import silicon_content


def cost(costs: SiliconCosts) -> float:
    dies = LargeDies("old", np.array([100.0]), np.array([4.0]), np.array([6.0]))
    return float(large_die_money(costs, dies).per_system_usd(1e4)[0])


def test_every_number_of_the_document_has_a_swing() -> None:
    content = silicon_content()
    swings = {swing.key: swing for swing in tornado(content, cost, 0.5)}
    numbers = [key for key in load_silicon_costs(content).sources if key != "design.chiplet_masks"]
    assert sorted(swings) == sorted(numbers)
    masks = swings["processes.old.mask_set_usd"]
    assert (masks.given, masks.low_value, masks.high_value) == (1e6, 5e5, 1.5e6)
    assert (masks.high - masks.low) == pytest.approx(1e6 / 1e4)
    assert swings["assembly.bonding_usd"].width == 0  # one die has no bonds
    widths = [swing.width for swing in tornado(content, cost)]
    assert widths == sorted(widths, reverse=True)


def test_what_a_document_cannot_have_changes_nothing() -> None:
    swing = {each.key: each for each in tornado(silicon_content(), cost)}["processes.old.critical_percent"]
    assert swing.high == cost(load_silicon_costs(silicon_content())) and swing.low < swing.high


def test_of_a_yield_the_loss_changes() -> None:
    swing = {each.key: each for each in tornado(silicon_content(), cost)}["assembly.bond_yield_percent"]
    assert (swing.low_value, swing.high_value) == pytest.approx((92, 88))

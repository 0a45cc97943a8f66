"""Two worked examples, the published ratios, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.silicon.costs import (
    EACH,
    ONCE,
    PART_TITLES,
    Chiplets,
    LargeDies,
    Money,
    large_die_money,
    package_money,
    require_exposable,
    require_process,
    startup_ratio,
)
from engines.cost.silicon.yields import yield_of
from hardware.silicon.loader import builtin_silicon_costs, load_silicon_costs
from tests.hardware.silicon_for_tests import silicon_content

ROUND = load_silicon_costs(silicon_content())
NEKSUS = load_silicon_costs(builtin_silicon_costs()["neksus-28nm"])


def one(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def test_one_large_die_by_hand() -> None:
    # 10 blocks on 100 mm2, 10,000 gates each; 4 are new at 0.5 USD per gate, 6 are bought at 0.3 USD per gate.
    money = large_die_money(ROUND, LargeDies("old", one(100), one(4), one(6)))
    assert money.masks_usd == [1e6]
    assert money.design_usd == pytest.approx([4 * 5000 + 6 * 3000])
    assert money.integration_usd == pytest.approx([10 * 100 * 0.4])
    assert money.verification_usd == pytest.approx([20_000])  # half of design and verification together
    assert money.licences_usd == pytest.approx([6000])
    assert money.dies_usd == pytest.approx([1000 / 269.7304], rel=1e-6)
    assert money.test_usd == pytest.approx([1.0])
    assert money.lost_usd == pytest.approx([(1000 / 269.7304 + 1.0) * 0.1], rel=1e-6)  # yield 1 / (1 + 0.1)
    assert money.per_system_usd(1e4) == pytest.approx(money.once_usd / 1e4 + money.each_usd)


def test_a_package_of_chiplets_by_hand() -> None:
    # Two new chiplets of 25 mm2 of the same design and one bought of 50 mm2; 125 mm2 of interposer.
    money = package_money(ROUND, Chiplets(("old", "old"), one(25, 50)[None], one(2, 1)[None], one(1, 0)[None]))
    dies_25, dies_50, dies_125 = (
        np.pi * 200**2 / 4 / area - np.pi * 200 / np.sqrt(2 * area) for area in (25.0, 50.0, 125.0)
    )
    assert money.masks_usd == [1e6]
    assert money.design_usd == pytest.approx([25_000 * 0.6])
    assert money.verification_usd == pytest.approx([25_000 * 0.5])
    assert money.integration_usd == pytest.approx([3 * 100 * 0.5])
    assert money.licences_usd == [0]
    assert money.dies_usd == pytest.approx([2 * 1000 / dies_25 + 1000 / dies_50])
    assert money.interposer_usd == pytest.approx([500 / dies_125])
    assert money.assembly_usd == pytest.approx([0.3])
    interposer_test = 125 * 0.02 + 0.5
    assert money.test_usd == pytest.approx([2 * 0.25 + 0.5 + interposer_test + 3 * 0.2])
    # Yields 1 / (1 + area x density): 0.025, 0.05 and 0.0125 more dies than good ones; then one in ten bonds fails.
    parts = (
        2 * (1000 / dies_25 + 0.25) * 0.025
        + (1000 / dies_50 + 0.5) * 0.05
        + (500 / dies_125 + interposer_test) * 0.0125
    )
    whole = float((money.dies_usd + money.interposer_usd + money.assembly_usd + money.test_usd)[0]) + parts
    assert money.lost_usd == pytest.approx([parts + whole * (1 / 0.9**3 - 1)])


@pytest.mark.parametrize(("rule", "sets"), [("share", 25 / 100), ("one-set", 1.0), ("set-each", 2.0)])
def test_masks_of_new_chiplets(rule: str, sets: float) -> None:
    costs = load_silicon_costs(silicon_content(design__chiplet_masks=rule))
    money = package_money(costs, Chiplets(("old",), one(12.5)[None], one(8)[None], one(2)[None]))
    assert money.masks_usd == pytest.approx([sets * 1e6])


@pytest.mark.parametrize(("reuse", "perfect", "with_yields"), [(0.9, 3.97, 5.52), (0.7, 1.72, 2.39)])
def test_published_ratios(reuse: float, perfect: float, with_yields: float) -> None:
    new = 64 * (1 - reuse)
    die = large_die_money(NEKSUS, LargeDies("28nm", one(256), one(new), one(64 - new)))
    package = package_money(NEKSUS, Chiplets(("28nm",), one(4)[None], one(64)[None], one(new)[None]))
    assert startup_ratio(die, package) == pytest.approx([perfect], abs=5e-3)
    good = float(yield_of(256.0, 0.002, 0.9, 1.5))
    assert startup_ratio(die, package, good, 0.93) == pytest.approx([with_yields], abs=5e-3)
    # Section 6.5.1: in mass production the package is a little cheaper with these yields, the die with perfect ones.
    assert package.each_usd < die.each_usd
    assert package.each_usd - package.lost_usd > die.each_usd - die.lost_usd


def test_many_designs_cost_what_each_costs_alone() -> None:
    random = np.random.default_rng(1)
    area, count = random.uniform(1, 60, (50, 3)), random.integers(0, 9, (50, 3)).astype(float)
    designs = np.minimum(count, random.integers(0, 4, (50, 3)))
    every = package_money(NEKSUS, Chiplets(("28nm",) * 3, area, count, designs)).parts()
    for row in (0, 7, 49):
        own = Chiplets(("28nm",) * 3, area[row : row + 1], count[row : row + 1], designs[row : row + 1])
        assert (package_money(NEKSUS, own).parts()[0] == every[row]).all()


def test_parts_have_titles() -> None:
    assert tuple(PART_TITLES) == (*ONCE, *EACH) == tuple(Money.__dataclass_fields__)


def test_a_die_larger_than_the_reticle_is_refused() -> None:
    require_exposable(NEKSUS, [858.0], "inputs.hardware")
    with pytest.raises(ProblemError, match="858 mm², the reticle of 26 mm x 33 mm"):
        require_exposable(NEKSUS, [4.0, 900.0], "inputs.hardware")
    with pytest.raises(ProblemError, match="a process of the silicon costs: 28nm"):
        require_process(NEKSUS, "7nm", "inputs.hardware.process")

"""Columns of packages, and what of them does not depend on traffic."""

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.contract.limits import ROOM
from engines.methods.neksus.design import PackageDesign, encoded
from engines.methods.neksus.instance import NeksusInstance, instance_of
from engines.methods.neksus.money import chiplet_mm2, hub_mm2, largest_mm2
from engines.methods.neksus.quantities import QUANTITIES
from engines.methods.neksus.scoring import columns_of, decoded_designs, designs_of, static_columns
from tests.engines.methods.neksus.problems import neksus_problem


@pytest.fixture(scope="module")
def instance() -> NeksusInstance:
    return instance_of(neksus_problem({"latency_limit_s": 0.01}))


@pytest.fixture(scope="module")
def package(instance: NeksusInstance) -> PackageDesign:
    apart = tuple((name,) for name in instance.system.blocks)
    return PackageDesign("crossbar", apart, 4, 6, 128, "direct", frozenset())


def test_a_block_that_is_bought_is_not_designed_and_changes_nothing_else(
    instance: NeksusInstance, package: PackageDesign
) -> None:
    sold = next(n for n, (name,) in enumerate(package.chiplets) if instance.system.blocks[name].for_sale)
    columns = columns_of(instance, [package, replace(package, bought=frozenset({sold}))])
    assert np.diff(columns["new_chiplets"])[0] == -1 and np.diff(columns["once_usd"])[0] < 0
    for name in ("latency_s", "energy_j_per_bit", "micro_bumps", "silicon_mm2"):
        assert np.ptp(columns[name]) == 0
    np.testing.assert_allclose(columns["cost_usd"], columns["once_usd"] / instance.params.systems + columns["each_usd"])


def test_ports_and_chiplets_are_counted(instance: NeksusInstance, package: PackageDesign) -> None:
    columns = static_columns(instance, [package, replace(package, chain_length=1)])
    count = len(instance.system.blocks)
    assert columns["chiplets"].tolist() == [count, count]
    assert columns["ports"].tolist() == [-(-count // 4), count]
    silicon = sum(chiplet_mm2(instance.system, package)) + hub_mm2(instance.system, package)
    assert columns["silicon_mm2"][0] == pytest.approx(silicon)


def test_room_is_to_the_limit(instance: NeksusInstance, package: PackageDesign) -> None:
    columns = columns_of(instance, [package])
    assert columns[ROOM.name] == pytest.approx(1 - columns["latency_s"] / 0.01)
    assert list(columns) == [quantity.name for quantity in QUANTITIES]


def test_decisions_come_back_and_no_package_is_no_design(instance: NeksusInstance, package: PackageDesign) -> None:
    assert decoded_designs(instance, [encoded(package)]) == [package]
    assert len(designs_of(instance, [])) == 0 and designs_of(instance, [package]).decisions == [encoded(package)]
    with pytest.raises(DecisionError, match="topology"):
        decoded_designs(instance, [{**encoded(package), "topology": "ring"}])
    largest = largest_mm2(instance.system, package)
    fits = replace(instance, costs=replace(instance.costs, reticle_mm=(largest, 1.0)))
    assert decoded_designs(fits, [encoded(package)]) == [package]
    with pytest.raises(DecisionError, match=f"a die of {largest:.4g} mm²"):
        decoded_designs(replace(fits, costs=replace(fits.costs, reticle_mm=(largest, 0.99))), [encoded(package)])

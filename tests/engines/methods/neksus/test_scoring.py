"""Columns of packages, and what of them does not depend on traffic."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

from engines.contract.encoding.decoding import encoded
from engines.contract.errors import DecisionError
from engines.contract.limits import LIMIT_SLACK
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.engine import PreparedPackages
from engines.methods.neksus.instance import NeksusInstance, instance_of
from engines.methods.neksus.package_cost import chiplet_mm2, hub_mm2, largest_mm2
from engines.methods.neksus.quantities import QUANTITIES
from engines.methods.neksus.scoring import columns_of, static_columns
from engines.running.inspection import evaluate
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


def test_slack_is_to_the_limit_and_decisions_come_back(instance: NeksusInstance, package: PackageDesign) -> None:
    found = evaluate(neksus_problem({"latency_limit_s": 0.01}), [encoded(package)])
    assert found.columns[LIMIT_SLACK.name] == pytest.approx(1 - found.columns["latency_s"] / 0.01)
    assert list(found.columns) == [quantity.name for quantity in QUANTITIES]
    assert found.decisions == [encoded(package)]
    assert columns_of(instance, [package])["latency_s"] == found.columns["latency_s"]


def test_packages_that_are_none_or_too_large_are_refused(package: PackageDesign) -> None:
    prepared = PreparedPackages(neksus_problem())
    instance = prepared.instance
    assert prepared.decode(encoded(package)) == package
    with pytest.raises(DecisionError, match="topology"):
        prepared.decode({**encoded(package), "topology": "ring"})
    largest = largest_mm2(instance.system, package)
    for width_mm, fits in ((1.0, True), (0.99, False)):
        prepared.instance = replace(instance, costs=replace(instance.costs, reticle_mm=(largest, width_mm)))
        with nullcontext() if fits else pytest.raises(DecisionError, match=f"a die of {largest:.4g} mm²"):
            prepared.decode(encoded(package))

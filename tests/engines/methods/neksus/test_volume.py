"""Cost over how many are made, by hand where it can be."""

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.encoding.decoding import encoded
from engines.contract.results import Curve, Note
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.instance import instance_of
from engines.methods.neksus.quantities import QUANTITIES
from engines.methods.neksus.scoring import static_columns
from engines.methods.neksus.volume import cheapest_by_volume, cost_parts, volume_results, yield_over_granularity
from engines.running.inspection import evaluate
from tests.engines.methods.neksus.problems import neksus_problem

INSTANCE = instance_of(neksus_problem())
APART = tuple((name,) for name in INSTANCE.system.blocks)
PACKAGE = PackageDesign("crossbar", APART, 4, 6, 128, "direct", frozenset())


def test_the_curve_ends_near_what_every_system_costs_and_the_ratio_is_of_both() -> None:
    curve, ratio, note = volume_results(INSTANCE, PACKAGE, "Ours")
    assert isinstance(curve, Curve) and isinstance(ratio, Curve) and isinstance(note, Note)
    own, die = (each.y for each in curve.series)
    static = static_columns(INSTANCE, [PACKAGE])
    assert own[-1] == pytest.approx(static["each_usd"][0] + static["once_usd"][0] / 1e9)
    assert (np.diff(own) < 0).all() and (np.diff(die) < 0).all()
    np.testing.assert_allclose(ratio.series[0].y, die / own)
    assert "the cheaper one" in note.text


def test_parts_of_the_cost_sum_to_its_columns() -> None:
    once, each = cost_parts(INSTANCE, PACKAGE)
    static = static_columns(INSTANCE, [PACKAGE])
    assert once.values[0].sum() == pytest.approx(static["once_usd"][0])
    assert each.values[0].sum() == pytest.approx(static["each_usd"][0])


def test_the_cheapest_of_a_run_changes_where_two_cost_the_same() -> None:
    designs = evaluate(neksus_problem(), [encoded(PACKAGE)] * 3)
    made_up = {"once_usd": [1e6, 3e6, 9e6], "each_usd": [10.0, 8.0, 9.0]}
    columns = {**designs.columns, **{name: np.array(values) for name, values in made_up.items()}}
    table = cheapest_by_volume(Designs(columns, designs.decisions, origin=["search"] * 3))
    cells = {each.title: np.asarray(each.values) for each in table.table_columns}
    # The third is never the cheapest; the second is from 2 million / 2 on.
    assert cells["From systems"].tolist() == [1e3, 1e6]
    assert cells["Cost there"].tolist() == pytest.approx([1e6 / 1e3 + 10, 3e6 / 1e6 + 8])
    assert {quantity.name for quantity in QUANTITIES} >= set(made_up)


def test_smaller_chiplets_yield_more_and_have_more_bonds_to_go_wrong() -> None:
    curve = yield_over_granularity(INSTANCE)
    one, bonds, both = (each.y for each in curve.series)
    assert len(curve.x) == 2 * len(APART)
    assert (np.diff(one) > 0).all() and (np.diff(bonds) <= 0).all()
    assert (both <= np.minimum(one, bonds)).all() and (both > 0).all()

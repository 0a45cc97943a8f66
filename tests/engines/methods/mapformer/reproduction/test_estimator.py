import math
from typing import Any

import pytest

from engines.methods.mapformer.estimator.document import builtin_for
from engines.methods.mapformer.reproduction.estimator import (
    Managed,
    against_omniboost,
    improvements,
    shipped_estimator,
)
from engines.methods.mapformer.reproduction.managers import RIVALS


def test_the_shipped_estimator_is_read_from_its_document() -> None:
    said = builtin_for("jetson-agx-xavier")
    assert said is not None
    rows = {row.name: row.ours for row in shipped_estimator(lambda case: case.blank())}
    assert rows["Learnt numbers of the estimator"] == said.shape.weight_count
    assert rows["Exact class of power"] == pytest.approx(100 * said.accuracy.held_out.power_exact)


def seen(case: Any) -> Any:
    """MapFormer has 4 inferences a joule; a rival has 1 at 10 W, 3 at 15 W and 5 at 30 W."""
    return (
        4.0
        if isinstance(case, Managed)
        else dict.fromkeys(RIVALS, {10.0: 1.0, 15.0: 3.0, 30.0: 5.0}[case.power_limit_w])
    )


def test_improvements_are_of_mapformers_own_efficiency() -> None:
    whole, *parts = list(improvements("fig7a_6dnn")(seen))[:4]
    assert (whole.ours, whole.published, whole.ordering) == (25.0, 76.4, True)
    assert [(row.ours, row.part_of) for row in parts] == [
        (gain, (whole.name, mode)) for gain, mode in ((75.0, "10 W"), (25.0, "15 W"), (-25.0, "30 W"))
    ]
    assert parts[-1].ordering is False


def test_where_one_mode_is_printed_it_is_the_whole() -> None:
    whole, *parts = list(improvements("fig7c_10dnn_10W")(seen))[:3]
    assert whole.ours == 75.0 and [row.part_of for row in parts] == [(whole.name, "15 W"), (whole.name, "30 W")]


def test_omniboost_is_set_beside_both_on_average() -> None:
    less, worse = against_omniboost(seen)
    assert less.ours == pytest.approx(25.0) and worse.ours == pytest.approx(0.0)


def test_nothing_handed_over_within_the_limit_is_no_efficiency() -> None:
    pytest.importorskip("torch")
    assert Managed(6, 1.0, mixes=1).run() == 0.0
    assert Managed(6, 30.0, mixes=1).run() > 0.0
    assert math.isnan(Managed(6, 1.0).blank())

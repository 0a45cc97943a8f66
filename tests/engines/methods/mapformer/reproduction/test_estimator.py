import math
from typing import Any

import pytest

from engines.methods.mapformer.estimator.document import builtin_for
from engines.methods.mapformer.reproduction.estimator import (
    MixEfficiency,
    against_omniboost,
    improvements,
    shipped_estimator,
)
from engines.methods.mapformer.reproduction.managers import OF_OWN, OVER_RIVAL, RIVALS
from engines.reproduction.reproductions import listed, readings_of


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
        if isinstance(case, MixEfficiency)
        else dict.fromkeys(RIVALS, {10.0: 1.0, 15.0: 3.0, 30.0: 5.0}[case.power_limit_w])
    )


@pytest.mark.parametrize(
    ("reading", "mean", "gains"),
    [(OVER_RIVAL, 100 / 3, (300.0, 100 / 3, -20.0)), (OF_OWN, 25.0, (75.0, 25.0, -25.0))],
)
def test_improvements_follow_from_the_reading(reading: str, mean: float, gains: tuple[float, ...]) -> None:
    rows = [row for row in improvements("fig7a_6dnn")(seen) if row.reading == reading]
    whole, *parts = rows[:4]
    assert (whole.published, whole.ordering) == (76.4, True) and whole.ours == pytest.approx(mean)
    assert [row.part_of for row in parts] == [(whole.name, mode) for mode in ("10 W", "15 W", "30 W")]
    assert [row.ours for row in parts] == pytest.approx(gains)
    assert parts[-1].ordering is False and {row.test for row in parts} == {"trend"}


def test_the_formula_of_improvements_is_a_reading_that_the_page_lists() -> None:
    first, second = readings_of("mapformer").items()
    assert first[0] == OVER_RIVAL and "(E - E') / E'," in first[1] and "(E - E') / E," in second[1]
    rows = {row.reading: row for row in listed("mapformer") if row.name == "10 networks at 10 W: MapFormer over MOSAIC"}
    assert set(rows) == {OVER_RIVAL, OF_OWN}


def test_where_one_mode_is_printed_it_is_the_whole() -> None:
    whole, *parts = list(improvements("fig7c_10dnn_10W")(seen))[:3]
    assert whole.ours == 300.0 and [row.part_of for row in parts] == [(whole.name, "15 W"), (whole.name, "30 W")]


def test_omniboost_is_set_beside_both_on_average() -> None:
    less, worse = against_omniboost(seen)
    assert less.ours == pytest.approx(25.0) and worse.ours == pytest.approx(0.0)


def test_nothing_handed_over_within_the_limit_is_no_efficiency() -> None:
    pytest.importorskip("torch")
    assert MixEfficiency(6, 1.0, mixes=1).run() == 0.0
    assert MixEfficiency(6, 30.0, mixes=1).run() > 0.0
    assert math.isnan(MixEfficiency(6, 1.0).blank())

import math

import pytest

from engines.methods.mapformer.estimator.document import builtin_for
from engines.methods.mapformer.reproduction.estimator import Managed, improvements, shipped_estimator
from engines.methods.mapformer.reproduction.managers import RIVALS


def test_the_shipped_estimator_is_read_from_its_document() -> None:
    said = builtin_for("jetson-agx-xavier")
    assert said is not None
    rows = {row.name: row.ours for row in shipped_estimator(lambda case: case.blank())}
    assert rows["Learnt numbers of the estimator"] == said.shape.weight_count
    assert rows["Exact class of power"] == pytest.approx(100 * said.accuracy.held_out.power_exact)


def test_improvements_are_of_mapformers_own_efficiency() -> None:
    found = iter(improvements(lambda case: 4.0 if isinstance(case, Managed) else dict.fromkeys(RIVALS, 1.0)))  # type: ignore[arg-type,return-value]
    assert next(found).ours == 75.0


def test_nothing_handed_over_within_the_limit_is_no_efficiency() -> None:
    pytest.importorskip("torch")
    assert Managed(6, 1.0, mixes=1).run() == 0.0
    assert Managed(6, 30.0, mixes=1).run() > 0.0
    assert math.isnan(Managed(6, 1.0).blank())

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.chiplets.costs.layer_costs import COMPUTE, OFF_CHIP, PACKAGE, layer_results
from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.explain import locations
from engines.chiplets.problem.decision import PackageSchedule, Placement
from engines.contract.results import Breakdown, Table
from tests.engines.chiplets.cases import tables

MODELS = {"a": [[3, 5, 2], [6, 6, 4]], "b": [[1], [1]]}
SCHEDULE = PackageSchedule(
    (
        (Placement(0, 0, (1, 2), (0, 1)), Placement(1, 0, (1,), (2,))),
        (Placement(0, 2, (3,), (4,)),),
    )
)
VARIANTS: list[dict[str, Any]] = [
    {},
    {"weight_loading": "every_mini_batch", "mini_batch": 1},
    {"latency_reading": "end_to_end"},
    {"contention": "between_models"},
]


def _by_layer(params: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    built = tables(MODELS, params, batch=3)
    return built, {result.name: result for result in layer_results(built, SCHEDULE)}


@pytest.mark.parametrize("params", VARIANTS)
def test_layers_add_up_to_the_design(params: dict[str, Any]) -> None:
    built, results = _by_layer(params)
    scorer = Scorer(built)
    busy = [
        seconds
        for window, location in zip(SCHEDULE.windows, locations(built, SCHEDULE), strict=True)
        for score in scorer.window(window, location)
        for seconds in score.segment_busy_s
    ]
    time, energy = results["layer-time"], results["layer-energy"]
    assert isinstance(time, Breakdown) and isinstance(energy, Breakdown)
    assert time.values.sum() == pytest.approx(sum(busy), rel=1e-12)
    assert energy.values.sum() == pytest.approx(scorer.score(SCHEDULE)[1], rel=1e-12)
    assert (time.values >= 0).all() and (energy.values >= 0).all()


def test_layers_by_hand() -> None:
    _, results = _by_layer({"latency_reading": "end_to_end"})
    time, table = results["layer-time"], results["layers"]
    assert isinstance(table, Table)
    assert time.bars == ("a 1 (C0)", "a 2 (C1)", "b 1 (C2)", "a 3 (C4)")
    # Three samples at once: 3 s a sample on the first chiplet, whose kind takes 3 s for the first layer of "a".
    assert time.values[0, COMPUTE] in (3 * 3.0, 3 * 6.0)
    # The first layer hands on to its neighbour and reads input and weights off chip; the last layer of "a" starts from C1.
    assert time.values[0, PACKAGE] > 0 and time.values[0, OFF_CHIP] > 0
    assert time.values[3, PACKAGE] > 0
    columns = {column.title: column.values for column in table.table_columns}
    assert columns["Window"] == ("1", "1", "1", "2")
    assert np.array_equal(columns["Compute time"], time.values[:, COMPUTE])

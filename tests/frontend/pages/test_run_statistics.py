from __future__ import annotations

import numpy as np
import pytest

from engines.quantities import Quantity
from frontend.pages.run_data import RunDesigns
from frontend.pages.run_statistics import BINS, column_statistics, statistics_section


def designs(**columns: list[float]) -> RunDesigns:
    count = len(next(iter(columns.values())))
    quantities = tuple(Quantity(name, name.title(), "s") for name in columns)
    texts = np.array(["search"] * count), np.array([""] * count)
    arrays = {name: np.array(values, float) for name, values in columns.items()}
    return RunDesigns(quantities, "", arrays, np.arange(count), *texts)


def test_quartiles_leave_missing_values_out() -> None:
    values = [*range(1, 10), float("nan"), float("inf"), float("nan")]
    (one,) = column_statistics(designs(latency=values))
    assert one.quartiles == (1.0, 3.0, 5.0, 7.0, 9.0)
    assert one.count == 9 and one.missing_fraction == pytest.approx(3 / 12)
    assert sum(one.counts) == 9 and len(one.counts) == BINS


def test_columns_without_spread_or_values() -> None:
    equal, none = column_statistics(designs(equal=[2.0, 2.0], none=[float("nan")] * 2))
    assert equal.counts == (2,) and equal.quartiles == (2.0,) * 5
    assert none.count == 0 and none.missing_fraction == 1.0 and np.isnan(none.quartiles).all()
    text = str(statistics_section(7, designs(equal=[2.0, 2.0], none=[float("nan")] * 2)))
    assert "all equal" in text and "/api/v1/runs/7/designs.json" in text and "100" in text

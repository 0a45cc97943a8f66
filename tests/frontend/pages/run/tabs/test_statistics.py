from __future__ import annotations

import numpy as np
import pytest

from engines.contract.quantities import Quantity
from frontend.designs.run_designs import RunDesigns
from frontend.pages.run.tabs.statistics import BINS, column_statistics, statistics_section


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
    text = str(statistics_section(7, "soc-mapping", designs(equal=[2.0, 2.0], none=[float("nan")] * 2)))
    assert "all equal" in text and "/api/v1/runs/7/designs.json" in text and "100" in text


def test_columns_that_are_equal_but_for_rounding_have_no_spread() -> None:
    (one,) = column_statistics(designs(energy=[1.7, float(np.nextafter(1.7, 2))]))
    assert one.counts == (2,)
    assert "all equal" in str(statistics_section(7, "soc-mapping", designs(energy=[1.7, float(np.nextafter(1.7, 2))])))


def test_the_figures_are_text_and_no_component_per_cell() -> None:
    many = designs(**{f"column{number}": [1.0, 2.0, 4.0] for number in range(30)})
    section = statistics_section(7, "soc-mapping", many)
    text = str(section)
    assert len([*section._traverse()]) < 30
    assert text.count("<tr") == 31 and text.count('class="spread"') == 30
    assert "Histogram of column7" in text and "<td" in text

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import frontend
from engines.contract.results import Distribution
from frontend.figures.generic import distribution_figure
from frontend.figures.statistics.histogram import binned

ONE_ULP = [1.7, float(np.nextafter(1.7, 2))]


@pytest.mark.parametrize(
    "values", [ONE_ULP, [1e300, 1.0000000000000002e300], [0.0, 0.0], [1e18, 1e18 + 128], [-3.0], [5e-324, 5e-324]]
)
def test_values_that_are_equal_but_for_rounding_are_one_bin(values):
    counts, edges = binned(np.array(values), 24)
    assert counts.tolist() == [len(values)] and edges[0] <= values[0] <= edges[1]
    figure = distribution_figure(Distribution("spread", "Spread", np.array(values), ""), "light")
    assert sum(figure.data[0].y) == len(values)


@pytest.mark.parametrize("values", [[1.0, 2.0, 4.0], [-1.7e308, 1.7e308], [0.0, 1e-300], [1.0, 1.00001]])
def test_every_value_is_counted_once_between_least_and_largest(values):
    counts, edges = binned(np.array(values), 24)
    assert len(counts) == 24 and counts.sum() == len(values) and counts[0] and counts[-1]
    assert edges[[0, -1]] == pytest.approx([min(values), max(values)])


def test_no_values_are_no_bins():
    assert [len(part) for part in binned(np.zeros(0), 24)] == [0, 0]


def test_nothing_counts_into_bins_past_the_guard():
    calls = {
        path.name
        for path in Path(frontend.__path__[0]).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in ("histogram", "histogram2d", "histogram_bin_edges")
    }
    assert calls == {"histogram.py"}

"""Mean and deviation of channels, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.data.scaling import Scaling


def test_a_large_offset_loses_nothing() -> None:
    # 101,320 and 101,330 in turns: mean 101,325, deviation 5.
    recorded = np.tile(np.float32([101320.0, 101330.0]), (20_000, 1, 8))
    scaling = Scaling.of(recorded, ["pressure in Pa"])
    assert (scaling.mean.tolist(), scaling.deviation.tolist()) == ([101325.0], [5.0])
    assert scaling.mean.dtype == np.float64
    assert np.unique(scaling.scaled(recorded)).tolist() == [-1.0, 1.0]
    third = Scaling(np.array([101325 + 1 / 3]), np.array([0.5]))  # between two 32-bit numbers, which are 1/128 apart
    exact = (np.array([101325.0, 101326.0]) - (101325 + 1 / 3)) / 0.5
    assert third.scaled(np.array([[[101325.0, 101326.0]]]))[0, 0] == pytest.approx(exact, rel=1e-6)


def test_a_channel_that_never_changes_stays_0() -> None:
    recorded = np.stack([np.full((50, 10), 0.1), np.arange(500.0).reshape(50, 10)], axis=1)
    scaling = Scaling.of(recorded)
    assert scaling.deviation[0] == 1 and not scaling.scaled(recorded)[:, 0].any()
    assert scaling.deviation[1] == pytest.approx(np.sqrt((500**2 - 1) / 12))


def test_unchanged_values_keep_every_bit() -> None:
    recorded = np.random.default_rng(0).standard_normal((4, 2, 8)).astype(np.float32)
    assert np.array_equal(Scaling.unchanged(2).scaled(recorded), recorded)


@pytest.mark.parametrize(
    ("mean", "deviation", "channels"),
    [
        ([0.0], [0.0], ()), ([0.0], [-1.0], ()), ([np.nan], [1.0], ()), ([0.0], [np.inf], ()), ([0.0, 1.0], [1.0], ()),
        ([0.0], [1.0], ("x", "y")), ([[0.0]], [[1.0]], ()), ([1e39], [1.0], ()), ([0.0], [1e-60], ()),
    ],
)  # fmt: skip
def test_numbers_that_cannot_scale_are_refused(
    mean: list[float], deviation: list[float], channels: tuple[str, ...]
) -> None:
    with pytest.raises(ProblemError, match=r"data\.scaling: must be a finite mean, a standard deviation above 0"):
        Scaling(np.array(mean), np.array(deviation), channels)

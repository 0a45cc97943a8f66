"""Channels against the moments of their distributions."""

import math

import numpy as np
import pytest

from engines.simulation.wireless_channel import FixedChannel, RayleighChannel

WINDOWS = (200, 1000)


def test_a_fixed_channel_is_the_same_in_every_window() -> None:
    channel = FixedChannel(8e6)
    assert channel.mean_s_per_bit == 1 / 8e6
    assert (channel.bits_per_s(np.random.default_rng(0), (3, 4)) == np.full((3, 4), 8e6)).all()


def test_rayleigh_has_the_mean_and_the_shares_of_its_formula() -> None:
    channel = RayleighChannel(8e6)
    rates = channel.bits_per_s(np.random.default_rng(1), WINDOWS)
    assert rates.shape == WINDOWS
    assert rates.mean() == pytest.approx(8e6 * math.sqrt(math.pi / 2), rel=5e-3)
    for rate in (2e6, 8e6, 16e6):
        assert (rates <= rate).mean() == pytest.approx(1 - math.exp(-((rate / 8e6) ** 2) / 2), abs=4e-3)


def test_the_mean_time_of_a_bit_is_that_of_the_density() -> None:
    scale = 8e6
    rate = np.linspace(1.0, 12 * scale, 2_000_001)
    density = rate / scale**2 * np.exp(-((rate / scale) ** 2) / 2)
    assert RayleighChannel(scale).mean_s_per_bit == pytest.approx(np.trapezoid(density / rate, rate), rel=1e-4)


@pytest.mark.parametrize("rate", [0.0, -1.0, math.inf, math.nan])
@pytest.mark.parametrize("kind", [FixedChannel, RayleighChannel])
def test_a_throughput_is_above_zero(kind: type[FixedChannel] | type[RayleighChannel], rate: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        kind(rate)

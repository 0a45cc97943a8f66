"""Kinds of operators that a fit estimates badly: planted factors are found, noise is not."""

import numpy as np
import pytest

from engines.survey.measurements.kind_errors import KindError, kind_errors

KINDS = ("convolution", "depthwise", "pooling", "attention")


def planted(factors: dict[str, float], noise: float, networks: int = 30, seed: int = 1) -> tuple[KindError, ...]:
    random = np.random.default_rng(seed)
    times = random.dirichlet((3.0, 1.0, 0.2, 0.6), size=networks) * random.lognormal(1, 1, size=(networks, 1))
    measured = times @ np.array([factors.get(kind, 1.0) for kind in KINDS]) * random.lognormal(0, noise, size=networks)
    return kind_errors(KINDS, times, measured, [f"net-{number}" for number in range(networks)])


def test_planted_factors_are_found_with_their_interval() -> None:
    found = {each.kind: each for each in planted({"depthwise": 1.6, "attention": 0.5}, 0.02)}
    assert set(found) == {"depthwise", "attention"}
    assert found["depthwise"].factor == pytest.approx(1.6, abs=0.15)
    assert found["attention"].factor == pytest.approx(0.5, abs=0.1)
    assert found["depthwise"].low < 1.6 < found["depthwise"].high + 0.05
    words = found["depthwise"].sentence
    assert words.startswith("Depthwise: 1.7 × slower than predicted (99 % interval 1.") and words.endswith("networks).")
    assert "× faster than predicted" in found["attention"].sentence


def test_noise_alone_is_rarely_told_and_few_networks_never() -> None:
    told = sum(len(planted({}, 0.1, seed=seed)) for seed in range(40))
    assert told <= 6  # of 160 kinds
    assert planted({"depthwise": 3.0}, 0.01, networks=7) == ()


def test_rows_of_one_network_count_as_one() -> None:
    times = np.array([[1.0, 0.5]] * 20)
    assert kind_errors(("convolution", "depthwise"), times, np.full(20, 3.0), ["net"] * 20) == ()

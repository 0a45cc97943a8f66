"""Fits of costs by kind: they find planted costs, and no row that is left out reaches them."""

import numpy as np
import pytest

from engines.survey.measurements import fit
from engines.survey.measurements.fit import Pool
from engines.survey.measurements.fits import band_of, errors_of
from engines.survey.measurements.work import KINDS, zoo_work

_NETWORKS = (
    "resnet18", "resnet50", "mobilenet-v2", "googlenet", "densenet121", "regnet-y-800mf", "efficientnet-b0", "vit-b-16",
    "convnext-tiny", "yolov8n", "mnasnet0-5", "squeezenet1-1", "shufflenet-v2-x1-0", "resnext50-32x4d",
)  # fmt: skip
_GROUPS = (("fast", "runtime", "float"), ("slow", "runtime", "float"))
_COSTS = np.linspace(0.5, 2.0, len(KINDS)) * np.array([0.1] * 5 + [0.01] * 14 + [0.0005, 0.002, 0.2])


def _pool(poisoned: str = "", bits: str = "fp16", parent: Pool | None = None) -> Pool:
    rows = [(group, network) for group in _GROUPS for network in _NETWORKS]
    work = np.array([zoo_work(network, "fp16") for _, network in rows])
    scales = np.array([1.0 if group == _GROUPS[0] else 3.0 for group, _ in rows])
    times = work @ _COSTS * scales
    times *= np.array([1000.0 if network == poisoned else 1.0 for _, network in rows])
    return Pool([group for group, _ in rows], [network for _, network in rows], work, times, bits, parent)


def test_a_fit_finds_planted_costs_and_scales(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "PROFILE_TIE", 1e-6)
    monkeypatch.setattr(fit, "GROUP_TIE", 1e-6)
    networks = [f"network {number}" for number in range(60)]
    work = np.tile(np.exp(np.random.default_rng(3).normal(0, 1, (60, len(KINDS)))), (2, 1))
    times = work @ _COSTS * np.repeat([1.0, 3.0], 60)
    costs = Pool([_GROUPS[0]] * 60 + [_GROUPS[1]] * 60, networks * 2, work, times, "fp16").fit()
    np.testing.assert_allclose(costs.of_groups, [_COSTS, 3 * _COSTS], rtol=0.01)
    assert costs.scales[1] / costs.scales[0] == pytest.approx(3, rel=0.01)


def test_networks_of_the_zoo_that_are_left_out_are_predicted_from_the_others() -> None:
    pool = _pool()
    assert errors_of(pool.left_out_ms(), pool.times_ms).median < 0.15
    assert (pool.fit().of_groups >= 0).all()


def test_no_row_of_a_network_that_is_left_out_reaches_a_fit() -> None:
    for network in ("resnet50", "vit-b-16"):
        clean, poisoned = _pool(), _pool(network)
        own = np.array([each == network for _ in _GROUPS for each in _NETWORKS])
        np.testing.assert_allclose(clean.left_out_ms()[own], poisoned.left_out_ms()[own], rtol=1e-12)
        narrow = [_pool(bits="int8", parent=parent) for parent in (clean, poisoned)]
        np.testing.assert_allclose(narrow[0].left_out_ms()[own], narrow[1].left_out_ms()[own], rtol=1e-12)


def test_variants_of_a_network_are_left_out_together() -> None:
    networks = [*_NETWORKS, "yolov8n-seg"]  # of yolov8n
    work = np.array([zoo_work(network, "fp16") for network in networks])
    clean = work @ _COSTS
    poisoned = clean * np.array([1000.0 if network == "yolov8n-seg" else 1.0 for network in networks])
    found = [
        Pool([_GROUPS[0]] * len(networks), networks, work, times, "fp16").left_out_ms() for times in (clean, poisoned)
    ]
    place = networks.index("yolov8n")
    assert found[0][place] == pytest.approx(found[1][place], rel=1e-12)


def test_no_row_of_a_device_that_is_left_out_reaches_its_scale() -> None:
    pool = _pool()
    seen: list[tuple[str, ...]] = []

    def scale(own: tuple[str, str, str], others: object) -> float:
        assert isinstance(others, dict)
        assert own not in others
        seen.append(own)
        return float(next(iter(others.values())))

    assert pool.unknown_device_ms(scale, lambda group: group[0]).shape == (len(pool.times_ms),)
    assert set(seen) == set(_GROUPS)


def test_bands_hold_ninety_per_cent_of_values_that_they_have_not_seen() -> None:
    random = np.random.default_rng(7)
    held = []
    for _ in range(200):
        ratios = np.exp(random.normal(0, 0.3, 61))
        band = band_of(ratios[:60].tolist())
        held.append(1 / band <= ratios[60] <= band)
    assert 0.84 <= np.mean(held) <= 0.96

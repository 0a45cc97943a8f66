"""A calibration from profiles that a known cost model made: the fit finds it again, on networks that it never saw too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.profiles.profile_reader import read_profiles
from engines.cost.soc.operations import operation_table
from engines.workloads.builtins import builtin_networks
from engines.workloads.loader import builtin_network
from hardware.calibration.loader import load_calibration

FITTED, PREDICTED = ("squeezenet1-1", "mobilenet-v2", "resnet18"), ("mobilenet-v3-small", "resnet34")
PEAK, BANDWIDTH = 64e9, 12e9
SOC: Mapping[str, Any] = {
    "schema": "soc/1",
    "slug": "measured-box-1-thread",
    "title": "Box",
    "source": "test",
    "units": {
        "cpu": {"kind": "cpu", "cores": 1, "frequencies_mhz": [2000], "operations_per_cycle": {"fp32": PEAK / 2e9}}
    },
    "memory": {"frequencies_mhz": [1000], "bytes_per_cycle": BANDWIDTH / 1e9},
    "sources": {"units": "test", "memory": "test"},
}


def profile(slug: str, role: str, seed: int = 1) -> dict[str, Any]:
    """Make the answer of an agent: 0.6 of the peak, 0.2 for depthwise, twice the bandwidth, 5 µs for each, 2 % of noise."""
    table = operation_table(builtin_network(slug).operations)
    share = np.where(np.array(table.kinds) == "depthwise", 0.2, 0.6)
    moved = 4 * (table.activation_elements + table.weight_elements)
    seconds = 5e-6 * table.launches + np.maximum(2 * table.macs / (share * PEAK), moved / (2 * BANDWIDTH))
    seconds *= np.random.default_rng(seed).lognormal(0, 0.02, len(seconds))
    running = [place for place, runs in enumerate(table.runs) if runs]
    nodes = [{"name": table.names[place], "operator": "Conv", "time_us": 1e6 * seconds[place]} for place in running]
    result = {"latency_s": {"median": float(seconds[running].sum())}, "nodes": nodes}
    return {"network": slug, "role": role, "result": result}


def read(fitted: tuple[str, ...], predicted: tuple[str, ...]) -> Any:
    given = [profile(slug, "fitted") for slug in fitted] + [profile(slug, "predicted") for slug in predicted]
    networks = {slug: dict(builtin_networks()[slug]) for slug in (*fitted, *predicted)}
    about = {"slug": "measured-box-1-thread", "title": "Box", "author": "ann", "source": "test", "precision": "fp32"}
    options = {"soc": SOC, "networks": networks, "about": about}
    return read_profiles(json.dumps(given).encode(), "agent's profile", options)


def test_the_fit_finds_the_model_that_made_the_profiles() -> None:
    found = read(FITTED, PREDICTED)
    calibration = load_calibration(found.content)
    assert calibration.value("cpu.memory_share") > 1, "caches give more than the memory"
    finer = {f"cpu.{name}" for name in ("pointwise_conv_share", "weight_memory_share", "serial_share")}
    assert finer <= set(calibration.parameters)
    never = calibration.errors("predicted")
    assert never is not None and never.rows == len(PREDICTED) and never.worst < 0.1
    left_out = calibration.errors(left_out=True)
    assert left_out is not None and left_out.median < 0.05
    operators = {each["kind"]: each for each in found.report["operators"]}
    assert sum(each["share"] for each in operators.values()) == pytest.approx(1)
    assert operators["conv"]["of_peak"] > operators["depthwise"]["of_peak"]
    assert operators["conv"]["estimated_over_measured"] == pytest.approx(1, abs=0.1)


def test_what_no_fitted_network_has_is_not_predicted() -> None:
    found = read(("squeezenet1-1", "vgg11"), ("mobilenet-v2",))
    assert found.report["skipped"] == {"mobilenet-v2": ["depthwise", "eltwise"]}
    assert load_calibration(found.content).errors("predicted") is None


def test_one_network_is_too_few() -> None:
    with pytest.raises(ProblemError, match="at least 2 networks to fit to"):
        read(("squeezenet1-1",), PREDICTED)

"""Values faster than the published roofline."""

from __future__ import annotations

import pytest

from engines.cost.measured_files.bounds import NetworkWork, check_bound
from engines.cost.measured_files.value import MeasuredValue, RefusedValueError
from hardware.soc.loader import builtin_socs, load_soc

WORK = NetworkWork(macs=4_000_000_000, parameters=25_000_000)


@pytest.fixture(scope="module")
def xavier() -> object:
    return load_soc(builtin_socs()["jetson-agx-xavier"])


def value(seconds: float, **facts: object) -> MeasuredValue:
    return MeasuredValue(
        "row 1", **{"metric": "latency", "value": seconds, "unit": "gpu", "precision": "int8", **facts}
    )  # type: ignore[arg-type]


def test_a_value_below_the_published_peak_is_refused_with_the_bound(xavier: object) -> None:
    peak = xavier.units["gpu"].peak_operations_per_s("int8")  # type: ignore[attr-defined]
    bound_s = max(8e9 / peak, 25e6 / xavier.memory.bandwidth_bytes_per_s())  # type: ignore[attr-defined]
    assert check_bound(value(bound_s * 1.01), xavier, WORK)  # type: ignore[arg-type]
    with pytest.raises(RefusedValueError, match=f"shorter than {bound_s * 1e3:.3g} ms"):
        check_bound(value(bound_s * 0.97), xavier, WORK)  # type: ignore[arg-type]


def test_a_batch_is_divided_and_a_throughput_inverted(xavier: object) -> None:
    fast = value(0.5e-3)
    with pytest.raises(RefusedValueError):
        check_bound(value(0.5e-3, batch=8), xavier, WORK)  # type: ignore[arg-type]
    assert check_bound(value(20e-3, batch=8), xavier, WORK)  # type: ignore[arg-type]
    with pytest.raises(RefusedValueError):
        check_bound(value(1e6, metric="throughput"), xavier, WORK)  # type: ignore[arg-type]
    assert fast.batch == 1


def test_without_a_published_peak_or_a_precision_there_is_no_bound(xavier: object) -> None:
    assert not check_bound(value(1e-9, precision=""), xavier, WORK)  # type: ignore[arg-type]
    assert not check_bound(value(1e-9, metric="energy"), xavier, WORK)  # type: ignore[arg-type]

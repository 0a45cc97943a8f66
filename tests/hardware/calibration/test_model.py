"""Errors and shares of a calibration."""

from __future__ import annotations

import pytest

from hardware.calibration.model import CalibrationRow, Parameter, SocCalibration


def row(name: str, estimated: float, left_out: float | None = None, **more: str) -> CalibrationRow:
    role = more.get("role", "fitted")
    return CalibrationRow(name, "net", "gpu", "latency", 10.0, estimated, "ms", role, "page 1", left_out)  # type: ignore[arg-type]


def calibration(*rows: CalibrationRow, **values: float) -> SocCalibration:
    parameters = {name: Parameter(name, value, "fitted") for name, value in values.items()}
    return SocCalibration("c", "C", "s", "a", "board", "fp16", "cpu", parameters, {}, rows)


def test_errors_are_summarised_with_the_worst_row_by_name() -> None:
    errors = calibration(row("a", 11), row("b", 8), row("c", 10.5), row("p", 30, role="predicted")).errors()
    assert errors is not None
    assert (errors.rows, errors.worst_row) == (3, "b")
    assert (errors.median, errors.mean, errors.worst) == pytest.approx((0.1, 0.35 / 3, 0.2))


def test_without_rows_there_are_no_errors() -> None:
    assert calibration().errors() is None and calibration(row("a", 11)).errors(left_out=True) is None


def test_the_band_is_that_of_rows_the_fit_did_not_see() -> None:
    found = calibration(row("a", 10, left_out=20), row("b", 5, role="predicted")).error_factor("latency")
    assert found == pytest.approx(2)
    one_right = calibration(row("a", 10, left_out=20), row("b", 10, role="predicted")).error_factor("latency")
    assert one_right == pytest.approx(2), "one of two rows is no 90 %"
    ten = [row(f"n{number}", 10, left_out=10 + number) for number in range(10)]
    assert calibration(*ten).error_factor("latency") == pytest.approx(1.8), "nine of ten rows lie within"


def test_a_kind_s_own_share_comes_before_its_group_s() -> None:
    found = calibration(
        **{"gpu.dense_share": 0.3, "gpu.conv_share": 0.4, "gpu.memory_share": 0.6, "gpu.gather_memory_share": 0.1}
    )
    assert (found.share("gpu", "conv"), found.share("gpu", "gemm")) == (0.4, 0.3)
    assert (found.memory_share("gpu", "gather"), found.memory_share("gpu", "pool")) == (0.1, 0.6)
    with pytest.raises(KeyError):
        found.share("gpu", "depthwise")


def test_a_finer_kind_takes_the_share_of_its_kind_where_it_has_none() -> None:
    values = {
        "cpu.dense_share": 0.3,
        "cpu.pointwise_conv_share": 0.5,
        "cpu.conv_memory_share": 0.7,
        "cpu.memory_share": 0.6,
    }
    found = calibration(**values)
    assert (found.share("cpu", "pointwise_conv"), found.share("cpu", "unblocked_conv")) == (0.5, 0.3)
    assert found.memory_share("cpu", "unblocked_conv") == 0.7 and found.memory_share("cpu", "activated_gemm") == 0.6


def test_enough_whole_networks_are_the_band_of_networks() -> None:
    whole = [row(f"n{number}, whole network on cpu", 10, left_out=11) for number in range(4)]
    single = row("n1, conv on cpu", 10, left_out=30)
    assert calibration(*whole, single).error_factor("latency") == pytest.approx(1.1)
    few = calibration(*whole[:3], single).error_factor("latency")
    assert few is not None and few > 1.5, "three networks tell too little alone"

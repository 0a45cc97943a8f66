"""Fitting: known parameters come back, workloads that are left out are predicted, stored documents are what the fit gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.cost.calibration.fit import fit_calibration
from engines.cost.calibration.measurements import (
    published_measurements,
)
from engines.workloads.loader import builtin_network
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import builtin_socs, load_soc
from tests.engines.cost.fitted_for_tests import FITTED, measured, networks
from tests.engines.cost.soc_for_tests import VALUES, board


def test_known_parameters_come_back() -> None:
    found = fit_calibration(measured(), board(), networks)
    # Rows count as good to 5 %, and the time of small operations is split between launch and memory.
    for name, tolerance in (
        ("gpu.dense_share", 0.01),
        ("gpu.base_power_w", 0.02),
        ("gpu.launch_us", 0.1),
        ("gpu.memory_share", 0.15),
    ):
        assert found.value(name) == pytest.approx(VALUES[name], rel=tolerance), name
    errors = found.errors()
    assert errors is not None and errors.worst < 0.01 and errors.rows == 6
    assert 3 < found.effective_parameters <= 5
    assert found.covered == {"gpu": frozenset({"gemm", "eltwise"})}
    assert all(found.parameters[name].role == "fitted" for name in FITTED)


def test_rows_are_left_out_with_all_of_their_workload() -> None:
    found = fit_calibration(measured(), board(), networks)
    assert all(row.left_out is not None for row in found.rows)
    errors = found.errors(left_out=True)
    assert errors is not None and errors.worst > 0
    band = found.error_factor("latency")
    assert band is not None and band > 1


def test_predicted_rows_do_not_pull() -> None:
    source = measured()
    wrong = replace(source.rows[0], name="wrong", measured=source.rows[0].measured * 50, role="predicted")
    plain = fit_calibration(source, board(), networks)
    with_wrong = fit_calibration(replace(source, rows=(*source.rows, wrong)), board(), networks)
    assert with_wrong.parameters == plain.parameters
    assert with_wrong.rows[-1].role == "predicted" and with_wrong.rows[-1].left_out is None
    assert with_wrong.rows[-1].error == pytest.approx(-0.98, abs=0.01)


def test_priors_hold_what_rows_cannot_tell() -> None:
    source = measured()
    rows = tuple(row for row in source.rows if row.quantity == "latency")
    found = fit_calibration(replace(source, rows=rows), board(), networks)
    assert found.value("gpu.base_power_w") == pytest.approx(VALUES["gpu.base_power_w"] * 1.7)
    assert found.quantities == {"latency"}
    assert found.error_factor("energy") is None


@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(slug, marks=[pytest.mark.long] if slug == "xavier-magnas" else [])  # the largest fit
        for slug in sorted(published_measurements())
    ],
)
def test_the_stored_calibrations_are_what_the_fit_gives(slug: str) -> None:
    source, stored = published_measurements()[slug], load_calibration(builtin_calibrations()[slug])
    found = fit_calibration(source, load_soc(builtin_socs()[source.soc]), builtin_network)
    assert set(found.parameters) == set(stored.parameters)
    for name, parameter in found.parameters.items():
        assert parameter.value == pytest.approx(stored.value(name), rel=1e-2), name
    assert [row.name for row in found.rows] == [row.name for row in stored.rows]
    for mine, theirs in zip(found.rows, stored.rows, strict=True):
        assert (mine.measured, mine.role, mine.where) == (theirs.measured, theirs.role, theirs.where)
        assert mine.estimated == pytest.approx(theirs.estimated, rel=2e-3), mine.name
    assert found.covered == stored.covered


@pytest.mark.parametrize("slug", sorted(builtin_calibrations()))
def test_fitted_rows_are_within_ten_percent_median(slug: str) -> None:
    errors = load_calibration(builtin_calibrations()[slug]).errors()
    assert errors is not None and errors.median < 0.10 and errors.worst_row


def test_the_24_published_figures_of_xavier_are_met_better_than_by_one_fit_of_16_parameters() -> None:
    rows = [
        row
        for slug in ("xavier-magnas", "xavier-map-and-conquer")
        for row in load_calibration(builtin_calibrations()[slug]).rows
        if row.role == "fitted" and row.in_unit != "ratio"
    ]
    errors = [abs(row.error) for row in rows]
    assert len(errors) == 24
    # An independent fit of 16 parameters over all of them reached 10 % in the mean and 34 % at worst.
    assert sum(errors) / 24 < 0.10 and max(errors) < 0.34

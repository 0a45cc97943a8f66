"""Calibrations from one's own measurements."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.contract.errors import ProblemError
from engines.cost.calibration.estimates import estimates, prepare_rows
from engines.cost.calibration.files import read_csv
from engines.cost.calibration.matching import match_rows
from engines.cost.calibration.measurements import MeasuredRow
from engines.cost.calibration.own import About, own_calibration, scaled_calibration
from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.model import NoEstimateError, SocCostModel
from hardware.calibration.device_figures import device_figures
from tests.engines.cost.own_for_tests import NET, networks
from tests.engines.cost.soc_for_tests import GATHER, GEMM, VALUES, board, calibration, table

ABOUT = About("mine", "Mine", "ann", "lab notebook, page 3")


def measured_csv(power: bool = True, clocks: tuple[int, ...] = (1000,)) -> str:
    """What the round calibration says of each operation on the GPU, as a CSV."""
    lines = ["layer,unit,latency_ms,gpu_mhz" + (",energy_mj" if power else "")]
    for mhz in clocks:
        for operation in NET.operations:
            row = MeasuredRow(
                "r", "net", "gpu", "latency", "ms", 1, "t", operations=(operation.name,), clocks={"gpu": mhz}
            )
            rows = [row, replace(row, quantity="energy", in_unit="mJ")]
            latency, energy = estimates(prepare_rows(rows, board(), networks), SocCostModel(board(), calibration()))
            lines.append(f"{operation.name},gpu,{latency},{mhz}" + (f",{energy}" if power else ""))
    return "\n".join(lines)


def matched(text: str) -> tuple[MeasuredRow, ...]:
    return match_rows(read_csv(text), networks, workload="net", where="file.csv").rows


def test_layers_give_back_the_parameters_that_made_them() -> None:
    found = own_calibration(matched(measured_csv()), board(), networks, ABOUT)
    # Every GEMM was measured alone, so that the kind has a share of its own.
    assert found.value("gpu.gemm_share") == pytest.approx(VALUES["gpu.dense_share"], rel=0.02)
    for name in ("launch_us", "base_power_w"):
        assert found.value(f"gpu.{name}") == pytest.approx(VALUES[f"gpu.{name}"], rel=0.1), name
    assert found.parameters["launch_paced_share"].role == "assumed"
    assert found.quantities == {"latency", "energy"} and found.covered == {"gpu": frozenset({"gemm", "eltwise"})}
    errors = found.errors(left_out=True)
    assert errors is not None and errors.rows == 16 and errors.median < 0.25
    assert (
        found.rows[0].where == "file.csv, line 2" and found.author == "ann" and found.source == "lab notebook, page 3"
    )


def test_kinds_with_enough_rows_get_shares_of_their_own() -> None:
    found = own_calibration(matched(measured_csv()), board(), networks, ABOUT)
    assert {"gpu.gemm_share", "gpu.eltwise_memory_share"} <= set(found.parameters)


def test_without_energies_those_parameters_stay_at_their_priors() -> None:
    found = own_calibration(matched(measured_csv(power=False)), board(), networks, ABOUT, calibration())
    power = found.parameters["gpu.base_power_w"]
    assert (power.role, power.value) == ("assumed", VALUES["gpu.base_power_w"]) and power.note
    assert found.error_factor("energy") is None


def test_several_clocks_tell_what_follows_them() -> None:
    found = own_calibration(matched(measured_csv(clocks=(1000, 500))), board(), networks, ABOUT)
    assert found.parameters["launch_paced_share"].role == "fitted"
    assert found.value("launch_paced_share") == pytest.approx(0.5, abs=0.1)


def test_a_calibration_covers_what_was_measured_and_nothing_else() -> None:
    found = own_calibration(matched(measured_csv()), board(), networks, ABOUT)
    model = SocCostModel(board(), found)
    assert model.costs(table(GEMM), highest_clocks(board())).units == ("gpu",)
    with pytest.raises(NoEstimateError, match="gather on gpu"):
        model.costs(table(GEMM, GATHER), highest_clocks(board()))


def test_a_prior_of_another_device_is_refused() -> None:
    with pytest.raises(ProblemError, match="board"):
        own_calibration(matched(measured_csv()), board(), networks, ABOUT, replace(calibration(), soc="other"))


def test_totals_scale_a_calibration_for_their_workload_and_unit() -> None:
    whole = MeasuredRow("total", "net", "gpu", "latency", "ms", 1.0, "t")
    base = calibration()
    before = float(estimates(prepare_rows([whole], board(), networks), SocCostModel(board(), base))[0])
    found = scaled_calibration(base, [replace(whole, measured=2 * before)], board(), networks, ABOUT)
    assert found.scales == {("net", "gpu"): (pytest.approx(2), pytest.approx(2))}
    after = estimates(prepare_rows([whole], board(), networks), SocCostModel(board(), found))
    assert after[0] == pytest.approx(2 * before)
    assert (found.rows[-1].role, found.rows[-1].error) == ("predicted", pytest.approx(-0.5))
    with pytest.raises(ProblemError, match="whole network"):
        scaled_calibration(base, [replace(whole, operations=("gemm50",))], board(), networks, ABOUT)


def test_the_figures_that_were_measured_are_kept_for_copies_of_the_device() -> None:
    found = own_calibration(matched(measured_csv()), board(), networks, ABOUT)
    assert found.device == device_figures(board())


def test_a_copy_may_start_from_the_calibration_of_its_parent_and_scale_it_by_its_own_totals() -> None:
    copied = replace(board(), slug="copied", lineage=("copied", "board"))
    assert own_calibration(matched(measured_csv()), copied, networks, ABOUT, calibration()).soc == "copied"
    whole = MeasuredRow("total", "net", "gpu", "latency", "ms", 1.0, "t")
    found = scaled_calibration(calibration(), [whole], copied, networks, ABOUT)
    after = estimates(prepare_rows([whole], copied, networks), SocCostModel(copied, found))
    assert found.soc == "copied" and after[0] == pytest.approx(1.0)


def test_priors_of_a_parent_count_at_the_parents_clocks() -> None:
    """Nobody measured the copy's power: by its own calibration it draws what its parent's says of every clock."""
    gpu = board().units["gpu"]
    faster = replace(gpu, frequencies_hz=(*gpu.frequencies_hz, 2 * gpu.frequencies_hz[-1]))
    copied = replace(board(), slug="copied", lineage=("copied", "board"), units={**board().units, "gpu": faster})
    prior = replace(calibration(), device=device_figures(board()))
    rows = matched(measured_csv(power=False))
    found = own_calibration(rows, copied, networks, ABOUT, prior)
    assert found.device is not None and found.device.highest_hz == device_figures(board()).highest_hz
    for mhz in (500, 1000, 2000):
        wanted = [replace(row, quantity="energy", in_unit="mJ", clocks={"gpu": mhz}) for row in rows]
        wanted += [replace(row, clocks={"gpu": mhz}) for row in rows]
        prepared = prepare_rows(wanted, copied, networks)
        theirs = estimates(prepared, SocCostModel(copied, prior))
        assert estimates(prepared, SocCostModel(copied, found)) == pytest.approx(theirs, rel=0.03)

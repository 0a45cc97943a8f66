"""The SoC cost model against sums by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.soc.clocks import clock_grid, clock_settings, highest_clocks
from engines.cost.soc.model import NoEstimateError, SocCostModel
from engines.cost.soc.operations import operation_table
from engines.workloads.loader import builtin_network
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import builtin_socs, load_soc
from tests.engines.cost.soc_for_tests import ELTWISE, GATHER, GEMM, board, board_content, calibration, table

MODEL = SocCostModel(board(), calibration())
TOP = highest_clocks(board())
# 10^8 weights, each read for one multiply-accumulate.
VECTOR = {"name": "vector", "kind": "gemm", "k": 10**4, "c": 10**4}
ADD = table(GEMM, ELTWISE).take(["add"])


def test_latency_is_launch_and_the_longer_of_computing_and_moving() -> None:
    costs = MODEL.costs(table(GEMM, ELTWISE), TOP)
    # GPU: 2e6 operations at half of 2e11/s; (10k in + 10k out + 10k weights) * 2 B at half of 2e10 B/s is shorter.
    # NPU: a quarter of 1e11/s. Eltwise: 30k elements * 2 B.
    expected = [[10e-6 + 2e6 / 1e11, 20e-6 + 2e6 / 2.5e10], [10e-6 + 6e4 / 1e10, 20e-6 + 6e4 / 2e10]]
    assert costs.units == ("gpu", "npu")
    assert costs.latency_s[:, :, 0] == pytest.approx(np.array(expected))


def test_energy_is_work_traffic_and_base_power() -> None:
    costs = MODEL.costs(table(GEMM, ELTWISE), TOP, units=["gpu"])
    gemm = 1e6 * 2e-12 + 6e4 * 10e-12 + 30e-6 * 4.0
    add = 6e4 * 10e-12 + 16e-6 * 4.0
    assert costs.energy_j[:, 0, 0] == pytest.approx([gemm, add])


def test_clocks_change_compute_launch_memory_and_voltage() -> None:
    slow = clock_settings(board(), [{"gpu": 500, "cpu": 1000, "memory": 1000}])
    costs = MODEL.costs(table(GEMM, ELTWISE), slow, units=["gpu"])
    latency = np.array([20e-6 + 40e-6, 20e-6 + 12e-6])  # everything takes twice as long
    assert costs.latency_s[:, 0, 0] == pytest.approx(latency)
    # V = 0.75 for both; base = 4 W (0.5 * 0.75 + 0.5 * 0.75^2 * 0.5).
    base = 4 * (0.5 * 0.75 + 0.5 * 0.75**2 * 0.5)
    work = np.array([1e6 * 2e-12, 0]) * 0.75**2 + 6e4 * 10e-12 * 0.75**2
    assert costs.energy_j[:, 0, 0] == pytest.approx(work + latency * base)


def test_only_the_paced_part_of_a_launch_follows_the_launching_cpu() -> None:
    slow = MODEL.costs(ADD, clock_settings(board(), [{"cpu": 1000}, {}]), units=["gpu"]).latency_s[0, 0]
    assert slow[0] - slow[1] == pytest.approx(5e-6)


def test_a_batch_reads_weights_once() -> None:
    one = MODEL.costs(ADD, TOP, units=["npu"]).latency_s - 20e-6
    many = MODEL.costs(ADD, TOP, units=["npu"], batch=8).latency_s - 20e-6
    assert many == pytest.approx(8 * one)
    weights = {
        "name": "positions",
        "kind": "eltwise",
        "input_elements": 1,
        "output_elements": 1,
        "weight_elements": 10**6,
    }
    few, more = (
        MODEL.costs(table(weights, GEMM), TOP, units=["npu"], batch=batch).latency_s[0, 0, 0] for batch in (1, 8)
    )
    assert more - few == pytest.approx(7 * 4 / 2e10)


def test_another_precision_has_its_peak_its_words_and_their_energy() -> None:
    half = SocCostModel(board(), calibration(), bits="int8").costs(table(GEMM), TOP, units=["gpu"])
    assert half.latency_s[0, 0, 0] == pytest.approx(10e-6 + 2e6 / 2e11)
    assert half.energy_j[0, 0, 0] == pytest.approx(1e6 * 1e-12 + 3e4 * 10e-12 + 20e-6 * 4)


def test_a_kind_may_have_shares_of_its_own() -> None:
    own = SocCostModel(board(), calibration(gpu__gemm_share=0.25, gpu__eltwise_memory_share=0.25))
    costs = own.costs(table(GEMM, ELTWISE), TOP, units=["gpu"])
    assert costs.latency_s[:, 0, 0] == pytest.approx([10e-6 + 40e-6, 10e-6 + 12e-6])


def test_groups_are_sums_of_their_operations() -> None:
    rows = table(GEMM, ELTWISE, {**GEMM, "name": "gemm2"})
    grid = clock_grid(board())
    single, grouped = MODEL.costs(rows, grid), MODEL.costs(rows, grid, groups=[0, 2])
    assert grouped.latency_s == pytest.approx(np.stack([single.latency_s[:2].sum(axis=0), single.latency_s[2]]))
    assert grouped.energy_j == pytest.approx(np.stack([single.energy_j[:2].sum(axis=0), single.energy_j[2]]))


def test_a_change_of_unit_writes_and_reads_the_result_through_memory() -> None:
    handed = MODEL.transitions(table(GEMM), clock_settings(board(), [{}, {"memory": 1000}]))
    assert handed.latency_s[0] == pytest.approx([5e-6 + 4e4 / 2e10, 5e-6 + 4e4 / 1e10])
    assert handed.energy_j[0] == pytest.approx([4e4 * 10e-12, 4e4 * 10e-12 * 0.75**2])


def test_what_no_estimate_covers_is_refused_with_operator_unit_and_remedy() -> None:
    with pytest.raises(NoEstimateError) as caught:
        MODEL.costs(table(GEMM, GATHER), TOP)
    words = str(caught.value)
    assert "gather on npu" in words and "pick" in words and "calibrate-soc board" in words


def test_a_unit_without_measurements_and_a_precision_without_peak_are_refused() -> None:
    with pytest.raises(NoEstimateError, match="no measurement of the unit cpu"):
        MODEL.costs(table(GEMM), TOP, units=["cpu"])
    with pytest.raises(NoEstimateError, match="no peak of npu in fp32, or in a wider format, is known"):
        SocCostModel(board(), calibration(), bits="fp32").costs(table(GEMM), TOP, units=["npu"])


def test_units_without_a_known_clock_have_no_estimate() -> None:
    content = dict(board_content())
    content["units"]["npu"] = {"kind": "npu", "operations_per_cycle": {"fp16": 100.0}}
    model = SocCostModel(load_soc(content), calibration())
    costs = model.costs(table(GEMM), highest_clocks(model.soc), partial=True)
    assert costs.supported.tolist() == [[True, False]] and "no clock of npu is known" in costs.reasons[0, "npu"]


def test_bits_or_a_batch_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ProblemError, match="w4a16") as caught:
        SocCostModel(board(), calibration(), bits="w4")
    assert caught.value.field == "bits"
    with pytest.raises(ProblemError) as caught:
        MODEL.costs(table(GEMM), TOP, batch=0)
    assert caught.value.field == "batch"


def test_weights_of_four_bits_move_a_quarter_and_are_unpacked_where_no_unit_multiplies_them() -> None:
    many = table(VECTOR)
    half, quarter, grouped = (
        SocCostModel(board(), calibration(), bits=bits).costs(many, TOP, units=["gpu"]).latency_s[0, 0, 0]
        for bits in ("fp16", "w4a16", "w4a16-g128")
    )
    assert half - quarter == pytest.approx(1e8 * 1.5 / 1e10)
    assert grouped - quarter == pytest.approx(1e8 * (16 + 4) / 128 / 8 / 1e10)
    parts = SocCostModel(board(), calibration(), bits="w4a16").time_parts_s(table(GEMM), TOP, "gpu")[0]
    assert parts[1] == pytest.approx((2e6 + 2 * 1e4) / 1e11)


def test_what_a_network_states_of_an_operation_counts_unless_bits_are_asked_for() -> None:
    rows = table({**VECTOR, "weight_bits": 4.5}, {**VECTOR, "name": "other"})
    packed, plain = MODEL.costs(rows, TOP, units=["gpu"]).latency_s[:, 0, 0]
    assert plain - packed == pytest.approx(1e8 * (16 - 4.5) / 8 / 1e10)
    asked = SocCostModel(board(), calibration(), bits="w8a16").costs(rows, TOP, units=["gpu"]).latency_s[:, 0, 0]
    assert asked[0] == asked[1] == pytest.approx(plain - 1e8 / 1e10)


def test_partial_tables_say_what_is_not_supported_and_why() -> None:
    costs = MODEL.costs(table(GEMM, GATHER), TOP, partial=True)
    assert costs.supported.tolist() == [[True, True], [True, False]]
    assert np.isinf(costs.latency_s[1, 1, 0]) and np.isfinite(costs.latency_s[1, 0, 0])
    assert "no measurement of gather on npu" in costs.reasons[1, "npu"]
    grouped = MODEL.costs(table(GEMM, GATHER), TOP, partial=True, groups=[0])
    assert grouped.supported.tolist() == [[True, False]] and (0, "npu") in grouped.reasons


def test_cores_that_a_mode_switches_off_compute_nothing() -> None:
    content = builtin_calibrations()["xavier-magnas"]
    soc, top = load_soc(builtin_socs()["jetson-agx-xavier"]), load_calibration(content)
    full, half = SocCostModel(soc, top), SocCostModel(soc, top, mode="mode-10w")
    clocks, big = highest_clocks(soc), table({"name": "c", "kind": "conv", "k": 512, "c": 512, "y": 56, "x": 56})
    launch = top.value("gpu.launch_us") * 1e-6
    times = [model.costs(big, clocks, units=["gpu"]).latency_s[0, 0, 0] - launch for model in (full, half)]
    assert times[1] == pytest.approx(2 * times[0])
    off = SocCostModel(load_soc(board_with_a_mode_without_gpu()), calibration(), mode="quiet")
    assert off.costs(table(GEMM), TOP, partial=True).supported.tolist() == [[False, True]]
    with pytest.raises(NoEstimateError, match="gpu is off in quiet"):
        off.costs(table(GEMM), TOP, units=["gpu"])
    with pytest.raises(ProblemError, match="maxn"):
        SocCostModel(soc, top, mode="turbo")


def test_without_fall_back_a_unit_gets_only_what_it_runs_itself() -> None:
    soc = load_soc(builtin_socs()["jetson-agx-xavier"])
    known = load_calibration(builtin_calibrations()["xavier-magnas"])
    rows = operation_table(builtin_network("magnas-vig-s-gin").operations)
    strict = SocCostModel(soc, known, fallback=False).costs(rows, highest_clocks(soc), partial=True)
    refused = {rows.kinds[row] for row, unit in strict.reasons if unit == "dla"}
    assert refused == {"matmul", "topk", "gather", "reduce"} and strict.supported[:, 0].all()
    assert SocCostModel(soc, known).costs(rows, highest_clocks(soc)).supported.all()


def test_a_calibration_of_another_device_is_refused() -> None:
    with pytest.raises(ProblemError, match="jetson-tx2"):
        SocCostModel(load_soc(builtin_socs()["jetson-tx2"]), calibration())


def board_with_a_mode_without_gpu() -> dict[str, Any]:
    content = dict(board_content())
    content["units"]["gpu"]["cores"] = 4
    content["power_modes"]["quiet"] = {"units": {"gpu": {"active_cores": 0}}}
    return content


def xavier() -> SocCostModel:
    content = builtin_calibrations()["xavier-magnas"]
    return SocCostModel(load_soc(builtin_socs()["jetson-agx-xavier"]), load_calibration(content))


def test_higher_clocks_are_never_slower_nor_switch_less_energy() -> None:
    model, rows = xavier(), operation_table(builtin_network("magnas-vig-s-gin").operations)
    steps = [step / 1e6 for step in model.soc.units["gpu"].frequencies_hz]
    costs = model.costs(rows, clock_grid(model.soc, {"gpu": steps}), units=["gpu"], groups=[0])
    assert (np.diff(costs.latency_s[0, 0]) < 0).all()
    power = costs.energy_j[0, 0] / costs.latency_s[0, 0]
    assert (np.diff(power) > 0).all()


def test_the_whole_grid_of_xavier_is_one_call() -> None:
    model = xavier()
    rows = operation_table(builtin_network("magnas-vig-s-gin").operations)
    names, starts = rows.blocks()
    assert names[:4] == ("stem", "grapher1", "ffn1", "grapher2") and names[-1] == "head"
    grid = clock_grid(model.soc)
    costs = model.costs(rows, grid, groups=starts)
    assert len(starts) == 34 and costs.latency_s.shape == (34, 2, 25578)
    # One setting out of the grid is the same alone.
    alone = model.costs(rows, clock_settings(model.soc, [{"gpu": 520, "memory": 1065}]), groups=starts)
    place = next(
        i for i in range(len(grid)) if grid.at(i) == clock_settings(model.soc, [{"gpu": 520, "memory": 1065}]).at(0)
    )
    assert costs.energy_j[:, :, place] == pytest.approx(alone.energy_j[:, :, 0])


def test_what_slows_a_processor_down_is_read_where_a_calibration_has_it() -> None:
    sizes = {"k": 8, "c": 8, "r": 3, "s": 3, "y": 4, "x": 4, "pad": 1, "groups": 4}
    grouped = table({"name": "g", "kind": "conv", **sizes})
    slowed = calibration(
        gpu__weight_memory_share=0.25,
        gpu__unrolled_memory_share=0.1,
        gpu__serial_share=0.5,
        gpu__group_launch_share=0.1,
    )
    model = SocCostModel(board(), slowed)
    macs, weights, activations, copies = 8 * 2 * 9 * 16, 8 * 2 * 9, 2 * 8 * 16, 8 * 9 * 16
    assert grouped.macs.tolist() == [macs] and grouped.weight_elements.tolist() == [weights]
    compute = 2 * macs / 1e11
    memory = 2 * (activations / 0.5 + weights / 0.25 + copies / 0.1) / 2e10
    launch = 1.3 * 10e-6  # three further groups at a tenth of a launch
    assert model.costs(grouped, TOP, units=["gpu"]).latency_s[0, 0, 0] == pytest.approx(launch + memory + 0.5 * compute)
    assert model.time_parts_s(grouped, TOP, "gpu")[0] == pytest.approx([launch, 0.5 * compute, memory])

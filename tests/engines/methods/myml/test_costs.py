"""Seconds and joules of images and of pruning by hand."""

from dataclasses import replace

import pytest

from engines.methods.myml.choices import original, published
from engines.methods.myml.costs import NOTHING, Device, device_of, pruning_cost, stage_cost
from engines.methods.myml.layers import Layer, four_blocks, whole
from engines.methods.myml.params import MymlParams
from engines.methods.myml.stages import Stage, stages_of, unpruned
from hardware.soc.model import Soc
from tests.engines.methods.myml.problems import myml_problem

LAYERS = unpruned(four_blocks(1, (8, 8), 10, 4, 1)[0])
CPU_W, ARRAY_W = 3.0, 2.0
DEVICE = Device(
    "", cpu_macs_per_s=1e6, int8_speedup=4.0, cpu_power_w=CPU_W, array_side=4, array_clock_hz=1e3, array_power_w=ARRAY_W,
    host_elements_per_s=1e4,
)  # fmt: skip
CHOICE = published("cpu", (50.0, 50.0, 50.0, 50.0))


def test_an_image_on_the_cpu() -> None:
    macs = sum(each.macs for each in LAYERS)
    found = DEVICE.inference(LAYERS, "cpu")
    assert (found.seconds, found.joules) == pytest.approx((macs / 4e6, CPU_W * macs / 4e6))


def test_an_image_on_the_array_waits_for_the_host_that_flattens_its_windows() -> None:
    # Block 4: 4 positions x 16 channels x 9 taps, 16 filters: four folds of 4 x 4 outputs, each of 3 x 4 + 144 - 2 cycles.
    cycles, windows = 4 * (3 * 4 + 144 - 2), 4 * 144
    found = DEVICE.inference(LAYERS[3:4], "accelerator")
    assert found.seconds == pytest.approx(cycles / 1e3 + windows / 1e4)
    assert found.joules == pytest.approx(ARRAY_W * cycles / 1e3 + CPU_W * windows / 1e4)
    # The classifier takes 16 values as they lie: 3 folds of 4 x 4 for one row and 10 columns.
    assert DEVICE.inference(LAYERS[4:], "accelerator").seconds == pytest.approx(3 * (12 + 16 - 2) / 1e3)
    # Two taps on four positions of three channels: two folds of 4 x 4, windows of six.
    pair = whole(Layer("pair", 1, 3, 8, (1, 2), (1, 4), (1, 4)))
    assert DEVICE.inference([pair], "accelerator").seconds == pytest.approx(2 * (12 + 6 - 2) / 1e3 + 4 * 6 / 1e4)


def test_products_of_a_batch_on_the_array() -> None:
    # Block 4 with two images: 8 positions, sums over 144, 16 filters; an update sums over the positions.
    forward, update = 2 * 4 * (12 + 144 - 2), 36 * 4 * (12 + 8 - 2)
    elements = {"forward": 8 * 144 + 144 * 16 + 8 * 16, "update": 144 * 8 + 8 * 16 + 144 * 16}
    for passes, cycles in ((("forward",), forward), (("update",), update), (("forward", "update"), forward + update)):
        prepared = sum(elements[name] for name in passes)
        found = DEVICE.passed(LAYERS[3:4], passes, True, 2)
        assert found.seconds == pytest.approx(cycles / 1e3 + prepared / 1e4)
        assert found.joules == pytest.approx(ARRAY_W * cycles / 1e3 + CPU_W * prepared / 1e4)


def test_bottom_up_nothing_but_values_passes_layers_that_are_not_updated() -> None:
    stage = Stage((1,), (1,), 1e-3)
    updated = sum(each.macs for each in LAYERS if each.layer.group == 1)
    others = sum(each.macs for each in LAYERS) - updated
    for order, passes in (("bottom-up", 1), ("top-down", 2)):
        found = stage_cost(stage, replace(CHOICE, order=order), LAYERS, LAYERS, DEVICE, images=20)
        assert found.seconds == pytest.approx(20 * (3 * updated + passes * others) / 1e6)
        assert found.joules == pytest.approx(CPU_W * found.seconds)
    # In 32 bits, or without the array, all of it is the CPU's.
    for platform, precision in (("accelerator", "fp32"), ("cpu", "bfp64x7")):
        choice = replace(CHOICE, order="top-down", platform=platform, precision=precision)
        assert stage_cost(stage, choice, LAYERS, LAYERS, DEVICE, images=20) == found


def test_the_last_batch_is_smaller_on_the_array() -> None:
    choice = published("accelerator", (0.0, 0.0, 0.0, 0.0))
    stage = Stage((), (1, 2, 3, 4), 1e-3)
    of = {n: DEVICE.passed(LAYERS, ("forward", "error", "update"), True, n).seconds for n in (8, 3)}
    assert stage_cost(stage, choice, LAYERS, LAYERS, DEVICE, 19).seconds == pytest.approx(2 * of[8] + of[3])
    assert stage_cost(stage, choice, LAYERS, LAYERS, DEVICE, 16).seconds == pytest.approx(2 * of[8])
    assert of[8] < 8 * DEVICE.passed(LAYERS, ("forward", "error", "update"), True, 1).seconds  # folds are shared


def test_pruning_is_its_stages_and_the_original_needs_none() -> None:
    found = pruning_cost(CHOICE, LAYERS, LAYERS, DEVICE, 12, extra_epochs=1)
    stages = [stage_cost(each, CHOICE, LAYERS, LAYERS, DEVICE, 12).seconds for each in stages_of(CHOICE, 1)]
    assert len(stages) == 5 and found.seconds == pytest.approx(sum(stages))
    assert pruning_cost(original("cpu"), LAYERS, LAYERS, DEVICE, 12, 1) == NOTHING


def test_a_device_by_its_data_sheet() -> None:
    soc = myml_problem().value("hardware", Soc)
    found = device_of(soc, MymlParams(cpu_utilisation_percent=10.0, array_clock_mhz=200.0))
    cores = [unit for unit in soc.units.values() if unit.kind == "cpu"]
    flops = sum(unit.count * max(unit.frequencies_hz) * unit.operations_per_cycle["fp32"] for unit in cores)
    assert found is not None
    assert found.cpu_macs_per_s == pytest.approx(0.1 * flops / 2, rel=1e-9)
    assert found.cpu_power_w == pytest.approx(sum(unit.count * unit.power.watts(1.0) for unit in cores if unit.power))
    assert found.array_clock_hz == pytest.approx(200e6, rel=1e-9)


def test_a_device_whose_cpu_is_not_known_well_enough_gives_none() -> None:
    soc = myml_problem().value("hardware", Soc)
    device = device_of(soc, MymlParams(cpu_utilisation_percent=10.0))
    assert device is not None
    assert device.cpu_macs_per_s == pytest.approx(device_of(soc, MymlParams()).cpu_macs_per_s / 2)  # type: ignore[union-attr]
    name, cpu = next((name, unit) for name, unit in soc.units.items() if unit.kind == "cpu")
    assert device_of(replace(soc, units={**soc.units, name: replace(cpu, power=None)}), MymlParams()) is None
    assert device_of(replace(soc, units={}), MymlParams()) is None

from __future__ import annotations

import pytest

from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.movable import soc_figures
from hardware.value_edits import with_values
from tests.support.sampling import covering, covering_names


@pytest.mark.parametrize("slug", covering(builtin_socs()))
def test_every_device_stays_valid_at_both_ends_of_every_figure(slug: str) -> None:
    content = builtin_socs()[slug]
    figures = soc_figures(content)
    assert len({figure.name for figure in figures}) == len(figures)
    for figure in figures:
        for end in (figure.low, figure.value, figure.high):
            load_soc(with_values(content, figure.at(end), "assumed"))


def test_devices_have_many_figures() -> None:
    assert sum(len(soc_figures(builtin_socs()[slug])) for slug in covering_names(builtin_socs())) > 100


def test_all_precisions_of_a_unit_are_moved_together() -> None:
    content = builtin_socs()["jetson-agx-xavier"]
    speed = next(figure for figure in soc_figures(content) if figure.name == "speed-gpu")
    assert speed.at(2 * speed.value) == {
        "units.gpu.operations_per_cycle.int8": 32768.0,
        "units.gpu.operations_per_cycle.fp16": 16384.0,
        "units.gpu.operations_per_cycle.fp32": 2048.0,
    }


def test_the_highest_clock_moves_the_whole_table() -> None:
    content = builtin_socs()["jetson-tx2"]
    clock = next(figure for figure in soc_figures(content) if figure.name == "clock-gpu")
    table = content["units"]["gpu"]["frequencies_mhz"]
    assert clock.value == table[-1]
    assert clock.at(2 * clock.value) == {"units.gpu.frequencies_mhz": [2 * step for step in table]}

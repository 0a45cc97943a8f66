"""A hardware value goes to the cost model on a short path: few changes of package from the device to the model."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from types import CodeType, FrameType

import pytest

from engines.cost.calibration.unmeasured import Unmeasured
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.pricing import pricing_of
from engines.workloads.loader import builtin_network
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import builtin_socs, load_soc

ROOT = Path(__file__).parents[4]
# Reading a value of a document, or counting the elements of a network, leads nowhere.
READING = ("hardware/soc/model.py", "hardware/calibration/model.py", "engines/workloads/network.py")
MOST_STAYS = 12


def stays(call: Callable[[], object]) -> list[str]:
    """List the packages in the order of a call's way through them; each call of one function by another counts once."""
    seen: set[tuple[CodeType | None, CodeType]] = set()
    packages: list[str] = []

    def note(frame: FrameType, event: str, argument: object) -> None:
        caller = frame.f_back.f_code if frame.f_back else None
        file = Path(frame.f_code.co_filename)
        own = frame.f_code.co_name.startswith("<")  # a comprehension of the caller
        if event != "call" or own or not file.is_relative_to(ROOT) or (caller, frame.f_code) in seen:
            return
        seen.add((caller, frame.f_code))
        name = file.relative_to(ROOT).as_posix()
        if name.startswith(("engines/", "hardware/")) and name not in READING:
            packages.append(name.rpartition("/")[0])

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return [package for package, _ in groupby(packages)]


@pytest.mark.parametrize(
    ("device", "calibration", "unmeasured", "most_returns"),
    [
        ("jetson-agx-xavier", "", "refused", 3),
        ("jetson-agx-xavier", "xavier-magnas", "assumed", 3),
        ("jetson-agx-xavier", "", "datasheet", 6),
        ("snapdragon-855", "", "datasheet", 6),
        ("three-dataflow-accelerators", "", "refused", 3),
    ],
)
def test_the_path_from_a_device_to_its_costs_is_short(
    device: str, calibration: str, unmeasured: Unmeasured, most_returns: int
) -> None:
    soc, network = load_soc(builtin_socs()[device]), builtin_network("magnas-vig-s-gin")
    given = load_calibration(builtin_calibrations()[calibration]) if calibration else None
    options = MappingOptions(unmeasured=unmeasured)
    pricing_of(soc, network, given, options)  # built-in documents are read once per process
    packages = stays(lambda: pricing_of(soc, network, given, options))
    assert len(packages) <= MOST_STAYS, packages
    assert len(packages) - len(set(packages)) <= most_returns, packages

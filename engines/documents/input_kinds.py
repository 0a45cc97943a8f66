"""Slots that several engines have: which documents fit, and the words of forms that are the same everywhere."""

from __future__ import annotations

from engines.contract.engine import InputKind
from engines.recordings.loader import load_recording
from engines.workloads.loader import load_scenario
from hardware.calibration.loader import load_calibration
from hardware.package.loader import load_package
from hardware.soc.loader import load_soc


def soc_slot(help_text: str, preferred: str) -> InputKind:
    """A system on a chip."""
    return InputKind("hardware", "System on a chip", help_text, load_soc, ("soc/1",), preferred=preferred)


def calibration_slot(otherwise: str) -> InputKind:
    """A calibration of the device; `otherwise` says which built-in one counts where none is given."""
    help_text = f"What operations cost on the units. Empty: {otherwise}."
    return InputKind("calibration", "Calibration", help_text, load_calibration, ("soc-calibration/1",), required=False)


def package_slot(title: str, help_text: str) -> InputKind:
    """A package of chiplets."""
    return InputKind(
        "hardware", title, help_text, load_package, ("chiplet-package/1",), preferred="simba-3x3-het-sides"
    )


def workload_slot(title: str, help_text: str, *, preferred: str = "", required: bool = True) -> InputKind:
    """A scenario, or a network as a scenario of one model."""
    schemas = ("scenario/1", "network/1")
    return InputKind("workload", title, help_text, load_scenario, schemas, required, preferred)


def measured_slot(laid_over: str) -> InputKind:
    """What a device really took; `laid_over` says what it is compared with."""
    help_text = f"A recording of the device's power or charge (CSV), laid over {laid_over}."
    return InputKind("data", "Measured", help_text, load_recording, ("recording/1",), required=False)

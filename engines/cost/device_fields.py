"""Declarations of parameters that all engines with a device share."""

from __future__ import annotations

from typing import Any, Literal

from engines.contract.parameter_fields import choice, number, switch, text

# What people deploy, from wide to narrow; `hardware.bits` says what each takes.
BITS = {
    "fp32": "32 bits", "fp16": "16 bits", "bf16": "bfloat16", "fp8": "8 bits, floating point", "int8": "8 bits",
    "w8a16": "8-bit weights", "w4a16": "4-bit weights", "w4a16-g128": "4-bit weights in groups of 128",
    "w4a8-g128": "4-bit weights in groups of 128, 8-bit activations", "nvfp4": "NVFP4", "w1.58a8": "ternary weights",
}  # fmt: skip
Precision = Literal[
    "fp32", "fp16", "bf16", "fp8", "int8", "w8a16", "w4a16", "w4a16-g128", "w4a8-g128", "nvfp4", "w1.58a8"
]
BitsName = Literal["", Precision]
_WHOLE = {name: BITS[name] for name in ("fp32", "fp16")}


def unit_field(group: str, *, advanced: bool = False) -> Any:
    """Declare the parameter for the compute unit that runs all layers; `group` is its heading in the form."""
    words = "Which unit of the device runs the networks. Empty: the fastest that runs all."
    return text("", "Unit", group, words, longest=100, advanced=advanced)


def precision_field(group: str, *, whole: bool = False) -> Any:
    """Return the parameter of engines that compute in stated bits; `whole` leaves 32 and 16, for engines that count whole words."""
    words = "Bits of weights and activations on the device."
    return choice("fp32", "Precision", group, _WHOLE if whole else BITS, words)


def bits_field(group: str = "Units") -> Any:
    """Declare the parameter for bits of weights and activations; `group` is its heading in the form."""
    words = (
        "Bits of weights and activations in all layers. The first choice takes those that the network states, else the precision "
        "of the calibration or data sheet. Other bits than the calibration's are extrapolated: shares of the peak stay. A unit "
        "without such arithmetic unpacks weights and computes in the next wider format."
    )
    return choice("", "Bits", group, {"": "Network and calibration decide", **BITS}, words)


def array_bits_field(group: str) -> Any:
    """Declare the parameter for bits of weights and activations on accelerators by dataflow; `group` is its heading in the form."""
    words = (
        "Bits of weights and activations in all layers: of traffic, buffers and memory. The first choice takes those that the "
        "network states, else the device's words. MACs keep the array's own rate and energy: an assumption without a source."
    )
    return choice("", "Bits", group, {"": "Network and device decide", **BITS}, words)


def power_mode_field(group: str = "Clocks", *, advanced: bool = False) -> Any:
    """Declare the parameter for a power mode of the device."""
    words = "Name of a power mode of the device, which limits clocks and cores. Empty: no limits."
    return text("", "Power mode", group, words, longest=100, advanced=advanced)


def clocks_field(default: str, searched: str, what: str, group: str = "Clocks") -> Any:
    """Declare the parameter for the search of clocks: `searched` are its words, and `what` has a setting each."""
    choices = {"fixed": "Highest of the power mode", "searched": searched}
    words = f"Searched: one setting of all clocks per {what}, from the tables of the device."
    return choice(default, "Clocks", group, choices, words)


def clock_steps_field(default: int, group: str = "Clocks") -> Any:
    """Declare the parameter for the steps of every table of clocks that are searched."""
    words = "Number of steps of every clock, evenly spaced from lowest to highest. Clocks with fewer steps use all."
    return number(default, (2, 64), "steps", "Steps per clock", group, words)


def clock_choices_field(group: str = "Clocks") -> Any:
    """Declare the parameter for clocks in MHz in place of evenly spaced ones."""
    words = (
        'Clock frequencies in MHz, as in "gpu: 520 900 1377; memory: 1065 2133". They replace the evenly '
        "spaced steps; units without an entry run at their highest clock. Empty: evenly spaced steps."
    )
    return text("", "Clocks to choose from", group, words, advanced=True)


def fusion_field(group: str = "Units") -> Any:
    """Declare the parameter for operators that count as one launch."""
    choices = {
        "none": "None",
        "elementwise": "GELU, norms, element-wise chains",
        "attention": "These and attention",
    }
    words = (
        "Operators that a runtime such as TensorRT or ONNX Runtime starts as one kernel count as one launch. Tensors between "
        "them cause no memory traffic. Calibrations are fitted to single operators: the error of fused ones is unknown. "
        "Networks that do not say what their operators read stay as they are."
    )
    return choice("none", "Operator fusion", group, choices, words)


def fallback_field(group: str = "Units") -> Any:
    """Declare the parameter for operators that a unit does not run itself."""
    words = (
        "On: a unit may have blocks with operators that it cannot run, at costs measured with fall-back. "
        "Off: a unit has only blocks that it can run."
    )
    return switch(True, "Fall back for operations that a unit lacks", group, words)

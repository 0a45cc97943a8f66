"""Parameters of what runs on a device, as every engine with one has them."""

from __future__ import annotations

from typing import Any

from engines.contract.parameter_fields import choice, number, switch, text

PRECISIONS = {"fp32": "32 bits", "fp16": "16 bits"}


def unit_field(group: str, *, advanced: bool = False) -> Any:
    """Return the one unit that runs everything; `group` is its heading in the form."""
    words = "Which unit of the device runs the networks. Empty: the fastest that runs all."
    return text("", "Unit", group, words, longest=100, advanced=advanced)


def precision_field(group: str) -> Any:
    """Return 32 or 16 bits."""
    return choice("fp32", "Precision", group, PRECISIONS, "Precision of weights and activations on the device.")


def power_mode_field(group: str = "Clocks", *, advanced: bool = False) -> Any:
    """Return a power mode of the device."""
    words = "Name of a power mode of the device, which limits clocks and cores. Empty: no limits."
    return text("", "Power mode", group, words, longest=100, advanced=advanced)


def clocks_field(default: str, searched: str, what: str, group: str = "Clocks") -> Any:
    """Return whether clocks are searched: `searched` are the words for that, and `what` has a setting each."""
    choices = {"fixed": "Highest of the power mode", "searched": searched}
    words = f"Searched: one setting of all clocks per {what}, from the tables of the device."
    return choice(default, "Clocks", group, choices, words)


def clock_steps_field(default: int, group: str = "Clocks") -> Any:
    """Return the steps of every table of clocks that are searched."""
    words = (
        "How many steps of every table of clocks, evenly spread from the lowest to the highest; shorter tables whole."
    )
    return number(default, (2, 64), "steps", "Steps per clock", group, words)


def clock_choices_field(group: str = "Clocks") -> Any:
    """Return the clocks in MHz in place of evenly spread ones."""
    words = (
        'Clock frequencies in MHz, as in "gpu: 520 900 1377; memory: 1065 2133". They replace the evenly '
        "spaced steps; units without an entry run at their highest clock. Empty: evenly spaced steps."
    )
    return text("", "Clocks to choose from", group, words, advanced=True)


def fallback_field(group: str = "Units") -> Any:
    """Return whether a unit may have what it does not run itself."""
    words = (
        "On: a unit may have blocks with operators that it cannot run, at costs measured with fall-back. "
        "Off: a unit has only blocks that it can run."
    )
    return switch(True, "Fall back for operations that a unit lacks", group, words)

"""Wishes for a mapping, and possible sources of its costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engines.cost.calibration.unmeasured import Unmeasured
from engines.cost.estimators.registry import DEFAULT
from engines.cost.soc.operator_fusion import Fusion

Granularity = Literal["blocks", "layers"]
Clocks = Literal["fixed", "searched"]


@dataclass(frozen=True)
class MappingOptions:
    """Choices that an engine hands on; refusals name them as its parameters (`params.clock_steps`).

    Attributes:
        granularity: unit of mapping: blocks or layers.
        unit_rules: units of blocks, in the syntax of `rules.allowed_units`.
        latency_limit_s, energy_limit_j, power_limit_w, transition_limit: at most so much of a mapping; None: no limit.
        latency_slack_percent: allowed latency above that of the fastest single unit; None for no limit.
        by_power: whether average power is an objective, alone or next to others.
        ignore_memory: whether networks that exceed the memory of the device are mapped as if they fitted.
        fallback: whether a unit may have operations that it does not run itself.
        unmeasured: treatment of units and operations without measurements.
        bits: bits of weights and activations ("w4a16"); "": those of the network, else the calibration's precision.
        cost_model, cost_table: cost model of layers on devices by dataflow; as `get_estimator` takes them.
        power_needed: whether a device whose power is not known has no estimate; else its energies mean nothing.
        fusion: rule for operators that count as one launch.
        clocks: one setting, or one per mapping.
        power_mode: name of a mode of the device; "": none.
        clock_steps: number of evenly spaced steps of every clock.
        clock_choices: MHz in place of them, in words of `rules.clock_choices`; "": none.
    """

    granularity: Granularity = "blocks"
    unit_rules: str = ""
    latency_limit_s: float | None = None
    latency_slack_percent: float | None = None
    energy_limit_j: float | None = None
    power_limit_w: float | None = None
    transition_limit: int | None = None
    by_power: bool = False
    ignore_memory: bool = False
    fallback: bool = True
    unmeasured: Unmeasured = "refused"
    bits: str = ""
    cost_model: str = DEFAULT
    cost_table: str = ""
    power_needed: bool = True
    fusion: Fusion = "none"
    clocks: Clocks = "fixed"
    power_mode: str = ""
    clock_steps: int = 4
    clock_choices: str = ""

    @property
    def mode(self) -> str | None:
        """The power mode, if one is named."""
        return self.power_mode.strip() or None

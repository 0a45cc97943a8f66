"""Power of a node by the rate of its costly sensor, under two calibrations that are kept apart, as the published figures need both.

- `shares`: what was measured of the whole device, its life and how its power is shared out. Its life comes out as published.
- `board`: the printed powers of the board (goyal-2023 eq. 3.1 and 3.2). Gains come out as published, without a fitted constant;
  lives do not: 0.37 Wh at the tracker's printed 206 mW last 1.8 h, not 7.8 h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.engine import require
from hardware.errors import Remedy
from hardware.sensor_node.model import SensorNode

Calibration = Literal["shares", "board"]
OTHER = "other"


@dataclass(frozen=True, eq=False)
class NodePower:
    """Power of a node.

    Attributes:
        rates_hz: k rates.
        parts: names of what takes power, p.
        active_w: power of each part at each rate, p x k.
        asleep_w: power while the node is not in use, p.
        without_sleep_w: power at the highest rate of a node whose processor never sleeps.
        capacity_j: energy that may be used of a full battery.
        fitted: whether it was fitted to a published life.
    """

    rates_hz: FloatArray
    parts: tuple[str, ...]
    active_w: FloatArray
    asleep_w: FloatArray
    without_sleep_w: float
    capacity_j: float
    fitted: bool

    def mean_w(self, rates_hz: float | FloatArray, activity: float = 1.0) -> FloatArray:
        """Return the mean power at mean rates, by straight lines between those that can be set.

        `activity` is the share of time in use.

        Watts, of the shape of `rates_hz`.

        Power is linear in the rate under both calibrations, so the mean over time is the power at the mean rate.
        """
        active = np.interp(rates_hz, self.rates_hz, self.active_w.sum(axis=0))
        return np.asarray(activity * active + (1.0 - activity) * float(self.asleep_w.sum()), np.float64)

    def parts_w(self, rate_hz: float, activity: float = 1.0) -> FloatArray:
        """Return the mean power of each part in watts, shape `p`."""
        active = np.array([np.interp(rate_hz, self.rates_hz, row) for row in self.active_w])
        return activity * active + (1.0 - activity) * self.asleep_w


def node_power(
    node: SensorNode, calibration: Calibration, standby_share: float, processor_sleep_share: float
) -> NodePower:
    """Return the power model of a node.

    Args:
        node: powers, shares and battery.
        calibration: choice of the power values.
        standby_share: under `shares`, what the costly sensor takes between samples, as a share of what it takes at the highest
            rate; 0 where the node says its standby power.
        processor_sleep_share: under `shares`, the share of the processor's power at the highest rate that sleep saves.

    Raises:
        ProblemError: the node lacks what the calibration needs.
    """
    ways = ["Add a battery to a copy of the sensor node."]
    require(node.battery is not None, "inputs.hardware", node.slug, "a sensor node with a battery", remedies=ways)
    if calibration == "shares":
        return _by_shares(node, standby_share, processor_sleep_share)
    return _by_board(node)


def _by_shares(node: SensorNode, standby_share: float, processor_sleep_share: float) -> NodePower:
    measured = node.measured
    told = measured is not None and measured.battery_life_s is not None and bool(measured.power_shares)
    accepted = "a sensor node with a measured battery life and power shares"
    ways: list[str | Remedy] = ["Add these values to a copy of the node.", Remedy.to_set("params.power", "board")]
    require(told, "inputs.hardware", node.slug, accepted, remedies=ways)
    assert measured is not None and node.battery is not None
    rates = np.asarray(node.rated_sensor.rates_hz)
    parts, active, asleep = [], [], []
    without_sleep = 0.0
    for part, power_w in node.measured_powers_w().items():
        steady = part == OTHER or part in node.steady_sensors
        standby = standby_share if part == node.rated_sensor.name else 0.0
        saved = processor_sleep_share * power_w if part == "processor" else 0.0
        at_rate = rates / measured.rate_hz
        without_sleep += power_w * (1.0 if steady else float(standby + (1 - standby) * at_rate[-1]))
        parts.append(part)
        active.append((power_w - saved) * (np.ones_like(rates) if steady else standby + (1 - standby) * at_rate))
        asleep.append(power_w if part == OTHER else 0.0)
    return NodePower(
        rates, tuple(parts), np.array(active), np.array(asleep), without_sleep, node.battery.usable_j, fitted=True
    )


def _by_board(node: SensorNode) -> NodePower:
    """Return the power by the board: a sample is taken, computed and written in one interval of the highest rate (eq. 3.1)."""
    board, sensor = node.processor, node.rated_sensor
    assert node.battery is not None
    rates = np.asarray(sensor.rates_hz)
    duty = rates / rates[-1]
    rows = {
        "board, active": board.active_power_w * duty,
        "board, idle": board.idle_power_w * (1 - duty),
        "writing": (board.write_power_w or 0.0) * duty + (board.write_j_per_bit or 0.0) * sensor.sample_bits * rates,
        "sensor": (sensor.active_power_w or 0.0) * duty + (sensor.standby_power_w or 0.0) * (1 - duty),
    }
    rows |= {name: np.full(rates.size, each.power_w) for name, each in node.steady_sensors.items() if each.power_w}
    kept = {name: values for name, values in rows.items() if values.any()}
    # Asleep only the steady sensors stay on: the tracker's published gains by sleep are those.
    asleep = np.array([values[0] if name in node.steady_sensors else 0.0 for name, values in kept.items()])
    active = np.array(list(kept.values()))
    return NodePower(
        rates, tuple(kept), active, asleep, float(active[:, -1].sum()), node.battery.usable_j, fitted=False
    )

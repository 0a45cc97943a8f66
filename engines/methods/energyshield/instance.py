"""The prepared problem: the free choices, the driving scenario, and its random draws."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.engine import Context, Problem, require
from engines.contract.errors import ProblemError
from engines.contract.typed_lists import finite, names, numbers
from engines.cost.calibration.unmeasured import estimates_as_remedies
from engines.methods.energyshield.conditions import Conditions, drawn_conditions
from engines.methods.energyshield.detector import Detectors, detectors_of
from engines.methods.energyshield.episodes import POLICIES, Choice, DrivingConditions
from engines.methods.energyshield.layout import Layout
from engines.methods.energyshield.params import EnergyShieldParams
from engines.methods.energyshield.rules import RULES
from engines.methods.energyshield.validity import require_valid
from engines.search.strategies import ListedSpace
from engines.simulation.radio_link import (
    CAPACITY,
    channel_of,
    joules_per_bit,
    round_trip_s,
    traced_channel,
    traced_queue,
    uplink_bits_per_s,
)
from engines.simulation.server_queue import GeometricQueue, ServerQueue
from engines.simulation.wireless_channel import Channel
from hardware.radio.model import Radio

_FIRST_AFTER_M = 40.0
_BITS_PER_KBIT = 1e3


@dataclass(frozen=True, eq=False)
class Instance:
    """The prepared problem that searches and pages share.

    Attributes:
        space: entry of a decision -> what may be chosen.
        radios: in the order of their numbers. channels: of each. loads: likewise.
        queues: queues of each load, or the recorded one.
        layout: layout of the obstacles.
    """

    params: EnergyShieldParams
    space: ListedSpace
    radios: tuple[Radio, ...]
    channels: tuple[Channel, ...]
    loads: tuple[float, ...]
    queues: tuple[ServerQueue, ...]
    detectors: Detectors
    layout: Layout
    world: DrivingConditions

    @property
    def rule(self) -> int:
        """Number of the rule of the shield."""
        return RULES.index(self.params.rule)

    def choice_of(self, places: Sequence[int]) -> Choice:
        """Return the design of places in the lists of the space."""
        sigma, radius_m, margin_m, policy, most_windows, radio, load, detector = places
        lists = self.space.values
        return Choice(
            lists["sigma"][sigma], lists["radius_m"][radius_m], lists["margin_m"][margin_m],
            POLICIES.index(lists["policy"][policy]), lists["most_windows"][most_windows], radio, load, detector, self.rule,
        )  # fmt: skip

    def conditions(self, context: Context, episodes: int | None = None) -> Conditions:
        """Return the sampled driving conditions of the episodes of a seed."""
        params = self.params
        return drawn_conditions(
            context, episodes or params.episodes, self.world.windows, self.layout,
            self.channels, self.queues, worst=params.estimate == "worst",
        )  # fmt: skip


@estimates_as_remedies
def instance_of(problem: Problem[EnergyShieldParams]) -> Instance:
    """Return everything of a problem.

    Raises:
        ProblemError: a shield that no steering can keep, obstacles too near to each other, a radio without figures, a detector
            that is not done in a window, values out of range.
    """
    params = problem.params
    sigmas = numbers(params.sigmas, "params.sigmas", "above 0 and below 1", lambda value: 0 < value < 1)
    body = params.obstacle_radius_m
    radii = numbers(
        params.radii_m, "params.radii_m", f"at least 1 m, and more than the {body:g} m of an obstacle's body",
        lambda value: 1 <= value <= 100 and value > body,
    )  # fmt: skip
    margins = numbers(params.margins_m, "params.margins_m", "from 0.02 to 20 m", lambda value: 0.02 <= value <= 20)
    caps = numbers(params.most_windows, "params.most_windows", "a whole number from 1 to 100", _is_cap)
    loads = numbers(params.loads, "params.loads", "from 0 to below 1", lambda value: 0 <= value < 1)
    policies = names(params.policies, "params.policies", POLICIES)
    require(
        params.speed_kmh / 3.6 <= params.v_max_m_per_s, "params.speed_kmh", params.speed_kmh,
        f"at most {3.6 * params.v_max_m_per_s:g} km/h, the highest speed of the shield",
    )  # fmt: skip
    detectors, radios = detectors_of(problem), _radios(problem)
    recorded = traced_queue(problem, params.window_ms / 1e3)
    loads = loads if recorded is None else (0.0,)  # a recorded queue has its load in it
    queues: tuple[ServerQueue, ...] = tuple(GeometricQueue(load, CAPACITY, params.task_us / 1e6) for load in loads)
    world = _world(
        params, radios, detectors, tuple(round_trip_s(problem, each, params.round_trip_ms) for each in radios)
    )
    require_valid(world, sigmas, radii)
    space = ListedSpace({
        "sigma": sigmas, "radius_m": radii, "margin_m": margins, "policy": policies, "most_windows": tuple(map(int, caps)),
        "radio": tuple(radio.slug for radio in radios), "load": loads,
        "clocks_mhz": tuple(dict(each.clocks_mhz) for each in detectors.each),
    })  # fmt: skip
    layout = _layout(params, max(radii), max(sigmas), max(margins))
    queues = queues if recorded is None else (recorded,)
    return Instance(params, space, radios, _channels(problem), loads, queues, detectors, layout, world)


def _is_cap(value: float) -> bool:
    return 1 <= value <= 100 and value == int(value)


def _radios(problem: Problem[EnergyShieldParams]) -> tuple[Radio, ...]:
    found = [problem.value("radio", Radio)]
    if "other_radio" in problem.inputs:
        found.append(problem.value("other_radio", Radio))
    for slot, radio in zip(("radio", "other_radio"), found, strict=False):
        joules_per_bit(radio, f"inputs.{slot}")
    return tuple(found)


def _channels(problem: Problem[EnergyShieldParams]) -> tuple[Channel, ...]:
    """Return the channel of each radio; a recorded one holds for all."""
    params, found = problem.params, list[Channel]()
    recorded = traced_channel(problem, params.window_ms / 1e3)
    for number, radio in enumerate(_radios(problem)):
        given, field = (None, "inputs.other_radio") if number else (params.bandwidth_mbps, "params.bandwidth_mbps")
        found.append(recorded or channel_of(params.channel, uplink_bits_per_s(radio, given, field)))
    return tuple(found)


def _world(
    params: EnergyShieldParams, radios: tuple[Radio, ...], detectors: Detectors, network_s: tuple[float, ...]
) -> DrivingConditions:
    window_s = params.window_ms / 1e3
    windows = max(1, round(params.episode_s / window_s))
    require(
        windows <= 5000, "params.episode_s", params.episode_s, f"at most {5000 * window_s:g} s, which is 5,000 windows"
    )
    cells = windows * params.episodes
    require(
        cells <= 20_000_000, "params.episodes", params.episodes, f"at most {20_000_000 // windows} of {windows} windows"
    )
    return DrivingConditions(
        window_s=window_s, windows=windows, speed_m_per_s=params.speed_kmh / 3.6, axle_m=params.axle_m,
        beta_max=math.atan(0.5 * math.tan(math.radians(params.wheel_degrees))), v_max_m_per_s=params.v_max_m_per_s,
        road_m=params.road_m, controller=params.controller, shielded=True, far=params.far,
        payload_bits=params.frame_kbit * _BITS_PER_KBIT,
        base_power_w=tuple(radio.base_power_w for radio in radios),
        joules_per_bit=tuple(joules_per_bit(radio, "inputs.radio") for radio in radios),
        local_j=tuple(each.energy_j for each in detectors.each), network_s=network_s,
    )  # fmt: skip


def _layout(params: EnergyShieldParams, radius_m: float, sigma: float, margin_m: float) -> Layout:
    """Return the obstacles as given or as published, no two of whose surroundings meet: the guarantee is for one at a time."""
    given = positions(params.obstacles, "params.obstacles")
    if given:
        points = given
    else:
        first = min(_FIRST_AFTER_M, 0.4 * params.road_m)
        points = tuple((float(x), 0.0) for x in np.linspace(first, params.road_m, params.obstacle_count))
        if params.obstacle_count == 1:
            points = ((first, 0.0),)
    apart = 2 * (radius_m / (1 - sigma) + margin_m)
    layout = Layout(points, params.spread_m, params.noise_m, apart)
    least, field = layout.least_apart_m(), "params.obstacles" if given else "params.obstacle_count"
    require(
        least >= apart, field, f"{least:.4g} m between two obstacles",
        f"obstacles at least {apart:.4g} m apart, twice rbar / (1 - sigma) + rho",
        reason="The guarantee holds for one obstacle at a time.",
        remedies=["Model near obstacles as one with a larger rbar.", "Use a smaller rho or sigma."],
    )  # fmt: skip
    start = min(math.hypot(x, y) for x, y in points) - params.spread_m - 6 * params.noise_m
    require(
        start >= apart / 2, field, f"{start:.4g} m from the start of the road, with variation and noise",
        f"an obstacle at least {apart / 2:.4g} m from the start",
        reason="An episode begins in a safe state.",
    )  # fmt: skip
    return layout


def positions(text: str, field: str) -> tuple[tuple[float, float], ...]:
    """Return the pairs of metres, one to a line or apart by semicolons; a first line of names (x_m, y_m) is skipped.

    Raises:
        ProblemError: names the line that is no pair of numbers.
    """
    lines = [line.strip() for line in re.split(r"[;\n]", text) if line.strip()]
    if lines and re.fullmatch(r"[A-Za-z_ ]+[,\s]+[A-Za-z_ ]+", lines[0]):
        reason = "The columns are metres along and across the road."
        accepted = "a first line “x_m,y_m”"
        require(re.split(r"[,\s]+", lines[0]) == ["x_m", "y_m"], field, lines[0], accepted, reason=reason)
        lines = lines[1:]
    found = []
    for line in lines:
        values = [finite(word) for word in re.split(r"[,\s]+", line) if word]
        if len(values) != 2 or any(value is None for value in values):
            raise ProblemError(field, line, "two numbers, metres along and across the road, as in “40, 0”")
        found.append((float(values[0] or 0.0), float(values[1] or 0.0)))
    return tuple(found)

"""Parameters of EnergyShield."""

from __future__ import annotations

from typing import Literal

from engines.contract.engine import EngineParams
from engines.contract.parameter_fields import choice, for_experts, for_paper, limit, number, switch, text
from engines.cost.calibration.unmeasured import Unmeasured, unmeasured_field
from engines.cost.device_fields import Precision, clock_choices_field, power_mode_field, precision_field, unit_field
from engines.cost.memory_capacity import ignore_memory_field
from engines.methods.energyshield.controllers import Controller
from engines.methods.energyshield.rules import Rule
from engines.search.search_fields import evaluations_field, population_field
from engines.simulation.radio_link import ChannelKind, bandwidth_field, channel_field, round_trip_field, task_field

_SEVERAL = "Several values, apart by spaces, are all tried."


class EnergyShieldParams(EngineParams):
    """Shield, offloading, detector, drive, search."""

    sigmas: str = for_experts(
        text(
            "0.28",
            "Sigma",
            "Shield",
            f"Above 0 and below 1: more room in front of a vehicle than behind it. {_SEVERAL}",
        )
    )
    radii_m: str = text(
        "4",
        "Radius rbar (m)",
        "Shield",
        f"The vehicle may not come closer to the middle of an obstacle than this. {_SEVERAL}",
    )
    margins_m: str = text(
        "0.5 1 2", "Margin rho (m)", "Shield", f"The shield takes obstacles to be closer by this much. {_SEVERAL}"
    )
    rule: Rule = for_experts(choice(
        "predicted", "Rule of the shield", "Shield",
        {
            "predicted": "Predicted state",
            "hysteresis": "Hysteresis",
            "printed": "As published: unsafe",
        },
        "How the shield compensates for the window that the device needs to estimate its state.",
    ))  # fmt: skip
    v_max_m_per_s: float = for_experts(
        number(
            12.0, (1, 60), "m/s", "Highest speed", "Vehicle", "Highest speed for which the shield guarantees safety."
        )
    )
    speed_kmh: float = number(40.0, (1, 200), "km/h", "Speed", "Vehicle", "Constant speed of the vehicle.")
    axle_m: float = for_paper(number(
        1.6, (0.1, 10), "m", "Centre to axle", "Vehicle", "Distance from the centre of mass to the front and to the rear axle.",
    ))  # fmt: skip
    wheel_degrees: float = for_paper(number(
        67.92, (5, 85), "°", "Largest wheel angle", "Vehicle", "Largest angle of the front wheels; 67.92° are the published "
        "1.1854 rad.",
    ))  # fmt: skip
    controller: Controller = for_experts(choice(
        "path", "Controller", "Vehicle",
        {"path": "Path follower", "pursuit": "Pure pursuit", "poor": "Poor: sways, with noise"},
        "Controller that steers before the shield; none of them sees obstacles.",
    ))  # fmt: skip
    policies: str = text(
        "local eager uniform", "Policies", "Offloading",
        "local: always on the device. eager: the next frame after the answer. uniform: after the safe time windows.",
    )  # fmt: skip
    most_windows: str = for_experts(
        text(
            "10",
            "Cap on held windows",
            "Offloading",
            f"The steering is held for at most this many windows, whatever the monitor allows. {_SEVERAL}",
        )
    )
    far: bool = for_paper(switch(
        False, "Rule for long range", "Offloading",
        "Beyond the barrier the monitor also allows the time to within 2 m of it at the highest speed. The "
            "published code does so.",
    ))  # fmt: skip
    estimate: Literal["mean", "worst"] = for_experts(choice(
        "mean", "Estimate of the answer", "Offloading",
        {"mean": "Mean of the last 5 windows", "worst": "Worst of the last 5 windows"},
        "Frames are sent only where the answer is expected in time, and for less energy than on the device.",
    ))  # fmt: skip
    frame_kbit: float = for_paper(number(
        292.97, (0.1, 1e6), "kbit", "Frame", "Offloading",
        "Data of a frame. Default: 160 x 80 pixels of 24 bits, with 2^20 bits per Mbit as in the published code.",
    ))  # fmt: skip
    channel: ChannelKind = for_experts(
        channel_field("rayleigh", "Radio and server", "How the bandwidth of a radio varies, where no trace is given.")
    )
    bandwidth_mbps: float | None = bandwidth_field(
        20.0, "Radio and server",
        "Bandwidth of the first radio's upload, or the scale of its Rayleigh distribution. Empty, and of "
            "another radio: the typical value of its description.",
    )  # fmt: skip
    loads: str = for_experts(
        text(
            "0.97", "Load of the server", "Radio and server", f"Share of time in which it is busy, below 1. {_SEVERAL}"
        )
    )
    task_us: float = task_field(1.0, "Radio and server", "µs")
    round_trip_ms: float | None = round_trip_field("Radio and server")
    detector_ms: float = for_experts(number(
        16.211, (0, 1e4), "ms", "Detector: latency", "Detector",
        "Latency of the detector for one frame; it must fit into a window. Used if no device and network are chosen.", above=True,
    ))  # fmt: skip
    detector_w: float = for_experts(number(
        7.0, (0, 1e4), "W", "Detector: power", "Detector",
        "Power while the detector runs. Used if no device and network are chosen.", above=True,
    ))  # fmt: skip
    unit: str = unit_field("Detector", advanced=True)
    precision: Precision = for_experts(precision_field("Detector"))
    power_mode: str = power_mode_field("Detector", advanced=True)
    clock_steps: int = for_experts(number(
        3, (1, 64), "steps", "Steps of the clock", "Detector", "Clock steps of the unit, evenly spaced; 1: the highest alone.",
    ))  # fmt: skip
    clock_choices: str = clock_choices_field("Detector")
    unmeasured: Unmeasured = for_experts(unmeasured_field("Detector", "datasheet"))
    ignore_memory: bool = ignore_memory_field("Detector")
    obstacles: str = for_experts(text(
        "", "Obstacles", "Road",
        "Metres along and across the road for each obstacle, separated by lines or semicolons, as in “40, "
            "0; 62, -1”. You can also paste a CSV file with x_m,y_m. Empty: as published, the first after 40 "
            "m, the last at the end of the road.",
        lines=True,
    ))  # fmt: skip
    obstacle_count: int = number(
        4, (1, 20), "obstacles", "Number of obstacles", "Road",
        "Number of generated obstacles, if the field above is empty.",
    )  # fmt: skip
    obstacle_radius_m: float = number(
        0.4, (0, 20), "m", "Radius of an obstacle", "Road", "Radius of its body; rbar has to be larger.", advanced=True
    )
    spread_m: float = for_experts(
        number(
            5.0,
            (0, 50),
            "m",
            "Variation along the road",
            "Road",
            "Each obstacle moves by up to this much, drawn for every episode.",
        )
    )
    noise_m: float = for_experts(
        number(
            1.5,
            (0, 20),
            "m",
            "Noise of positions",
            "Road",
            "Standard deviation of additional noise in both directions (N = 1 of the publication).",
        )
    )
    road_m: float = for_experts(
        number(100.0, (10, 5000), "m", "Length of the road", "Road", "Length of the road; an episode ends there.")
    )
    window_ms: float = for_paper(
        number(
            20.0,
            (1, 1000),
            "ms",
            "Window",
            "Episodes",
            "Time between two frames. Above 300 ms no rule is shown to keep the barrier.",
        )
    )
    episode_s: float = for_experts(
        number(15.0, (0.1, 600), "s", "Longest episode", "Episodes", "An episode ends earlier where the road ends.")
    )
    episodes: int = number(
        30,
        (1, 20_000),
        "episodes",
        "Episodes",
        "Episodes",
        "Number of episodes that every design drives; they are the same for all designs.",
    )
    safety: Literal["clearance", "barrier"] = for_experts(choice(
        "clearance", "Safety", "Search", {"clearance": "Least clearance", "barrier": "Least value of the barrier"},
        "Measure of safety on the front.",
    ))  # fmt: skip
    driving: Literal["tracking", "progress", "both"] = for_experts(choice(
        "tracking", "Quality of driving", "Search",
        {"tracking": "Tracking error", "progress": "Progress along the road", "both": "Tracking error and progress"},
        "Measure of driving quality on the front.",
    ))  # fmt: skip
    evaluations: int = evaluations_field(
        500,
        (1, 100_000),
        "designs",
        "Largest number of evaluated combinations. With no more combinations than this, all are evaluated; otherwise "
        "NSGA-II searches.",
    )
    population: int = population_field(24, (4, 2000), "designs", "Designs of a generation of NSGA-II.")
    energy_limit_j: float | None = limit("J", 1e3, "Energy of a window, at most", "Largest mean energy of a window.")
    clearance_limit_m: float | None = limit(
        "m", 1e3, "Clearance, at least", "Least distance to an obstacle beyond rbar, in all episodes."
    )

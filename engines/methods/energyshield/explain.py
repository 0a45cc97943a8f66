"""The explanation of one design: it is driven through the episode in which it comes nearest to the barrier."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.engine import Context
from engines.contract.integer_format import many
from engines.contract.results import (
    Breakdown,
    GroundCircle,
    GroundLine,
    GroundTrack,
    Note,
    Result,
    Series,
    Threshold,
    Trace,
)
from engines.methods.energyshield.barrier import Barrier
from engines.methods.energyshield.episodes import Choice, Drive, DrivingConditions, Totals
from engines.methods.energyshield.instance import Instance
from engines.methods.energyshield.outcome import model_notes, rules_table, safety_time_matrix, with_every_rule
from engines.methods.energyshield.recording import EpisodeRecord, Recording
from engines.methods.energyshield.rules import RULES
from engines.methods.energyshield.scoring import columns_of

_DRIVE, _PRINTED = "drive", "printed"
_MORE_EPISODES = 200


def explain_design(instance: Instance, design: Choice, context: Context) -> tuple[Result, ...]:
    """Return the drive and the published rule's next to it, nu, energy, rules."""
    world, every, recording = instance.world, with_every_rule(design), Recording()
    drive = Drive(world, instance.conditions(context), every)
    totals = drive.run(recording.see)
    own = int(totals.least_h_per_m[: drive.episodes].argmin())
    columns, ours = columns_of(totals, len(every), world), recording.of(drive, own)
    return (
        road_of(ours, instance, design, "road", "The road from above", _DRIVE),
        trace_of(ours, _DRIVE, f"The drive nearest to the barrier (episode {own + 1})"),
        offloading_of(ours),
        *_printed(instance, drive, recording, every, context),
        safety_time_matrix(instance, design),
        _energy(world, totals, drive.episodes, design),
        rules_table(every, columns, drive.episodes),
        *model_notes(instance),
    )


def road_of(drive: EpisodeRecord, instance: Instance, design: Choice, name: str, title: str, trace: str) -> GroundTrack:
    """Return the road from above: obstacles, rbar, and the barrier of a vehicle that heads along the road."""
    world = instance.world
    barrier = Barrier(design.sigma, design.radius_m, world.axle_m, world.beta_max, world.v_max_m_per_s)
    around = np.append(
        np.linspace(-np.pi, np.pi, 73), np.nan
    )  # as seen from the obstacle; heading along the road it is xi
    circles, x_m, y_m = [], [], []
    for number, (x, y) in enumerate(drive.obstacles_m, start=1):
        circles.append(GroundCircle(f"rbar of obstacle {number}", x, y, design.radius_m, "keep out"))
        circles.append(GroundCircle(f"Obstacle {number}", x, y, instance.params.obstacle_radius_m))
        x_m.append(x + barrier.r_min(around) * np.cos(around))
        y_m.append(y + barrier.r_min(around) * np.sin(around))
    lane = GroundLine("Middle of the lane", np.array([0.0, world.road_m]), np.zeros(2))
    limit = GroundLine("Barrier, heading along the road", np.concatenate(x_m), np.concatenate(y_m), "limit")
    return GroundTrack(
        name, title, drive.time_s, drive.x_m, drive.y_m, drive.heading, tuple(circles), (lane, limit), belongs_to=trace
    )


def trace_of(drive: EpisodeRecord, name: str, title: str) -> Trace:
    """Return h, and the steering before and after the shield."""
    degrees = np.degrees
    return Trace(
        name, title, drive.time_s,
        (
            Series("Least barrier h in the window", drive.h, "1/m"),
            Series("Steering after the shield", degrees(drive.beta), "°", style="step"),
            Series("Steering asked for", degrees(drive.asked), "°", style="step"),
        ),
        (Threshold("Barrier", 0.0, "1/m"),),
    )  # fmt: skip


def offloading_of(drive: EpisodeRecord) -> Trace:
    """Return the windows for which the steering may be held, channel and energy of the same drive."""
    return Trace(
        "offloading", "Offloading in that drive", drive.time_s,
        (
            Series("Windows that the steering may be held", drive.held, "windows", style="step"),
            Series("Throughput of the channel", drive.rate_bits_per_s / 1e6, "Mbit/s", style="step"),
            Series("Energy of the window", drive.spent_j, "J", style="step"),
        ),
    )  # fmt: skip


def _printed(
    instance: Instance, drive: Drive, recording: Recording, every: Sequence[Choice], context: Context
) -> tuple[Result, ...]:
    """Return the printed rule where it does worst: in the episodes of the design, or else in others of the same kind."""
    if RULES[every[0].rule] == "printed":
        return ()
    design = next(each for each in every if RULES[each.rule] == "printed")
    first = every.index(design) * drive.episodes
    least = drive.totals.least_h_per_m[first : first + drive.episodes]
    if least.min() >= 0:
        first, recording = 0, Recording()
        drive = Drive(instance.world, instance.conditions(context, _MORE_EPISODES), [design])
        least = drive.run(recording.see).least_h_per_m
    crossed, row = int((least < 0).sum()), int(least.argmin())
    if not crossed:
        text = f"In {many(len(least), 'episode')} the published rule (eq. 6.12) does not cross the barrier with this design either."
        return (Note("printed-note", "The published rule", text, belongs_to=_DRIVE),)
    text = (
        f"With this design the published rule (eq. 6.12) crosses the barrier in {crossed} of {len(least)} "
        "episodes. It decides by the sign of the orientation of one time window ago. When the obstacle is "
        "straight ahead, the wheel turns to and fro. The picture shows the worst episode."
    )
    worst = recording.of(drive, first + row)
    return (
        road_of(worst, instance, design, "printed-road", "Counterexample: the road with the published rule", _PRINTED),
        trace_of(worst, _PRINTED, "Counterexample: the same design with the published rule"),
        Note("printed-note", "The published rule is not safe", text, "warning", belongs_to=_PRINTED),
    )


def _energy(world: DrivingConditions, totals: Totals, episodes: int, design: Choice) -> Breakdown:
    windows = float(totals.windows[:episodes].sum())
    local = float(totals.local_windows[:episodes].sum()) * world.local_j[design.detector] / windows
    radio = float(totals.energy_j[:episodes].sum()) / windows - local
    values = np.array([[local, max(radio, 0.0)]])
    return Breakdown("energy", "Energy of a window", ("Mean window",), ("Detector on the device", "Radio"), values, "J")

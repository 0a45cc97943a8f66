"""The report of a run: the three rules side by side, nu by distance and orientation, what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.integer_format import counted
from engines.contract.quantities import by_name
from engines.contract.results import Matrix, Note, Table, TableColumn
from engines.methods.energyshield.barrier import Barrier
from engines.methods.energyshield.episodes import Choice
from engines.methods.energyshield.instance import Instance
from engines.methods.energyshield.monitor import monitored_s, safety_time_s
from engines.methods.energyshield.quantities import QUANTITIES
from engines.methods.energyshield.rules import RULES

RULE_TITLES = {
    "predicted": "State predicted one window ahead",
    "hysteresis": "Old state, with hysteresis",
    "printed": "As published (eq. 6.12)",
}
_LONGEST_SHOWN_MS = 300.0  # windows that tests drive with the predicted state
_DISTANCES, _ANGLES = 25, 13  # more columns than 16 would be numbered, not named


def with_every_rule(design: Choice) -> list[Choice]:
    """Return the design with each of the rules, its own first."""
    return [replace(design, rule=(design.rule + number) % len(RULES)) for number in range(len(RULES))]


def rules_table(designs: Sequence[Choice], columns: Mapping[str, FloatArray], episodes: int) -> Table:
    """Return the three rules of the shield in the same episodes; columns as `columns_of` gives them."""
    names = by_name(QUANTITIES)
    shown = ("violations", "least_barrier", "clearance_m", "energy_j", "tracking_m")
    titles = tuple(RULE_TITLES[RULES[design.rule]] for design in designs)
    cells = [TableColumn(names[name].title, columns[name], names[name].unit) for name in shown]
    title = f"The three rules in the same {counted(episodes)} episodes"
    return Table("rules", title, (TableColumn("Rule", titles), *cells))


def safety_time_matrix(instance: Instance, design: Choice) -> Matrix:
    """Return the nu by distance and orientation, driving straight on, less the margin of the published monitor."""
    world = instance.world
    barrier = Barrier(design.sigma, design.radius_m, world.axle_m, world.beta_max, world.v_max_m_per_s)
    distances = np.linspace(design.radius_m, design.radius_m + 24, _DISTANCES)
    angles = np.linspace(0, np.pi, _ANGLES)
    r_m, xi = np.meshgrid(distances, angles, indexing="ij")
    held: FloatArray = monitored_s(barrier, r_m, xi, np.zeros_like(xi), far=world.far)
    values = np.where(safety_time_s(barrier, r_m, xi, np.zeros_like(xi)) > 0, held, np.nan)
    return Matrix(
        "safety-time", "How long the steering may be held, driving straight on",
        tuple(f"{r:.3g} m" for r in distances[::-1]), tuple(f"{np.degrees(angle):.0f}°" for angle in angles),
        values[::-1], "s", "Time (nu less the margin) by distance and orientation; 180° is towards the obstacle",
    )  # fmt: skip


def model_notes(instance: Instance) -> tuple[Note, ...]:
    """Return the notes on costs and assumptions that a reader of the results needs."""
    params = instance.params
    text = (
        f"A kinematic bicycle at {params.speed_kmh:g} km/h on a straight road, in time windows of "
        f"{params.window_ms:g} ms. The steering is exact and immediate. Energy is that of detector and "
        "radio. The small network that locates the obstacle is not counted. The server answers with the "
        "controller's action for the time of the frame."
    )
    notes = [Note("energyshield-model", "Simulated system", text)]
    if params.rule != "predicted":
        words = {
            "printed": "The published rule (eq. 6.12) turns the wheel back and forth before an obstacle ahead. "
            "Episodes cross the barrier. Designs that do are on no front.",
            "hysteresis": "With the state of one time window ago, hysteresis alone needs a margin of about 1 m at 40 "
            "km/h. Designs that cross the barrier are on no front.",
        }[params.rule]
        notes.append(Note("rule", "Rule of the shield", words, "warning"))
    elif params.window_ms > _LONGEST_SHOWN_MS:
        words = (
            f"Tests show that the rule keeps the barrier at windows of up to {_LONGEST_SHOWN_MS:g} ms. At {params.window_ms:g} ms "
            "vehicles may cross it; designs with such vehicles are left off the Pareto front."
        )
        notes.append(Note("rule", "Rule of the shield", words, "warning"))
    covered = instance.detectors.covered
    if covered is not None:
        notes += covered.of(instance.detectors.unit).notes(chosen=True)
    return tuple(notes)

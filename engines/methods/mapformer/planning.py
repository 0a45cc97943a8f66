"""What a run will take, before anything is searched."""

from __future__ import annotations

from engines.contract.counts import counted
from engines.contract.engine import Bound, Plan, PlanCheck
from engines.contract.estimates import around
from engines.methods.mapformer.managers.genetic import GENERATIONS, POPULATION
from engines.methods.mapformer.outcome import model_notes
from engines.methods.mapformer.params import MapFormerParams
from engines.methods.mapformer.problem.instance import MixInstance
from hardware.soc.summary import unit_title

# Processor time on one core: ten networks, three segments, 100,000 mappings 1.4 s with the search, 0.5 s drawn; the bound 0.2 s.
_SECONDS_PER_MAPPING = {"ours": 1.3e-5, "random": 1e-5}
_START_S = 0.8
_SPARSE = ("gpu", "mosaic", "odmdef")


def evaluations_of(instance: MixInstance, params: MapFormerParams) -> int:
    """Mappings that the manager simulates, at most."""
    levels = int(instance.space.counts.max())
    if params.manager == "genetic":
        return POPULATION * GENERATIONS * levels
    return levels if params.manager in _SPARSE else params.evaluations + 1000


def make_plan(instance: MixInstance, params: MapFormerParams, chosen: bool) -> Plan:
    """The plan; `chosen` says whether the calibration was chosen by the device."""
    count = evaluations_of(instance, params)
    each = _SECONDS_PER_MAPPING.get(params.manager, 1e-5) * len(instance.names) / 10
    notes = model_notes(instance, chosen)
    return Plan(
        evaluations=count,
        memory_mb=250.0,
        time_s=around(_START_S + count * each),
        checks=_checks(instance),
        notes=tuple(note.text for note in notes if note.level == "warning"),
    )


def known_bounds(instance: MixInstance) -> tuple[Bound, ...]:
    """Some unit is on, and the memory."""
    least = instance.board.memory_idle_w + min(unit.idle_w for unit in instance.board.units)
    return (Bound("power_w", "Power of any mapping", least, "W"),)


def _checks(instance: MixInstance) -> tuple[PlanCheck, ...]:
    board = instance.board
    clocks = ", ".join(f"{unit_title(unit.name)} {len(unit.clocks_hz)}" for unit in board.units)
    return (
        PlanCheck(True, f"{len(instance.names)} networks with {counted(board.layers.sum())} layers together"),
        PlanCheck(True, f"Clocks beside off: {clocks}"),
        PlanCheck(True, f"Costs: {instance.covered.words()}"),
    )

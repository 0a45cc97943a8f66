"""The results of one design: schedule, stages, kinds of layers with their roofline, energy, memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from engines.contract.integer_format import many
from engines.contract.metric_breakdowns import MetricBreakdown
from engines.contract.results import (
    Breakdown,
    Curve,
    Lane,
    LayerGraph,
    LayerNode,
    Result,
    Schedule,
    ScheduleWindow,
    Series,
    Table,
    TableColumn,
)
from engines.contract.schedules import Bar, busy_shares, schedule_of
from engines.methods.soc_mapping.language.cuts import Part
from engines.methods.soc_mapping.language.stage_costs import StageCost, StageCosts
from engines.methods.soc_mapping.language.stage_work import TITLES, ModelStages
from engines.survey.language.layer_work import layer_work
from hardware.bits import bit_widths
from hardware.soc.model import Soc
from hardware.soc.summary import unit_title

BREAKDOWNS = (
    MetricBreakdown("latency_s", "schedule", "by unit", "lanes"),
    MetricBreakdown("energy_j", "energy", "by stage", "bars"),
    MetricBreakdown("memory_bytes", "memory", "by content", "parts"),
)
PartCost = tuple[Part, StageCost, tuple[float, float]]
_KINDS = ("compute", "transfer")
_COMPUTE, _TRANSFER = range(2)


def explain_design(
    stages: ModelStages,
    soc: Soc,
    cache_bits: float,
    parts: Sequence[PartCost],
    memory: Mapping[str, float],
    costs: StageCosts,
) -> tuple[Result, ...]:
    """Return the results of a design.

    Args:
        stages: stages of the model.
        soc: the board.
        cache_bits: bits of a cache element in the design.
        parts: parts of the design with their costs, and seconds and joules of the transfer before each.
        memory: bytes by content.
        costs: the cost model, with the roofs of units.
    """
    sizes = np.array([list(memory.values())])
    return (
        _schedule(stages, soc, parts),
        _table(parts),
        *_layers(stages, soc, cache_bits, [part for part, *_ in parts], costs),
        *_energy(parts),
        Breakdown("memory", "Memory at full length of the cache", ("Conversation",), tuple(memory), sizes, "B"),
    )


def rates_table(costs: StageCosts) -> Table:
    """Return a table of the sources of the rates, for every unit and choice of bits."""
    rows = [(unit, bits, *each) for unit, bits in costs.pairs for each in costs.rates(unit, bits).items()]
    units, bits, stages, rates = zip(*rows, strict=True)
    return Table(
        "rates", "Rates of the units",
        (
            TableColumn("Unit", tuple(map(unit_title, units))),
            TableColumn("Bits", bits),
            TableColumn("Stage", tuple(map(str, stages))),
            TableColumn("Certainty", tuple(each.certainty for each in rates)),
            TableColumn("Error band", np.array([each.error_factor or np.nan for each in rates])),
            TableColumn("Source", tuple(each.source for each in rates)),
        ),
    )  # fmt: skip


def _schedule(stages: ModelStages, soc: Soc, parts: Sequence[PartCost]) -> Schedule:
    units, now, bars = list(soc.units), 0.0, list[Bar]()
    for part, cost, (transfer_s, _) in parts:
        lane, title = units.index(part.setting.unit), part.title
        for kind, seconds in ((_TRANSFER, transfer_s), (_COMPUTE, cost.seconds)):
            if kind == _TRANSFER and not seconds:
                continue
            words = f"{title}, {_amount(stages, part.stage)}" if kind == _COMPUTE else f"transfer for {title.lower()}"
            bars.append(Bar(lane, now, now + seconds, words, kind))
            now += seconds
    busy = busy_shares(bars, len(units), now, _COMPUTE)
    lanes = tuple(
        Lane(name, unit_title(name), soc.units[name].kind, float(busy[number])) for number, name in enumerate(units)
    )
    window = ScheduleWindow("One conversation", 0.0, now)
    follows = [(number - 1, number) for number in range(1, len(bars))]
    return schedule_of(
        bars, lanes, (window,), (stages.model.name,), _KINDS, follows, bar_words="one bar is one stage of the model"
    )


def _layers(
    stages: ModelStages, soc: Soc, cache_bits: float, parts: Sequence[Part], costs: StageCosts
) -> tuple[Result, ...]:
    """Return the kinds of layers of prefill and decode as a graph and below the roofs of their units, under the same names."""
    params, dots, nodes = stages.params, dict[tuple[Part, float, float], list[str]](), list[LayerNode]()
    roofs: dict[str, tuple[float, float]] = {}
    context = params.prompt_tokens + (params.answer_tokens + 1) // 2
    for part in parts:
        stage, setting = part.stage, part.setting
        unit, kind = unit_title(setting.unit), soc.units[setting.unit].kind
        if stage not in ("prefill", "decode"):
            nodes.append(LayerNode(part.title, part.title, unit, (), kind))
            continue
        bytes_per_s, operations_per_s, every_expert = costs.roof(setting)
        clocks = "" if setting.unit_mhz is None else f" at {setting.unit_mhz:g} MHz"
        roofs[f"{unit}, {setting.bits}{clocks}"] = bytes_per_s, operations_per_s
        wanted = "decode" if stage == "decode" else "prefill, every expert" if every_expert else "prefill"
        seen, tokens = (context, 1) if stage == "decode" else (params.prompt_tokens, params.prompt_tokens)
        for each in layer_work(stages.part(part.blocks), bit_widths(setting.bits), cache_bits):
            if each.stage != wanted:
                continue
            operations, read = tokens * each.operations.at(seen), each.read_bytes.at(seen)
            name = f"{part.title}: {each.kind}"
            rate = min(operations_per_s, bytes_per_s * operations / read)
            dots.setdefault((part, operations / read, rate), []).append(each.kind)
            figures = (
                ("Operations", operations, "OP"),
                ("Memory traffic", read, "B"),
                ("Rate below its roof", rate, "OP/s"),
            )
            nodes.append(LayerNode(_path(part, each.kind), name, unit, figures, kind))
    ids = [each.id for each in nodes]
    graph = LayerGraph("layers", "Kinds of layers by unit", tuple(nodes), tuple(pairwise(ids)))
    ridges = [operations_per_s / bytes_per_s for bytes_per_s, operations_per_s in roofs.values()]
    own = [intensity for _, intensity, _ in dots]
    x = np.unique([min(own) / 2, *own, *ridges, max(*own, *ridges) * 2])
    lines = [Series(f"Roof of {name}", np.minimum(top, rate * x), "OP/s") for name, (rate, top) in roofs.items()]
    points = [
        Series(
            f"{part.title}: {', '.join(kinds)}",
            np.where(x == at, rate, np.nan),
            "OP/s",
            style="points",
            links=tuple(_path(part, kind) for kind in kinds),
        )
        for (part, at, rate), kinds in dots.items()
    ]
    title = "Roofline: layers at the clocks of the design"
    curve = Curve("roofline", title, x, "Operations per byte", "OP/B", (*lines, *points), x_log=True, y_log=True)
    return graph, curve


def _path(part: Part, kind: str) -> str:
    """Return the id of a kind of layers, below the label of its stage in the schedule."""
    return f"{TITLES[part.stage]}/{part.title}: {kind}"


def _amount(stages: ModelStages, name: str) -> str:
    params = stages.params
    amounts = {
        "prefill": many(params.prompt_tokens, "token"),
        "decode": many(params.answer_tokens - 1, "token"),
        "actions": f"{params.action_steps} passes",
    }
    return amounts.get(name, "one pass")


def _table(parts: Sequence[PartCost]) -> Table:
    def clocks(values: Sequence[float | None]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.array([np.nan if each is None else each * 1e6 for each in values])

    settings, costs = [part.setting for part, *_ in parts], [cost for _, cost, _ in parts]
    return Table(
        "stages", "Stages",
        (
            TableColumn("Stage", tuple(part.title for part, *_ in parts)),
            TableColumn("Unit", tuple(unit_title(each.unit) for each in settings)),
            TableColumn("Bits", tuple(each.bits for each in settings)),
            TableColumn("Clock", clocks([each.unit_mhz for each in settings]), "Hz"),
            TableColumn("Memory clock", clocks([each.memory_mhz for each in settings]), "Hz"),
            TableColumn("Time", np.array([each.seconds for each in costs]), "s"),
            TableColumn("Energy", np.array([each.energy_j for each in costs]), "J"),
            TableColumn("Certainty", tuple(each.certainty for each in costs)),
            TableColumn("Error band", np.array([each.error_factor or np.nan for each in costs])),
            TableColumn("Source", tuple(each.source for each in costs)),
        ),
    )  # fmt: skip


def _energy(parts: Sequence[PartCost]) -> tuple[Breakdown, ...]:
    values = np.array([[cost.unit_j, cost.memory_j, moved_j] for _, cost, (_, moved_j) in parts])
    if np.isnan(values).any():
        return ()
    titles = tuple(part.title for part, *_ in parts)
    return (Breakdown("energy", "Energy by stage", titles, ("Unit", "Memory", "Transfer before it"), values, "J"),)

"""The explanation of one split recommender: device, link and datacentre over time, energy, the graph, the battery's day."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engines.contract.results import (
    Breakdown,
    Lane,
    Note,
    Result,
    Schedule,
    ScheduleWindow,
    Series,
    Table,
    TableColumn,
    Threshold,
    Trace,
)
from engines.contract.schedules import Bar, schedule_of
from engines.methods.duet.graph import model_graph
from engines.methods.duet.instance import DuetInstance
from engines.methods.duet.quantities import LIMITS
from engines.methods.duet.scoring import SECONDS_PER_HOUR, Scorer
from hardware.radio.summary import TECHNOLOGY_TITLES

_COMPUTE, _TRANSFER = range(2)
_DEVICE, _LINK, _SERVER = range(3)


def explain_design(scorer: Scorer, row: list[int]) -> tuple[Result, ...]:
    """Return grid, tables, breakdowns and notes that explain one design."""
    edge_j = float(scorer.columns(np.array([row]))["edge_energy_j"][0])
    return (
        *_broken(scorer, row),
        _schedule(scorer, row),
        _energy(scorer, row),
        model_graph(scorer, row),
        _crossing(scorer, row),
        battery_day(scorer.instance, {"With these queries": edge_j}, "battery-of-the-design", "Battery over a day"),
    )


def _schedule(scorer: Scorer, row: list[int]) -> Schedule:
    user, item, link = scorer.user_part(row), scorer.datacentre_part(row), scorer.instance.link
    bars: list[Bar] = []
    now = 0.0
    for seconds, label in (
        (user.rows_s, "User's embeddings"),
        (user.bottom_s, "Bottom MLP"),
        (user.top_s, "User top MLP"),
    ):
        now = _then(bars, Bar(_DEVICE, now, now + seconds, label, _COMPUTE))
    arrived = _then(bars, Bar(_LINK, now, now + user.upload_s, "Upload of the user's vector", _TRANSFER))
    now = 0.0
    for seconds, label in (
        (item.overhead_s, "Overhead"), (float(item.lookups_s[0]), "Item embeddings"), (float(item.item_top_s[0]), "Item top MLP"),
    ):  # fmt: skip
        now = _then(bars, Bar(_SERVER, now, now + seconds, label, _COMPUTE))
    now = max(now, arrived)
    now = _then(bars, Bar(_SERVER, now, now + float(item.combined_s[0]), "Combined top MLP", _COMPUTE))
    end = _then(bars, Bar(_LINK, now, now + link.delay_s, "Round trip of query and answer", _TRANSFER))
    # Without the number of servers: designs that differ in it have the same parts.
    titles = ("Device", TECHNOLOGY_TITLES[link.radio.technology], "Server")
    busy = [sum(bar.end_s - bar.start_s for bar in bars if bar.lane == lane) / end for lane in range(3)]
    lanes = [
        Lane(*each)
        for each in zip(("device", "radio", "server"), titles, ("cpu", "radio", "server"), busy, strict=True)
    ]
    return schedule_of(
        bars, lanes, [ScheduleWindow("One query", 0.0, end)], [scorer.instance.model.title],
        kinds=("compute", "transfer"), title="One query",
        bar_words="one bar is a part of the model for all its candidates; all servers do the same",
    )  # fmt: skip


def _then(bars: list[Bar], bar: Bar) -> float:
    """Add a bar that lasts; return where it ends."""
    if bar.end_s > bar.start_s:
        bars.append(bar)
    return bar.end_s


def _energy(scorer: Scorer, row: list[int]) -> Breakdown:
    user, item, instance = scorer.user_part(row), scorer.datacentre_part(row), scorer.instance
    joules = instance.server.power_w * scorer.servers[row[8]]
    values = np.zeros((3, 7))
    values[_DEVICE, :3] = [instance.edge.energy_j(each) for each in (user.rows_s, user.bottom_s, user.top_s)]
    values[_LINK, 3] = user.upload_j
    values[_SERVER, 4:] = [
        joules * float(item.lookups_s[0]), joules * float(item.item_top_s[0] + item.overhead_s), joules * float(item.combined_s[0])
    ]  # fmt: skip
    parts = (
        "User's embeddings", "Bottom MLP", "User top MLP", "Upload", "Item embeddings", "Item top MLP", "Combined top MLP"
    )  # fmt: skip
    return Breakdown("energy", "Energy of a query", ("Device", "Upload", "Datacentre"), parts, values, "J")


def _crossing(scorer: Scorer, row: list[int]) -> Table:
    user, space = scorer.user_part(row), scorer.instance.space
    parts = space.parts[(space.split_bottom[row[0]], space.top_layers[row[1]], row[2])]
    history = space.history_bytes(space.histories[row[6]], space.tables_precisions[row[4]])
    names = (
        "User's vector, sent for a query", "User's own tables on the device", "Weights of the user top MLP",
    )  # fmt: skip
    precision = space.top_precisions[row[5]]
    weights = sum(a * b for a, b in zip(parts.user_top[:-1], parts.user_top[1:], strict=True))
    sizes = [user.payload_bytes, history, float(weights * (1 if precision == "int8" else 4))]
    values = [
        parts.payload,
        history / (1 if space.tables_precisions[row[4]] == "int8" else 4),
        weights,
    ]
    return Table(
        "crossing",
        "Transferred and local data",
        (
            TableColumn("What", names),
            TableColumn("Values", np.array(values, dtype=np.float64)),
            TableColumn("Size", np.array(sizes), "B"),
        ),
    )


def battery_day(instance: DuetInstance, joules: Mapping[str, float], name: str, title: str) -> Trace:
    """Return the charge over a day from a full battery, with and without queries; a line ends where the least level is reached.

    Args:
        instance: instance of the problem.
        joules: part of the device -> its energy for a query in J.
        name: name of the trace.
        title: likewise.
    """
    hours = np.linspace(0.0, 1.25 * instance.params.idle_life_h, 301)
    store, usual_j = instance.battery, instance.battery.usable_j / instance.params.idle_life_h
    series = []
    for words, each in (("Without queries", 0.0), *joules.items()):
        charge = store.capacity_j - hours * (usual_j + instance.params.queries_per_hour * each)
        floor = store.capacity_j * store.minimum_share
        series.append(Series(words, 100 * np.maximum(charge, floor) / store.capacity_j, "%"))
    level = (Threshold("Least level", 100 * store.minimum_share, "%"),) if store.minimum_share else ()
    return Trace(name, title, hours * SECONDS_PER_HOUR, tuple(series), level)


def _broken(scorer: Scorer, row: list[int]) -> tuple[Note, ...]:
    columns, allowed = scorer.columns(np.array([row])), scorer.instance.allowed
    words = [
        f"{limit.title} {limit.words(float(columns[limit.column][0]))}, at most {limit.words(allowed[limit])}"
        for limit in LIMITS
        if limit in allowed and columns[limit.column][0] > allowed[limit]
    ]
    text = f"This design violates limits: {'; '.join(words)}."
    return (Note("limits", "Violates limits", text, "warning"),) if words else ()

"""The results of one design: stages over units, what is reused of each layer, stages and energy."""

from __future__ import annotations

import numpy as np

from engines.contract.quantities import SHARE
from engines.contract.results import Breakdown, Matrix, Note, Result, Table, TableColumn
from engines.mapping.explain.clocks import settings_table
from engines.methods.map_and_conquer.decision import Configuration
from engines.methods.map_and_conquer.explain.part_times import PartTimes
from engines.methods.map_and_conquer.explain.stage_schedule import stage_schedule
from engines.methods.map_and_conquer.problem.instance import CutInstance
from engines.methods.map_and_conquer.problem.limits import columns_of


def explain_design(instance: CutInstance, design: Configuration) -> tuple[Result, ...]:
    """Return all results of one design."""
    population, clocks = design
    timed = PartTimes.of(instance, population, instance.costs_at(clocks))
    return (
        *_broken(timed),
        stage_schedule(timed),
        _stages(timed),
        _energy(timed),
        *_matrices(timed),
        _layers(timed),
        settings_table(clocks.at(0)),
    )


def _broken(timed: PartTimes) -> tuple[Note, ...]:
    columns = columns_of(timed.scores)
    broken = [
        f"the limit of {limit.title}: {limit.words(float(limit.values(columns)[0]))}, "
        f"{'at most' if limit.upper else 'at least'} {limit.words(bound)}"
        for limit, bound in timed.instance.allowed.items()
        if float(limit.room(bound, columns)[0]) < 0
    ]
    if not broken:
        return ()
    return (Note("limits", "Violates limits", f"This configuration breaks {'; '.join(broken)}.", "warning"),)


def _stages(timed: PartTimes) -> Table:
    scores = timed.scores
    return Table(
        name="stages",
        title="Stages",
        table_columns=(
            TableColumn("Stage", timed.stage_titles),
            TableColumn("Ends after", timed.finished_s[:, -1], "s"),
            TableColumn("Computes for", timed.parts.latency_s[0].sum(axis=1), "s"),
            TableColumn("Energy", timed.energy_j.sum(axis=1), "J"),
            TableColumn("Accuracy", scores.stage_accuracy_percent[0], "%"),
            TableColumn("Inputs that end here", scores.leaving[0], SHARE),
        ),
    )


def _energy(timed: PartTimes) -> Breakdown:
    parts = ("Layers", "Exit", "Features from earlier stages")
    return Breakdown("energy", "Energy by stage, all stages started", timed.stage_titles, parts, timed.energy_j, "J")


def _matrices(timed: PartTimes) -> tuple[Matrix, ...]:
    instance, population = timed.instance, timed.population
    share = population.partition[0] / instance.steps
    layers = instance.network.names[:-1]
    cut = Matrix("partition", "How layers are cut", timed.stage_titles, layers, share, SHARE, "Share")
    if len(timed.stage_titles) == 1:
        return (cut,)
    handed = np.where(population.reuse[0], share, 0.0)[:-1]
    title = "Features that later stages reuse"
    reuse = Matrix("reuse", title, timed.stage_titles[:-1], layers, handed, SHARE, "Share")
    return (cut, reuse)


def _layers(timed: PartTimes) -> Table:
    columns = [TableColumn("Layer", timed.instance.network.names)]
    for stage, title in enumerate(timed.stage_titles):
        columns.append(TableColumn(f"{title}, computes", timed.parts.latency_s[0, stage], "s"))
        columns.append(TableColumn(f"{title}, waits before", timed.waits_s[stage], "s"))
    return Table(name="layers", title="Layers by stage", table_columns=tuple(columns))

"""A reproduction as a run: what `engines.reproduction.reproductions` computes, part by part, for what keeps runs.

It is no method and explores nothing, so forms and lists of engines leave it out (`engines.registry.JOBS`). Its steps carry one
table per published table; progress, stop, continuation after a stop, crashes and leases are those of every run.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite, nan
from typing import Any, ClassVar, cast

import numpy as np
from pydantic import Field

from engines.contract.designs import Decision, Decisions, Designs
from engines.contract.engine import Context, Engine, EngineParams, InputKind, Plan, Problem, Recorder, Step, require
from engines.contract.errors import CheckpointError, DecisionError
from engines.contract.estimates import around
from engines.contract.quantities import Quantity
from engines.contract.results import Result, Table, TableColumn
from engines.reproduction.comparisons import Comparison, Kind, Ours, Test
from engines.reproduction.frame import Outcomes, Part
from engines.reproduction.reproductions import listed, parts_of, reproducible_engines, seconds_of, versions_of

NAME = "reproduction"
_MEMORY_MB = 1500.0
_ENDS = ((0, "from"), (1, "to"))
_ORDERING = {True: "yes", False: "no", None: ""}
_NO_DESIGNS = DecisionError("decision", "one of a reproduction", "left out", reason="A reproduction has no designs.")
PartOurs = Sequence[Ours]  # of the rows of a part, in their order


class ReproductionParams(EngineParams):
    """The parameters of a reproduction."""

    method: str = Field("", title="Method", description="Name of an engine with a reproduction.")
    quick: bool = Field(True, title="Quick", description="Only the comparisons that matter most.")


class ReproductionEngine(Engine[ReproductionParams, None]):
    """Computes published results of a method, part by part."""

    name = NAME
    title = "Reproduction"
    summary = (
        "Computes the results that the publications of a method report and compares them with the published values."
    )
    source = "the publications of the method"
    version = 4
    tags = ()
    inputs: ClassVar[Mapping[str, InputKind]] = {}
    Params = ReproductionParams
    quantities = (
        Quantity("compared", "Compared", help="Number of published values with a computed value."),
        Quantity("computing_s", "Time of computing", "s", help="Without pauses."),
    )
    result_types = ()

    def prepare(self, problem: Problem[ReproductionParams]) -> None:
        """Check that the method has a reproduction."""
        names = reproducible_engines()
        require(
            problem.params.method in names,
            "params.method",
            problem.params.method,
            f"one of the methods {', '.join(names)}",
        )

    def plan(self, problem: Problem[ReproductionParams], ready: None) -> Plan:
        """Return the plan, with a range around the measured run time."""
        method, quick = problem.params.method, problem.params.quick
        seconds = seconds_of(method, quick)
        notes = (f"{len(listed(method, quick))} published values in {len(parts_of(method, quick))} parts.",)
        return Plan(0, _MEMORY_MB, around(seconds), notes=notes)

    def run(self, problem: Problem[ReproductionParams], ready: None, record: Recorder) -> Iterator[Step]:
        """Yield one step when a part begins and one, with its tables and a checkpoint, when it is done."""
        method, quick = problem.params.method, problem.params.quick
        parts = parts_of(method, quick)
        known, before_s = _known(problem, record)
        rows: list[Comparison] = []
        outcomes: Outcomes = {}
        begun = time.monotonic()
        for number, part in enumerate(parts):
            if part.title in known:
                rows += _restored(part, known[part.title])
                continue
            yield record.step(number / len(parts), f"{part.title}: part {number + 1} of {len(parts)}")
            if record.context.stop_requested():
                return
            found = part.computed(outcomes, record.context.executor)
            rows += found
            known[part.title] = [row.own for row in found]
            passed_s = before_s + time.monotonic() - begun
            state = {"parts": known, "computing_s": passed_s, "versions": versions_of(method)}
            step = record.step(
                (number + 1) / len(parts),
                f"{part.title}: {len(found)} values compared",
                tables_of(rows, {(row.anchor, row.group) for row in found}),
                state=state,
            )
            yield replace(step, metrics={**step.metrics, "compared": float(len(rows)), "computing_s": passed_s})

    def evaluate(
        self, problem: Problem[ReproductionParams], ready: None, decisions: Decisions, context: Context
    ) -> Designs:
        """Refuse: there are no designs."""
        if decisions:
            raise _NO_DESIGNS
        return Designs.empty(self.quantities)

    def explain(
        self, problem: Problem[ReproductionParams], ready: None, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Refuse: there are no designs."""
        raise _NO_DESIGNS

    def primary_metric(self, problem: Problem[ReproductionParams]) -> str:
        """Return the column with the number of compared values."""
        return "compared"


def tables_of(rows: Iterable[Comparison], wanted: Iterable[tuple[str, str]]) -> tuple[Table, ...]:
    """Return one table per wanted pair of publication and heading, with all of its comparisons."""
    groups: dict[tuple[str, str], list[Comparison]] = {}
    for row in rows:
        groups.setdefault((row.anchor, row.group), []).append(row)
    chosen = set(wanted)
    return tuple(_table(*key, members) for key, members in groups.items() if key in chosen)


def comparisons_in(tables: Iterable[Table]) -> list[Comparison]:
    """Return the comparisons that `tables_of` put into tables."""
    return [row for table in tables for row in _rows_in(table)]


def _table(anchor: str, group: str, rows: Sequence[Comparison]) -> Table:
    def words(title: str, values: Iterable[str]) -> TableColumn:
        return TableColumn(title, tuple(values))

    def numbers(title: str, values: Iterable[float]) -> TableColumn:
        return TableColumn(title, np.array(list(values), np.float64))

    columns = (
        words("Compared", (row.name for row in rows)),
        words("Reading", (row.reading for row in rows)),
        numbers("Published", (row.published for row in rows)),
        numbers("Published to", (nan if row.published_high is None else row.published_high for row in rows)),
        numbers("Ours", (row.ours for row in rows)),
        numbers("Ratio", (row.ratio for row in rows)),
        TableColumn("Unit", tuple(row.unit for row in rows), row_units=True),
        words("Computed value is", (row.kind for row in rows)),
        words("Compared as", (row.test for row in rows)),
        numbers("Baseline", (nan if row.baseline is None else row.baseline for row in rows)),
        *(numbers(f"Seeds {word}", ((row.seeds or (nan, nan))[place] for row in rows)) for place, word in _ENDS),
        words("Same winner", (_ORDERING[row.ordering] for row in rows)),
        words("Where", (row.where for row in rows)),
        words("Why it differs", (row.why for row in rows)),
    )
    return Table(f"{anchor}/{group}", f"{group} ({anchor})", columns)


def _rows_in(table: Table) -> Iterator[Comparison]:
    anchor, _, group = table.name.partition("/")
    values = {column.title: column.values for column in table.table_columns}
    told = {words: ordering for ordering, words in _ORDERING.items()}
    for place, name in enumerate(values["Compared"]):
        cell = {title: column[place] for title, column in values.items()}
        yield Comparison(
            name=str(name),
            reading=str(cell["Reading"]),
            published=float(cell["Published"]),
            ours=float(cell["Ours"]),
            unit=str(cell["Unit"]),
            kind=cast(Kind, str(cell["Computed value is"])),
            anchor=anchor,
            where=str(cell["Where"]),
            ordering=told[str(cell["Same winner"])],
            reason=str(cell["Why it differs"]),
            group=group,
            published_high=_finite(cell["Published to"]),
            test=cast(Test, str(cell["Compared as"])),
            baseline=_finite(cell["Baseline"]),
            seeds=(float(cell["Seeds from"]), float(cell["Seeds to"])) if isfinite(float(cell["Seeds to"])) else None,
        )


def _finite(value: Any) -> float | None:
    return float(value) if isfinite(float(value)) else None


def _known(problem: Problem[ReproductionParams], record: Recorder) -> tuple[dict[str, PartOurs], float]:
    """Return the content of a checkpoint: computed values by part, and the time that they took."""
    state = record.state
    if state is None:
        return {}, 0.0
    installed = versions_of(problem.params.method)
    if state["versions"] != installed:
        raise CheckpointError(
            f"The stored values were computed by {state['versions']}; installed are {installed}. Reproduce it again instead."
        )
    parts: dict[str, PartOurs] = {title: [Ours(*own) for own in rows] for title, rows in state["parts"].items()}
    return parts, float(state["computing_s"])


def _restored(part: Part, ours: PartOurs) -> list[Comparison]:
    return [row.with_ours(own) for row, own in zip(part.listed(), ours, strict=True)]

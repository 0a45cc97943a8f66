"""Every cell of a study checked and planned, before anything is stored."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import comb
from typing import Any

from engines.contract.engine import Document, Plan, Problem
from engines.contract.errors import BusyError, ProblemError
from engines.contract.integer_format import many
from engines.documents.problems import validate_params
from engines.search.significance import SIGNIFICANT, least_adjusted, runs_to_decide
from webapp.catalogue.service import UnknownDocumentError, resolve
from webapp.runs.inputs import planning
from webapp.runs.inputs.documents import accepted_in_catalogue, problem_from_document
from webapp.studies.document import SEED, WORKLOADS, Axis, Cell, CellError, Grid, cell_words, read_grid, short_name
from webapp.teams.visibility import Principal


@dataclass(frozen=True)
class CheckedCell:
    """A planned run: its place in the grid, its problem and its effort."""

    cell: Cell
    problem: Problem
    plan: Plan


@dataclass(frozen=True)
class CheckedStudy:
    """A study that can be started.

    Attributes:
        titles: slot -> slug -> title of the document.
    """

    grid: Grid
    cells: tuple[CheckedCell, ...]
    titles: Mapping[str, Mapping[str, str]]

    @property
    def token(self) -> str:
        """Stands for what would be started: the problems of all cells, and the time limit."""
        problems = " ".join(each.problem.hash() for each in self.cells)
        return f"{hashlib.sha256(problems.encode()).hexdigest()} {self.grid.stop_after_minutes}"

    @property
    def estimate(self) -> StudyEstimate:
        """Return what all cells together will take."""
        plans = [each.plan for each in self.cells]
        misfits = [
            f"{cell_words(each.cell, self.grid.varying)}: {missed}"
            for each in self.cells
            if (missed := next((check.text for check in each.plan.checks if not check.ok), ""))
        ]
        return StudyEstimate(
            cells=len(plans),
            evaluations=sum(plan.evaluations for plan in plans),
            time_s=(sum(plan.time_s[0] for plan in plans), sum(plan.time_s[1] for plan in plans)),
            longest_s=max(plan.time_s[1] for plan in plans),
            memory_mb=max(plan.memory_mb for plan in plans),
            needs=frozenset().union(*(plan.needs for plan in plans)),
            misfits=tuple(misfits),
            notes=(*dict.fromkeys(note for plan in plans for note in plan.notes), *seed_notes(self.grid)),
        )


@dataclass(frozen=True)
class StudyEstimate:
    """The plan of a study.

    Attributes:
        cells: number of runs.
        evaluations: evaluations of all runs together, at most.
        time_s: (low, high) seconds of all runs together on one worker.
        longest_s: the upper end of the longest run's estimate: more workers cannot make the study shorter than that.
        memory_mb: memory in MB of the largest run.
        needs: requirements of any run on a worker.
        misfits: cells with a check of their plan that is not met, in words, each with the first such check.
        notes: warnings of the plans, each once, and `seed_notes`.
    """

    cells: int
    evaluations: int
    time_s: tuple[float, float]
    longest_s: float
    memory_mb: float
    needs: frozenset[str]
    misfits: tuple[str, ...]
    notes: tuple[str, ...]


def check(principal: Principal, document: Any) -> CheckedStudy:
    """Check every cell of a study document with documents that `principal` may see; nothing is stored.

    A document named without a version is looked up once, so that all cells pin the same one.

    Raises:
        ProblemError: the document is wrong as a whole.
        CellError: one cell cannot be run, or is the same problem as another.
    """
    grid = read_grid(document)
    pinned = _pin(principal, grid)
    bases: dict[tuple[str, ...], Problem] = {}
    places: dict[str, Cell] = {}
    checked = []
    for cell in grid.cells():
        problem = _problem(principal, grid, pinned, bases, cell)
        _refuse_twin(places, problem.hash(), cell, grid.varying)
        checked.append(CheckedCell(cell, problem, _plan(problem, cell)))
    titles = {
        slot: {slug: str(found.content.get("title") or slug) for slug, found in slugs.items()}
        for slot, slugs in pinned.items()
    }
    return CheckedStudy(grid, tuple(checked), titles)


def seed_notes(grid: Grid) -> tuple[str, ...]:
    """Return a sentence for each axis whose values the seeds are too few to compare, with the number of seeds needed."""
    axes = {axis.name: len(axis.values) for axis in grid.varying}
    seeds = axes.pop(SEED, 1)
    axes.pop(WORKLOADS, None)  # their hypervolumes have nothing to do with each other
    return tuple(
        f"{many(seeds, 'seed')} cannot show a difference between the {values} values of {short_name(name)}. "
        f"The smallest possible p is {least:.2g} (Mann and Whitney, corrected for {comb(values, 2)} "
        f"comparison{'s' if values > 2 else ''}); at most {SIGNIFICANT:.2g} is significant. Use at least "
        f"{runs_to_decide(comb(values, 2))} seeds."
        for name, values in axes.items()
        if (least := least_adjusted(seeds, values)) > SIGNIFICANT
    )


def _pin(principal: Principal, grid: Grid) -> dict[str, dict[str, Document]]:
    pinned: dict[str, dict[str, Document]] = {}
    for axis in grid.axes:
        family, _, slot = axis.name.partition(".")
        if family != "inputs":
            continue
        if slot not in grid.engine.inputs:
            accepted = ", ".join(sorted(grid.engine.inputs)) or "(none)"
            raise ProblemError(axis.name, slot, f"one of the inputs {accepted}")
        pinned[slot] = {slug: _named(principal, grid, slot, slug) for slug in axis.values}
    return pinned


def _named(principal: Principal, grid: Grid, slot: str, slug: str) -> Document:
    field = f"inputs.{slot}"
    try:
        return resolve(principal, grid.engine.inputs[slot].kind, slug, field=field)
    except UnknownDocumentError as error:
        raise ProblemError(field, slug, accepted_in_catalogue(principal, grid.engine, slot)) from error


def _problem(
    principal: Principal,
    grid: Grid,
    pinned: Mapping[str, Mapping[str, Document]],
    bases: dict[tuple[str, ...], Problem],
    cell: Cell,
) -> Problem:
    """Return the cell's problem; documents are read and parsed once per combination of inputs."""
    inputs, params = grid.inputs_of(cell), grid.params_of(cell)
    key = tuple(inputs.values())
    try:
        if key not in bases:
            bases[key] = problem_from_document(
                principal, {"engine": grid.engine.name, "inputs": _references(pinned, inputs), "params": params}
            )
        problem = replace(bases[key], params=validate_params(grid.engine.Params, params), seed=cell[SEED])
        planning.check(problem)
    except BusyError:  # nothing is wrong with the cell
        raise
    except ProblemError as error:
        raise CellError.in_cell(error, _varying(cell, grid)) from error
    return problem


def _references(pinned: Mapping[str, Mapping[str, Document]], inputs: Mapping[str, str]) -> dict[str, Any]:
    return {
        slot: {"slug": slug.partition("@")[0], "version": pinned[slot][slug].version} for slot, slug in inputs.items()
    }


def _varying(cell: Cell, grid: Grid) -> dict[str, Any]:
    """Return the cell without what is the same in every cell; all of it where the grid is one cell."""
    return {axis.name: cell[axis.name] for axis in grid.varying or grid.axes}


def _refuse_twin(places: dict[str, Cell], digest: str, cell: Cell, axes: tuple[Axis, ...]) -> None:
    if digest not in places:
        places[digest] = cell
        return
    other = places[digest]
    wrong = next((axis.name for axis in axes if other[axis.name] != cell[axis.name]), axes[0].name)
    field = "seeds" if wrong == SEED else wrong
    reason = f"It computes the same as {cell_words(other, axes)}."
    twin = "a value that makes another problem"
    raise CellError(field, cell[wrong], twin, {axis.name: cell[axis.name] for axis in axes}, reason=reason)


def _plan(problem: Problem, cell: Cell) -> Plan:
    """Return the plan of a problem.

    Raises:
        BusyError, CellError: nobody can plan it now, or it cannot be run.
    """
    try:
        return planning.plan_of(problem)
    except BusyError:
        raise
    except ProblemError as error:
        raise CellError.in_cell(error, cell) from error

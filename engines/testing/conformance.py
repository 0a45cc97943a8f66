"""Conformance checks of an engine, for the suite and for an engine's own tests. A failed check raises AssertionError."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from engines.contract.designs import Designs, canonical_json
from engines.contract.encoding.result_json import equal, from_json, result_from_bytes, result_to_bytes, to_json
from engines.contract.engine import Engine, Executor, FileStore, Infeasibility, Plan, Problem, Resume, Step
from engines.contract.metric_breakdowns import MetricBreakdown
from engines.contract.parameter_fields import Tier
from engines.contract.quantities import SHARE, by_name, objectives_of
from engines.contract.questions import QUESTIONS
from engines.contract.results import (
    CATALOGUE,
    HYPERVOLUME,
    Breakdown,
    ChipletGrid,
    Curve,
    Note,
    Result,
    Schedule,
    Trace,
)
from engines.exchange.export import chrome_trace
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.editing import edited
from engines.running.files import MemoryFileStore
from engines.running.inspection import evaluate, explain
from engines.running.inspection import plan as plan_of
from engines.running.runner.client import RunnerProcess
from engines.running.runner.frame_parts import unpack_designs
from engines.running.runner.protocol import FilePart, StepFrame
from engines.testing.trace_events import check_trace
from engines.why.composition import parts_of

UNIT_ENDINGS = {
    "s": ("_s",),
    "J": ("_j",),
    "J·s": ("_js",),
    "B": ("_bytes",),
    "MB": ("_mb",),
    "W": ("_w",),
    "mm²": ("_mm2",),
    SHARE: ("_fraction",),
}
Totals = Callable[[tuple[Result, ...]], Mapping[str, float]]


def usual_totals(engine: Engine, results: tuple[Result, ...]) -> Mapping[str, float]:
    """Return column -> total in `results`: the end of a schedule in seconds, the sum of a breakdown in joules.

    The columns are those of the engine's `breakdowns`, by default latency and energy. A breakdown whose other bars are for
    comparison has no total.
    """
    declared = {each.result: "" if each.bar else each.column for each in reversed(engine.breakdowns)}
    left = {quantity.name for quantity in engine.quantities} - set(declared.values())
    totals: dict[str, float] = {}
    for result in results:
        if isinstance(result, Schedule):
            column = declared.get(result.name, "latency_s" if "latency_s" in left else "")
            totals[column] = max(window.end_s for window in result.windows)
            assert float(result.bar_end_s.max()) <= totals[column] * (1 + 1e-9)
        elif isinstance(result, Breakdown) and result.unit == "J":
            totals[declared.get(result.name, "energy_j" if "energy_j" in left else "")] = float(result.values.sum())
    return {column: total for column, total in totals.items() if column}


@dataclass(frozen=True)
class TinyProblem:
    """An engine's problem that runs in about a second.

    Attributes:
        problem: a problem with at least four steps, if the engine can make as many in this time.
        impossible: a problem whose limits no design can meet; None for an engine without limits.
        totals: results of `explain` -> column -> total that they show; None for `usual_totals`.
    """

    problem: Problem
    impossible: Problem | None = None
    totals: Totals | None = None

    @property
    def engine(self) -> Engine:
        """The registered engine of the problem."""
        return get_engine(self.problem.engine)


class ShufflingExecutor:
    """An executor that computes a batch backwards, one item at a time, which reveals results that depend on order or split."""

    def map(self, function: Callable[..., Any], shared: Any, batch: Sequence[Any]) -> list[Any]:
        """Return the same list as `Executor.map`, computed from the last item to the first."""
        return list(reversed([function(shared, item) for item in reversed(list(batch))]))


@dataclass(frozen=True)
class KeptRun:
    """A step, and a copy of the run's files right after it."""

    step: Step
    files: MemoryFileStore


class Unbroken(list[Step]):
    """The list of steps of an uninterrupted run, with the stored state after each, which survives a kill at that moment."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[KeptRun] = []


def run_all(tiny: TinyProblem, executor: Executor | None = None, problem: Problem | None = None) -> Unbroken:
    """Run a problem in this process without interruption, and return its steps."""
    one, found, files = problem or tiny.problem, Unbroken(), MemoryFileStore()
    for step in drive(tiny.engine, one, LocalContext(one, executor, files=files)):
        found.append(step)
        found.kept.append(KeptRun(replace(step, designs=deepcopy(step.designs)), deepcopy(files)))
    return found


def designs_of(steps: Sequence[Step]) -> Designs:
    """Return all designs that the steps reported, as one set."""
    return Designs.concatenate([step.designs for step in steps if step.designs is not None])


def values_of(steps: Sequence[Step]) -> list[str]:
    """Return all values of the steps that a user can see, as comparable texts."""
    return [
        canonical_json(
            {
                "fraction": step.fraction,
                "metrics": to_json(dict(step.metrics)) | {k: repr(v) for k, v in step.metrics.items()},
                "results": [to_json(result) for result in step.results],
                "files": [(file.name, file.media_type, file.data.hex()) for file in step.files],
            }
        )
        for step in steps
    ]


def check_declaration(engine: Engine) -> None:
    """Check that name, texts, inputs, quantities, limits and parameters are fit for forms, tables and the command line."""
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", engine.name)
    assert engine.title and engine.summary and engine.source
    assert engine.question in QUESTIONS, engine.question
    assert engine.version == int(engine.version) >= 1
    for slot, kind in engine.inputs.items():
        assert slot.isidentifier() and kind.title and kind.help
    check_quantities(engine)
    check_limits(engine)
    check_params(engine)


def check_quantities(engine: Engine) -> None:
    """Check that column names are unique, valid and end in their unit, and that every objective has a sense; there must be one."""
    for name, quantity in by_name(engine.quantities).items():
        assert name.isidentifier() and name == name.lower(), name
        assert quantity.title and quantity.help, f"{name} needs a title and a help text"
        for ending in UNIT_ENDINGS.get(quantity.unit, ()):
            assert name.endswith(ending), f"{name} is in {quantity.unit} and must end in {ending}"
        assert quantity.role != "objective" or quantity.sense != "none", f"{name} is an objective without a sense"
    assert objectives_of(engine.quantities)


def check_limits(engine: Engine) -> None:
    """Check that every limit names an existing parameter with the same unit, and existing columns."""
    columns, declared = by_name(engine.quantities), engine.Params.model_json_schema()["properties"]
    for limit in engine.limits:
        assert declared[limit.param].get("unit") == limit.unit, limit
        assert {limit.column, limit.per} - {""} <= set(columns), limit
        assert limit.scale != 1 or limit.per or limit.unit in (columns[limit.column].unit, "PEs", "changes"), limit


def check_params(engine: Engine) -> None:
    """Check that every parameter has title, description, default and a known tier, and every number a lower bound."""
    for name, schema in engine.Params.model_json_schema()["properties"].items():
        assert schema.get("title") and schema.get("description"), f"{name} needs a title and a description"
        assert "default" in schema, f"{name} needs a default"
        assert schema.get("tier", "usual") in get_args(Tier) and "advanced" not in schema, (
            f"{name}: tier is one of {Tier}"
        )
        variants = [schema, *schema.get("anyOf", [])]
        if any(v.get("type") in ("integer", "number") for v in variants):
            assert any("minimum" in v or "exclusiveMinimum" in v for v in variants), f"{name} needs a lower bound"


def check_plan(tiny: TinyProblem) -> None:
    """Check that a plan has positive evaluations and memory, a range of times, known needs, and bounds in the unit of columns."""
    plan = plan_of(tiny.problem, tiny.engine)
    check_lines(plan)
    limited = {limit.column for limit in tiny.engine.limits}
    low, high = plan.time_s
    assert plan.evaluations >= 1 and plan.memory_mb > 0 and 0 <= low <= high
    assert plan.needs <= {"torch", "gpu", "data"}
    quantities = {quantity.name: quantity for quantity in tiny.engine.quantities}
    for bound in plan.bounds:
        quantity = quantities.get(bound.column or "")
        assert bound.column is None or quantity is not None, bound
        assert quantity is None or quantity.unit == bound.unit, bound
        assert quantity is None or quantity.sense != "none" or bound.column in limited, bound
    assert tiny.engine.primary_metric(tiny.problem) in by_name(tiny.engine.quantities)


def check_lines(plan: Plan) -> None:
    """Check that a plan lists no check twice."""
    lines = [check.text for check in plan.checks]
    assert len(set(lines)) == len(lines), f"The plan lists a check twice: {lines}"


def check_repeats(tiny: TinyProblem, executor: Executor | None = None, unbroken: Sequence[Step] | None = None) -> None:
    """Check that a second run gives equal values, also on another `executor`; `unbroken` are the steps of a first one."""
    first, second = unbroken or run_all(tiny), run_all(tiny, executor)
    assert designs_of(first).equals(designs_of(second))
    assert values_of(first) == values_of(second)


def stopping_points(steps: Sequence[Step]) -> list[int]:
    """Return the indices of up to four steps with a checkpoint: the first, middle, last but one and last.

    The last one is included because a worker may die after it is stored and before the run is marked as done.
    """
    able = [index for index, step in enumerate(steps) if step.checkpoint is not None]
    return sorted({able[0], able[len(able) // 2], able[max(0, len(able) - 2)], able[-1]}) if able else []


def check_resume(tiny: TinyProblem, unbroken: Unbroken, stop_after: int) -> None:
    """Check that a run killed after step `stop_after` and continued from its checkpoint equals the uninterrupted run."""
    before = [each.step for each in unbroken.kept[: stop_after + 1]]
    assert before[-1].checkpoint is not None
    _check_continued(tiny, unbroken, before, deepcopy(unbroken.kept[stop_after].files))


def check_stop(tiny: TinyProblem, unbroken: Unbroken, stop_after: int, polls: int) -> None:
    """Check that a run stopped after step `stop_after` and continued from its last checkpoint equals the uninterrupted run.

    The stopped attempt itself starts from the last checkpoint before this step, if there is one.

    Args:
        tiny: problem of the engine.
        unbroken: its uninterrupted run.
        stop_after: index of the step after which the stop is requested.
        polls: number of calls of `Context.stop_requested` that still return False, so that the stop comes during work.
    """
    begun = max((index for index, step in enumerate(unbroken[:stop_after]) if step.checkpoint is not None), default=-1)
    before = [each.step for each in unbroken.kept[: begun + 1]]
    files, stop = deepcopy(unbroken.kept[begun].files) if before else MemoryFileStore(), _LateStop(polls)
    context = LocalContext(tiny.problem, files=files, stop=stop.requested)
    driven = drive(tiny.engine, tiny.problem, context, _resume(tiny, before) if before else None)
    for index, step in enumerate(driven, start=len(before)):
        before.append(step)
        if index == stop_after:
            stop.asked = True
    assert driven.ending == ("done" if before[-1].fraction == 1.0 else "stopped")
    kept = before[: 1 + max((index for index, step in enumerate(before) if step.checkpoint is not None), default=-1)]
    if kept:
        _check_continued(tiny, unbroken, kept, files)


class _LateStop:
    """A stop request that becomes visible after `polls` further calls."""

    def __init__(self, polls: int) -> None:
        self.asked = False
        self._polls = polls

    def requested(self) -> bool:
        """Return whether a stop was requested (`Context.stop_requested`)."""
        if not self.asked:
            return False
        self._polls -= 1
        return self._polls < 0


def _check_continued(tiny: TinyProblem, unbroken: Sequence[Step], before: Sequence[Step], files: FileStore) -> None:
    """Check that a run continued after the steps `before`, with their designs and `files`, equals the uninterrupted run."""
    driven = drive(tiny.engine, tiny.problem, LocalContext(tiny.problem, files=files), _resume(tiny, before))
    after = list(driven)
    assert driven.ending == "done"
    assert designs_of([*before, *after]).equals(designs_of(unbroken))
    assert values_of([*before, *after])[-1] == values_of(unbroken)[-1]


def _resume(tiny: TinyProblem, before: Sequence[Step]) -> Resume:
    checkpoint = before[-1].checkpoint
    assert checkpoint is not None
    stored = [step.designs for step in before if step.designs is not None]
    return Resume(checkpoint, Designs.concatenate([Designs.empty(tiny.engine.quantities), *stored]))


def check_child(tiny: TinyProblem, unbroken: Sequence[Step]) -> None:
    """Check that a run killed in a child process after its first checkpoint and continued in another finds the same designs."""
    if not stopping_points(unbroken):
        frames, status = _run_in_child(tiny, None, MemoryFileStore(), stop_at_checkpoint=False)
        _same_designs(frames, unbroken, status)
        return
    files = MemoryFileStore()  # outlives the first child, as the database does
    frames, _ = _run_in_child(tiny, None, files, stop_at_checkpoint=True)
    # Later ones may have come before the kill, even all of them.
    first = next(index for index, frame in enumerate(frames) if frame.checkpoint is not None)
    kept = frames[: first + 1]
    chunks = [chunk for frame in kept for chunk in frame.designs]
    checkpoint = kept[-1].checkpoint
    assert checkpoint is not None
    designs = unpack_designs(chunks) or Designs.empty(tiny.engine.quantities)
    rest, status = _run_in_child(tiny, Resume(checkpoint, designs), files, stop_at_checkpoint=False)
    _same_designs([*kept, *rest], unbroken, status)


def _run_in_child(
    tiny: TinyProblem, resume: Resume | None, files: MemoryFileStore, stop_at_checkpoint: bool
) -> tuple[list[StepFrame], str]:
    frames: list[StepFrame] = []
    pieces: list[bytes] = []
    with RunnerProcess(tiny.problem, resume, files=files) as process:
        for frame in process.frames(1.0):
            if isinstance(frame, FilePart):
                pieces = [*pieces, frame.data] if frame.part else [frame.data]
                files.put(b"".join(pieces))
            if isinstance(frame, StepFrame):
                frames.append(frame)
                if stop_at_checkpoint and frame.checkpoint is not None:
                    process.kill()
        ending = process.ending
    assert ending.reason in ("", "killed"), ending.message
    return frames, ending.status


def _same_designs(frames: Sequence[StepFrame], unbroken: Sequence[Step], status: str) -> None:
    assert status == "done"
    found = unpack_designs([chunk for frame in frames for chunk in frame.designs])
    assert found is not None and found.equals(designs_of(unbroken))
    results = {entry.name: result_from_bytes(entry.content) for frame in frames for entry in frame.results}
    for result in (result for step in unbroken for result in step.results):
        if result.name in results and result is _last_of(unbroken, result.name):
            assert equal(results[result.name], result)


def _last_of(steps: Sequence[Step], name: str) -> Result:
    return [result for step in steps for result in step.results if result.name == name][-1]


def check_evaluate(tiny: TinyProblem, designs: Designs) -> None:
    """Check that `evaluate` returns the stored columns for stored decisions, before and after a round trip through storage."""
    stored = Designs.from_tables(designs.scalars_table(), designs.decisions_table())
    again = evaluate(tiny.problem, stored.decisions)
    assert len(again) == len(designs)
    for quantity in tiny.engine.quantities:
        np.testing.assert_array_equal(again.columns[quantity.name], designs.columns[quantity.name], quantity.name)


def check_edits(tiny: TinyProblem, designs: Designs, picks: int = 2, places: int = 3) -> None:
    """Check that a design shows its stored metrics, that a reversed edit restores it, and that refusals state a reason."""
    for index in np.unique(np.linspace(0, len(designs) - 1, picks).astype(int)):
        found = edited(tiny.engine, tiny.problem, designs.decisions[index], [])
        assert found["boards"] is not None
        _same_columns(found["columns"], {name: values[index] for name, values in designs.columns.items()})
        pieces = [piece["name"] for board in found["boards"] for piece in board["pieces"]]
        assert pieces and len(set(pieces)) == len(pieces)
        for board in found["boards"]:
            names = [place["name"] for place in board["places"]]
            assert len(set(names)) == len(names) and {piece["place"] for piece in board["pieces"]} <= set(names)
            for piece in board["pieces"][:2]:
                for place in [name for name in names if name != piece["place"]][:places]:
                    _check_move(tiny, found, piece, place)


def _check_move(tiny: TinyProblem, found: Mapping[str, Any], piece: Mapping[str, Any], place: str) -> None:
    there = edited(tiny.engine, tiny.problem, found["decision"], [(piece["name"], place)])
    if not there["taken"]:
        assert there["why_not"] and there["boards"] == found["boards"]
        return
    moved = [one for board in there["boards"] for one in board["pieces"] if one["name"] == piece["name"]]
    assert not moved or moved[0]["place"] == place
    back = edited(tiny.engine, tiny.problem, there["decision"], [(piece["name"], piece["place"])])
    if back["boards"] == found["boards"]:  # what lies along no line of places, or was joined, has no way back
        _same_columns(back["columns"], found["columns"])


def _same_columns(one: Mapping[str, float], other: Mapping[str, float]) -> None:
    for name, value in one.items():
        np.testing.assert_array_equal(value, other[name], name)


def check_explain(tiny: TinyProblem, designs: Designs, picks: int = 5) -> None:
    """Check that `explain` shows totals equal to the stored columns and the declared results, unchanged by storage."""
    given: set[type[Result]] = set()
    shown: set[MetricBreakdown] = set()
    for index in np.unique(np.linspace(0, len(designs) - 1, picks).astype(int)):
        results = explain(tiny.problem, designs.decisions[index])
        for schedule in (each for each in results if isinstance(each, Schedule)):
            check_trace(chrome_trace(schedule))
        assert len({result.name for result in results}) == len(results)
        check_results(results)
        given |= {type(result) for result in results}
        totals = tiny.totals(results) if tiny.totals else usual_totals(tiny.engine, results)
        composed = composed_shown(tiny, results, designs, index)
        assert totals or composed, "explain shows no total that could be compared"
        for name, total in totals.items():
            np.testing.assert_allclose(total, designs.columns[name][index], rtol=1e-9, err_msg=name)
        shown |= composed
    check_explained_types(tiny, given)
    never = [composed for composed in tiny.engine.breakdowns if composed not in shown]
    assert not never, f"no design shows {never}"


def composed_shown(
    tiny: TinyProblem, results: tuple[Result, ...], designs: Designs, index: int
) -> set[MetricBreakdown]:
    """Return the declared breakdowns that `results` contain, and check that each adds up to its column of the design at `index`."""
    shown: set[MetricBreakdown] = set()
    for composed in tiny.engine.breakdowns:
        with suppress(LookupError):
            total = sum(parts_of(composed, results).values())
            np.testing.assert_allclose(total, designs.columns[composed.column][index], rtol=1e-8, err_msg=str(composed))
            shown.add(composed)
    return shown


def check_explained_types(tiny: TinyProblem, given: set[type[Result]]) -> None:
    """Check that `explain` returned only declared types of results, and all declared types with a tab of their own."""
    declared = tiny.engine.result_types_of(tiny.problem)
    if declared is None:  # it says nothing
        return
    undeclared, never = given - set(declared), {ChipletGrid, Schedule, Trace} & set(declared) - given
    assert not undeclared, f"explain gives {_names(undeclared)}, which `result_types` does not name"
    assert not never, f"`result_types` names {_names(never)}, which explain never gives here"


def _names(types: set[type[Result]]) -> str:
    return ", ".join(sorted(each.__name__ for each in types))


def check_results(results: Sequence[Result]) -> None:
    """Check that results survive JSON and bytes unchanged, that roles fit their types, and that `belongs_to` names a result."""
    places = {HYPERVOLUME, CATALOGUE, *(result.name for result in results)}
    for result in results:
        assert not result.role or isinstance(result, Curve if result.role == "progress" else Note), result.name
        assert not result.belongs_to or result.belongs_to in places, result.name
        assert not isinstance(result, Note) or "\n" not in result.text or result.role == "document", result.name
        assert equal(from_json(to_json(result)), result)
        assert equal(result_from_bytes(result_to_bytes(result)), result)


def check_impossible(tiny: TinyProblem) -> Infeasibility:
    """Check that an infeasible problem ends with an infeasibility that states a remedy; return it."""
    assert tiny.impossible is not None
    check_lines(plan_of(tiny.impossible, tiny.engine))
    steps = run_all(tiny, problem=tiny.impossible)
    infeasible = steps[-1].infeasible
    assert infeasible is not None
    assert infeasible.limit and infeasible.gap > 0
    assert np.isclose(abs(infeasible.demand - infeasible.bound), infeasible.gap)
    assert all(text and field_name for text, field_name in infeasible.remedies) and infeasible.remedies
    return infeasible

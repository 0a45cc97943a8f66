"""Pure reads of runs, for pages, API, exports and commands. The caller has asked `service.get_run` for the run.

Only the columns and chunks that are asked for are read and parsed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from django.db.models import Max, QuerySet

from engines.contract.designs import canonical_json, table_from_bytes
from engines.contract.engine import Problem
from engines.contract.non_dominated import non_dominated
from engines.contract.quantities import Quantity, objectives_of
from engines.contract.result_json import from_json
from engines.contract.results import Result
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.inspection import run_quantities
from engines.running.runner.asking import explain_in_child
from webapp.runs import curves, problems
from webapp.runs.import_mark import checked_words
from webapp.runs.models import Checkpoint, DesignChunk, LogLine, Run, RunResult
from webapp.teams.prepared import PreparedQuery

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

problem_of = problems.problem_of
convergence = curves.convergence


@dataclass(frozen=True)
class DesignTable:
    """Designs of a run as columns, without their nested decisions.

    Attributes:
        index: number of each design within its run, int64 of shape `n`.
        columns: column name -> float64 array of shape `n`.
        found_at_evaluation: int64 of shape `n`.
        origin, label: `n` strings.
        last_chunk: pass it as `after_chunk` to read only what is newer. It counts the designs read so far.
    """

    index: IntArray
    columns: Mapping[str, FloatArray]
    found_at_evaluation: IntArray
    origin: tuple[str, ...]
    label: tuple[str, ...]
    last_chunk: int

    def __len__(self) -> int:
        return len(self.index)

    def matrix(self, names: Sequence[str]) -> FloatArray:
        """The named columns side by side, shape `n x len(names)`."""
        return np.column_stack([self.columns[name] for name in names]) if names else np.empty((len(self), 0))

    def take(self, rows: Sequence[int] | npt.NDArray[Any]) -> DesignTable:
        """The given rows (positions in this table, not numbers of designs), in that order."""
        picked = np.asarray(rows, dtype=np.int64)
        return DesignTable(
            index=self.index[picked],
            columns={name: values[picked] for name, values in self.columns.items()},
            found_at_evaluation=self.found_at_evaluation[picked],
            origin=tuple(self.origin[i] for i in picked),
            label=tuple(self.label[i] for i in picked),
            last_chunk=self.last_chunk,
        )


# -- designs ----------------------------------------------------------------------------------------------------------


def load_designs(run: Run, columns: Sequence[str] | None = None, after_chunk: int = 0) -> DesignTable:
    """Designs in the order of being found.

    Args:
        run: which run.
        columns: only these quantities; all by default.
        after_chunk: `last_chunk` of what the caller has already; only newer designs are read.
    """
    names = [quantity.name for quantity in quantities_of(run) if columns is None or quantity.name in columns]
    return load_columns(run.pk, names, after_chunk)


def load_columns(run_id: int, names: Sequence[str], after_chunk: int = 0) -> DesignTable:
    """`load_designs` for whoever knows what the run's columns are called."""
    wanted = (*names, "found_at_evaluation", "origin", "label")
    tables, starts, last = [], [], after_chunk
    for number, first, data in _CHUNKS.rows(run_id, after_chunk):
        table = table_from_bytes(bytes(data), wanted)
        # Small chunks are merged while a run goes on: of a merged one, only the newer end is news.
        known = max(0, after_chunk - first)
        tables.append(table.slice(known))
        starts.append(first + known)
        last = number
    return _design_table(names, tables, starts, last)


def stored_count(run_id: int) -> int:
    """How many designs the run has now."""
    return DesignChunk.objects.filter(run=run_id).aggregate(last=Max("number"))["last"] or 0


def _chunks_after(run_id: int, number: int) -> QuerySet[Any, Any]:
    rows = DesignChunk.objects.filter(run=run_id, number__gt=number).order_by("number")
    return rows.values_list("number", "first_index", "scalars")


_CHUNKS = PreparedQuery(_chunks_after, int, int)


def _design_table(names: Sequence[str], tables: Sequence[Any], starts: Sequence[int], last: int) -> DesignTable:
    def joined(name: str, dtype: Any) -> Any:
        parts = [table[name].to_numpy() for table in tables if name in table.column_names]
        return np.concatenate(parts).astype(dtype, copy=False) if parts else np.empty(0, dtype)

    indices = [np.arange(start, start + table.num_rows) for start, table in zip(starts, tables, strict=True)]
    return DesignTable(
        index=np.concatenate(indices).astype(np.int64) if indices else np.empty(0, np.int64),
        columns={name: joined(name, np.float64) for name in names},
        found_at_evaluation=joined("found_at_evaluation", np.int64),
        origin=_texts(tables, "origin"),
        label=_texts(tables, "label"),
        last_chunk=last,
    )


def _texts(tables: Sequence[Any], name: str) -> tuple[str, ...]:
    # Through an object array: ten times as fast as Arrow's own lists of text.
    return tuple(text for table in tables for text in table[name].to_numpy().tolist())


def load_decision(run: Run, index: int) -> dict[str, Any]:
    """The nested decision of one design.

    Raises:
        LookupError: the run has no design of that number.
    """
    import json

    chunk = (
        DesignChunk.objects.filter(run=run, first_index__lte=index, number__gt=index)
        .values_list("first_index", "decisions")
        .first()
        if index >= 0
        else None
    )
    if chunk is None:
        raise LookupError(f"Run {run.pk} has designs 0 to {run.design_count - 1}. Got {index}.")
    text = table_from_bytes(bytes(chunk[1]))["decision"][index - chunk[0]].as_py()
    return cast(dict[str, Any], json.loads(text))


def load_decisions(run: Run) -> list[str]:
    """Every decision as canonical JSON text, in the order of being found (for exports)."""
    rows = DesignChunk.objects.filter(run=run).order_by("number").values_list("decisions", flat=True)
    return [text for data in rows for text in table_from_bytes(bytes(data))["decision"].to_pylist()]


def front_indices(run: Run) -> IntArray:
    """Numbers of the non-dominated designs, baselines left out, ascending."""
    names = [quantity.name for quantity in quantities_of(run) if quantity.role in ("objective", "constraint")]
    table = load_designs(run, names)
    return table.index[front_mask(run, table)]


def front_mask(run: Run, table: DesignTable) -> BoolArray:
    """Which rows of `table` are non-dominated among those that meet every constraint, bool of shape `n`.

    Baselines take no part: the front tells what was found, and they are compared with it. The table needs the columns of
    objectives and constraints.
    """
    objectives = objectives_of(quantities_of(run))
    meets = meets_constraints(run, table) & np.array([origin != "baseline" for origin in table.origin], dtype=bool)
    values = np.where(meets[:, None], table.matrix([q.name for q in objectives]), np.nan)
    return non_dominated(values, [q.sense for q in objectives])


def meets_constraints(run: Run, table: DesignTable) -> BoolArray:
    """Which rows of `table` meet every constraint, bool of shape `n`; the table needs their columns."""
    meets = np.ones(len(table), dtype=bool)
    for name in constraint_names(run):
        meets &= table.columns[name] >= 0
    return meets


def constraint_names(run: Run) -> list[str]:
    """The columns that tell whether a design is allowed."""
    return [quantity.name for quantity in quantities_of(run) if quantity.role == "constraint"]


def thin(table: DesignTable, keep: BoolArray | None = None, limit: int = 20_000, seed: int = 0) -> DesignTable:
    """At most `limit` designs: all those of `keep`, all baselines and users' designs, and a seeded sample of the rest.

    Args:
        table: the designs.
        keep: bool of shape `n`, the non-dominated ones (`front_mask`); they stay even where they alone exceed the limit.
        limit: how many designs.
        seed: of the sample, so that the same designs stay from one call to the next.
    """
    if len(table) <= limit:
        return table
    must = np.array([origin != "search" for origin in table.origin], dtype=bool)
    if keep is not None:
        must |= keep
    rest = np.flatnonzero(~must)
    room = max(0, limit - int(must.sum()))
    sample = np.random.default_rng(seed).permutation(rest)[:room]
    return table.take(np.sort(np.concatenate([np.flatnonzero(must), sample])))


# -- what a run shows -------------------------------------------------------------------------------------------------


def quantities_of(run: Run) -> tuple[Quantity, ...]:
    """The quantities of the run's engine, in the engine's order, with the roles that the run's parameters give them."""
    return run_quantities(get_engine(run.engine), run.params)


def results(run: Run) -> dict[str, Result]:
    """The run's own results (not those of a picked design) by name, the newest of each."""
    newest = {row.name: row for row in RunResult.objects.filter(run=run).order_by("step_number")}
    return {name: from_json(newest[name].content) for name in sorted(newest)}


def result_steps(run: Run) -> dict[str, int]:
    """Name of each of the run's own results -> the step that brought its newest: what tells whether one has changed."""
    return dict(RunResult.objects.filter(run=run).order_by("name", "step_number").values_list("name", "step_number"))


def explain_design(run: Run, index: int) -> tuple[Result, ...]:
    """Grid, schedule and the rest for one stored design, kept for the next who asks.

    Computed here where that is known to be quick, else in the limited child.

    Raises:
        LookupError: the run has no design of that number.
        ProblemError: the installed engine has another version than the run's.
        BusyError, UnansweredError: the child could not answer.
    """
    return explain_decision(problems.pinned_problem(run), load_decision(run, index))


def explain_decision(problem: Problem, decision: Mapping[str, Any]) -> tuple[Result, ...]:
    """The results of one decision of a problem."""
    return _explained(_Question(problem, canonical_json(decision)))


@dataclass(frozen=True, eq=False)
class _Question:
    """Equal for equal problems and decisions, whichever run they belong to."""

    problem: Problem
    decision: str

    def _key(self) -> tuple[str, int, str]:
        return (_hash_of(self.problem), self.problem.version, self.decision)

    def __hash__(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Question) and self._key() == other._key()


@lru_cache(maxsize=256)
def _explained(question: _Question) -> tuple[Result, ...]:
    import json

    problem = question.problem
    decision = json.loads(question.decision)
    if set(problem.values) != set(problem.inputs):
        return explain_in_child(problem, decision)
    return get_engine(problem.engine).explain(problem, decision, LocalContext(problem))


_hashes: dict[int, tuple[Problem, str]] = {}


def _hash_of(problem: Problem) -> str:
    """`problem.hash()`, computed once per object: it serialises whole workloads."""
    known = _hashes.get(id(problem))
    if known is None or known[0] is not problem:
        if len(_hashes) > 256:
            _hashes.clear()
        known = _hashes[id(problem)] = (problem, problem.hash())
    return known[1]


# -- log and provenance -----------------------------------------------------------------------------------------------


def log_lines(run: Run, after: int = 0, limit: int = 1000) -> list[LogLine]:
    """Log lines with a number above `after`, oldest first; the newest `limit` of them."""
    newest = LogLine.objects.filter(run=run, number__gt=after).order_by("-number")[:limit]
    return list(reversed(newest))


def last_log_number(run: Run) -> int:
    """Number of the newest line of the log; 0 where there is none."""
    numbers = LogLine.objects.filter(run=run).order_by("-number").values_list("number", flat=True)
    return next(iter(numbers[:1]), 0)


def provenance(run: Run) -> dict[str, Any]:
    """Everything needed to repeat the run and to judge its figures, as JSON-able data."""
    engine = get_engine(run.engine)
    checkpoint = Checkpoint.objects.filter(run=run).defer("data").first()
    return {
        "run": run.pk,
        "title": run.title,
        "project": run.project.slug,
        "owner": run.owner.get_username(),
        "parent": run.parent_id,
        "imported": run.imported or None,
        "checked": checked_words(run),
        "problem": run.problem,
        "problem_hash": run.problem_hash,
        "engine": {
            "name": run.engine,
            "title": engine.title,
            "source": engine.source,
            "version": run.engine_version,
            "installed_version": engine.version,
        },
        "inputs": [
            {
                "slot": item.slot, "kind": item.kind, "slug": item.slug, "version": item.version, "hash": item.content_hash,
                "title": item.content.get("title", item.slug), "source": item.content.get("source", ""),
            }
            for item in run.inputs.all()
        ],
        "params": run.params,
        "seed": run.seed,
        "plan": run.plan,
        "platform": run.platform,
        "attempts": run.attempt,
        "stop_after_minutes": run.stop_after_minutes,
        "computed_s": run.computed_s,
        "attempt_reasons": run.attempt_reasons,
        "checkpoint_step": checkpoint.step_number if checkpoint else None,
        "created": run.created.isoformat(),
        "started": run.started.isoformat() if run.started else None,
        "finished": run.finished.isoformat() if run.finished else None,
    }  # fmt: skip

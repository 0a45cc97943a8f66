"""Pure reads of runs, for pages, API, exports and commands. The caller has asked `service.get_run` for the run.

Only the columns and chunks that are asked for are read and parsed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, cast

import pyarrow as pa
from django.db.models import Max, QuerySet

from engines.contract.bounded_cache import BoundedCache
from engines.contract.designs import FACTS, Designs, canonical_json, table_from_bytes
from engines.contract.encoding.result_json import from_json
from engines.contract.engine import Problem
from engines.contract.quantities import Quantity
from engines.contract.results import Result
from engines.registry import get_engine
from engines.running.inspection import explain, run_quantities
from engines.running.runner.limited_questions import explain_in_child
from webapp.runs.bundles.import_mark import checked_words
from webapp.runs.inputs import problems
from webapp.runs.models import Checkpoint, DesignChunk, LogLine, Run, RunResult
from webapp.runs.results import curves
from webapp.runs.storage.explanations import stored_explanation
from webapp.teams.prepared_queries import PreparedQuery

problem_of = problems.problem_of
convergence = curves.convergence


# -- designs ----------------------------------------------------------------------------------------------------------


def load_designs(run: Run, columns: Sequence[str] | None = None, after: int = 0) -> Designs:
    """Return the designs in the order of being found; their decisions are read when one is looked at.

    Args:
        run: the run.
        columns: only these quantities; all by default.
        after: number of designs that the caller has; only newer ones are read.
    """
    names = [quantity.name for quantity in quantities_of(run) if columns is None or quantity.name in columns]
    return load_columns(run.pk, names, after)


def load_columns(run_id: int, names: Sequence[str], after: int = 0) -> Designs:
    """Return `load_designs` for anyone who knows what the run's columns are called."""
    rows = _CHUNKS.rows(run_id, after)
    # Where more is to come, room for all of it is taken at once, and each table is let go as soon as its values are there.
    count = stored_count(run_id) - after if len(rows) == _CHUNKS_AT_ONCE else None
    tables = _tables(run_id, (*names, *FACTS), after, rows)
    return Designs.from_scalars(tables, names, lambda: load_decisions(run_id)[after:], count)


def _tables(run_id: int, columns: Sequence[str], seen: int, rows: list[tuple[Any, ...]]) -> Iterator[pa.Table]:
    while rows:
        more = len(rows) == _CHUNKS_AT_ONCE
        rows.reverse()
        for number, first, table in _unpacked(rows, columns):
            # Small chunks are merged while a run goes on: of a merged one, only the newer end is news.
            yield table.slice(max(0, seen - first))
            seen = number
        rows = _CHUNKS.rows(run_id, seen) if more else []


def _unpacked(rows: list[tuple[Any, ...]], columns: Sequence[str]) -> Iterator[tuple[int, int, pa.Table]]:
    """Yield number, first index and table of each, the last first; `rows` is emptied.

    Of many, one is unpacked while another is used.
    """

    def next_one() -> tuple[int, int, pa.Table]:
        number, first, data = rows.pop()
        return number, first, table_from_bytes(bytes(data), columns)

    if len(rows) < _CHUNKS_AT_ONCE:
        while rows:
            yield next_one()
        return
    with ThreadPoolExecutor(1, "unpacking") as beside:
        count, following = len(rows), beside.submit(next_one)
        for _ in range(count - 1):
            at_hand, following = following.result(), beside.submit(next_one)
            yield at_hand
        yield following.result()


def stored_count(run_id: int) -> int:
    """Return the present number of designs of the run."""
    return DesignChunk.objects.filter(run=run_id).aggregate(last=Max("number"))["last"] or 0


def _chunks_after(run_id: int, number: int) -> QuerySet[Any, Any]:
    rows = DesignChunk.objects.filter(run=run_id, number__gt=number).order_by("number")
    return rows.values_list("number", "first_index", "scalars")[:_CHUNKS_AT_ONCE]


# A few megabytes packed: most runs are read by one question, and a million designs without holding all of them twice.
_CHUNKS_AT_ONCE = 64
_CHUNKS = PreparedQuery(_chunks_after, int, int, large=True)


def load_decision(run: Run, index: int) -> dict[str, Any]:
    """Return the nested decision of one design.

    Raises:
        LookupError: the run has no design of that number.
    """
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


def load_decisions(run_id: int) -> list[str]:
    """Return every decision as canonical JSON text, in the order of being found."""
    rows = DesignChunk.objects.filter(run=run_id).order_by("number").values_list("decisions", flat=True)
    return [text for data in rows for text in table_from_bytes(bytes(data))["decision"].to_pylist()]


def decisions_at(run_id: int, numbers: Sequence[int]) -> list[str]:
    """Return the decisions of some designs as canonical JSON text, in the order asked for; only their chunks are read."""
    found: dict[int, str] = {}
    if numbers:
        rows = DesignChunk.objects.filter(run=run_id, first_index__lte=max(numbers), number__gt=min(numbers))
        for key, first, end in rows.order_by("number").values_list("pk", "first_index", "number"):
            wanted = [number for number in numbers if first <= number < end]
            if wanted:
                # One that was merged away a moment ago is there again at the next look.
                with suppress(DesignChunk.DoesNotExist):
                    texts = _texts_of_chunk(key).take([number - first for number in wanted])
                    found.update(zip(wanted, texts.to_pylist(), strict=True))
    return [found.get(number, "{}") for number in numbers]


def decisions_after(run_id: int, after: int) -> list[str]:
    """Return the decisions of all designs from number `after` on, as `load_decisions`."""
    rows = DesignChunk.objects.filter(run=run_id, number__gt=after).order_by("number")
    found: list[str] = []
    for first, data in rows.values_list("first_index", "decisions").iterator(1):
        found += table_from_bytes(bytes(data))["decision"].slice(max(0, after - first)).to_pylist()
    return found


def _texts_of_chunk(key: int) -> Any:
    def read() -> Any:
        data = DesignChunk.objects.values_list("decisions", flat=True).get(pk=key)
        return table_from_bytes(bytes(data))["decision"]

    return _decision_texts.made(key, read)


# By the chunk, which never changes: rows of a table that is scrolled and sorted are of the same few.
_decision_texts: BoundedCache[int, Any] = BoundedCache(256, 24 * 1024**2, lambda texts: texts.nbytes)


# -- what a run shows -------------------------------------------------------------------------------------------------


def quantities_of(run: Run) -> tuple[Quantity, ...]:
    """Return the quantities of the run's engine, in the engine's order, with the roles that the run's parameters give them."""
    return run_quantities(get_engine(run.engine), run.params)


def results(run: Run, names: Collection[str] | None = None) -> dict[str, Result]:
    """Return the run's own results (not those of a picked design) by name, the newest of each; `names`: only these."""
    rows = RunResult.objects.filter(run=run).order_by("step_number")
    newest = {row.name: row for row in (rows if names is None else rows.filter(name__in=names))}
    return {name: from_json(newest[name].content) for name in sorted(newest)}


def result_steps(run: Run) -> dict[str, int]:
    """Return name of each of the run's own results -> the step that brought its newest: what tells whether one has changed."""
    return dict(RunResult.objects.filter(run=run).order_by("name", "step_number").values_list("name", "step_number"))


def explain_design(run: Run, index: int) -> tuple[Result, ...]:
    """Return grid, schedule and the rest for one stored design, kept for the next who asks.

    As stored with the run; of other designs computed here where that is known to be quick, else in the limited child.

    Raises:
        LookupError: the run has no design of that number.
        ProblemError: the installed engine has another version than the run's.
        BusyError, UnansweredError: the child could not answer.
    """
    key = f"{run.pk}, {run.problem_hash}", run.attempt, str(index)
    stored = _explained.get(key) or stored_explanation(run.pk, index)
    if stored is not None:
        return _explained.put(key, stored)
    return explain_decision(problems.pinned_problem(run), load_decision(run, index))


def explain_decision(problem: Problem, decision: Mapping[str, Any]) -> tuple[Result, ...]:
    """Return the results of one decision of a problem, kept for whichever run asks for them again."""
    text = canonical_json(decision)
    return _explained.made((problem.hash(), problem.version, text), lambda: _explain(problem, json.loads(text)))


def _explain(problem: Problem, decision: Mapping[str, Any]) -> tuple[Result, ...]:
    if set(problem.values) != set(problem.inputs):
        return explain_in_child(problem, decision)
    return explain(problem, decision)


_explained: BoundedCache[tuple[str, int, str], tuple[Result, ...]] = BoundedCache(256)


# -- log and provenance -----------------------------------------------------------------------------------------------


def log_lines(run: Run, after: int = 0, limit: int = 1000) -> list[LogLine]:
    """Log lines with a number above `after`, oldest first; the newest `limit` of them."""
    newest = LogLine.objects.filter(run=run, number__gt=after).order_by("-number")[:limit]
    return list(reversed(newest))


def last_log_number(run: Run) -> int:
    """Return the number of the newest line of the log; 0 where there is none."""
    numbers = LogLine.objects.filter(run=run).order_by("-number").values_list("number", flat=True)
    return next(iter(numbers[:1]), 0)


def waits_for(run: Run) -> str:
    """Return the newest line of the log where it says what the run waits for; "" while it waits for nothing."""
    if run.status != Run.Status.RUNNING:
        return ""
    newest = LogLine.objects.filter(run=run).order_by("-number").first()
    return newest.text if newest is not None and newest.level == "waiting" else ""


def provenance(run: Run) -> dict[str, Any]:
    """Return everything needed to repeat the run and to judge its figures, as JSON-able data."""
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
        "measure": run.measure or None,
        "computed_s": run.computed_s,
        "attempt_reasons": run.attempt_reasons,
        "checkpoint_step": checkpoint.step_number if checkpoint else None,
        "created": run.created.isoformat(),
        "started": run.started.isoformat() if run.started else None,
        "finished": run.finished.isoformat() if run.finished else None,
    }  # fmt: skip

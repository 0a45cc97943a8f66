"""Designs of a run tried otherwise, in a child that has the problem ready: with one change, moved by hand, or on other hardware.

`open_designs` starts an interactive process (`engines.running.runner.interactive_process`), which answers questions of the kinds
below. Answers are JSON-able; a column of a design that is refused is NaN.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.designs import Decision, canonical_json
from engines.contract.engine import Document, Engine, Problem
from engines.contract.errors import DecisionError, ProblemError
from engines.cost.soc.decided_clocks import moved_clocks
from engines.documents.builtin import get_builtin
from engines.documents.families import family_of
from engines.documents.problems import with_document
from engines.registry import engine_path as path_of_engine
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.editing import edited
from engines.running.prepared_problems import ready_of
from engines.running.runner.frame_parts import pack_problem, unpack_problem
from engines.running.runner.protocol import Start
from engines.running.slack import evaluate_decisions
from engines.why.neighbours import borrowed, change_words, distinct

MOST_CHANGES = 400
_BATCH = 8
WHAT_IF = "what if: moved on the page of a run"
Columns = dict[str, FloatArray]


def opening_of(
    problem: Problem, front: Mapping[int, Decision], others: Sequence[Decision], memory_mb: float
) -> dict[str, Any]:
    """Return the start message of `open_designs` as JSON values.

    Args:
        problem: problem of the run; its documents need not have been loaded.
        front: number of a design -> its decision, of those that are tried on other hardware together.
        others: decisions of designs from which entries are taken over, where the engine knows no neighbours.
        memory_mb: memory limit of the child process.
    """
    start = pack_problem(problem, path_of_engine(problem.engine), memory_limit_mb=memory_mb)
    return {
        "problem": vars(start),
        "numbers": list(front),
        "front": [dict(each) for each in front.values()],
        "others": [dict(each) for each in others],
    }


def open_designs(opening: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    """Return the object that answers questions about designs of the problem.

    Raises:
        ProblemError: the engine refuses it.
    """
    return TriedDesigns(opening)


class TriedDesigns:
    """A problem that is ready, and designs of it.

    A question is {"what": "changes", "decision", "begin", "time_s"}, {"what": "hardware", "values", "decision", "front"} or
    {"what": "edit", "decision", "moves"}.
    """

    def __init__(self, opening: Mapping[str, Any]) -> None:
        start = Start(**opening["problem"])
        self._engine: Engine = get_engine(start.engine, start.engine_path)
        self._problem = unpack_problem(start)
        ready_of(self._engine, self._problem)
        self._numbers, self._front = opening["numbers"], opening["front"]
        self._others = opening["others"]
        self._changes: tuple[str, bool, list[Decision]] = ("", False, [])

    def __call__(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return answer, or {"refused": the field, what was got and what is accepted} where the engine takes no such hardware."""
        try:
            if question["what"] == "edit":
                return edited(self._engine, self._problem, question["decision"], question["moves"])
            return self._tried_changes(question) if question["what"] == "changes" else self._tried_on(question)
        except ProblemError as error:
            return {"refused": {**error.facts(), "got": str(error.got)}}

    # -- one change ---------------------------------------------------------------------------------------------------

    def _tried_changes(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the changes from number `begin` on, for about `time_s`: of each its words and columns, or why it is refused."""
        decision, at = question["decision"], int(question["begin"])
        own, changes = self._changes_of(decision)
        base, _ = scored(self._engine, self._problem, [decision])
        deadline = time.monotonic() + float(question["time_s"])
        tried: list[dict[str, Any]] = []
        while at < len(changes) and (not tried or time.monotonic() < deadline):
            batch = changes[at : at + _BATCH]
            columns, refused = scored(self._engine, self._problem, batch)
            for row, change in enumerate(batch):
                words = change_words(self._engine.decision_columns, decision, change)
                values = {name: float(column[row]) for name, column in columns.items()}
                tried.append({"words": words, "columns": values, "refused": refused.get(row, "")})
            at += len(batch)
        whole = {name: float(column[0]) for name, column in base.items()}
        return {"own": own, "total": len(changes), "next": at, "base": whole, "tried": tried}

    def _changes_of(self, decision: Decision) -> tuple[bool, list[Decision]]:
        """Return whether the engine itself knows them, and the changes; the same at every question about a decision."""
        key = canonical_json(decision)
        if self._changes[0] != key:
            own = self._engine.neighbours(self._problem, ready_of(self._engine, self._problem), decision)
            found = distinct(decision, borrowed(decision, self._others) if own is None else own)
            self._changes = (key, own is not None, list(islice(found, MOST_CHANGES)))
        return self._changes[1:]

    # -- other hardware -----------------------------------------------------------------------------------------------

    def _tried_on(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the design, and if asked for the front, with other figures: slot -> dotted key of its document -> value."""
        problem, front = self._problem, self._front
        decision = question.get("decision")
        for slot, values in question["values"].items():
            document = self._document(slot)
            content = family_of(document.content).moved(document.content, values, WHAT_IF)
            changed = Document(document.kind, document.slug, document.version, content)
            problem = with_document(self._engine, problem, slot, changed)
            front = [moved_clocks(each, document.content, content) for each in front]
            decision = None if decision is None else moved_clocks(decision, document.content, content)
        found: dict[str, Any] = {}
        if decision is not None:
            columns, refused = scored(self._engine, problem, [decision])
            found["design"] = {name: float(column[0]) for name, column in columns.items()}
            found["why_not"] = refused.get(0, "")
        if question.get("front"):
            columns, refused = scored(self._engine, problem, front)
            found["numbers"] = self._numbers
            found["front"] = {name: column.tolist() for name, column in columns.items()}
            found["lost"] = len(refused)
        return found

    def _document(self, slot: str) -> Document:
        """Return the document of a slot, or the one that the engine takes where it is empty."""
        given = self._problem.inputs.get(slot)
        if given is not None:
            return given
        slug = self._engine.chosen_inputs(self._problem).get(slot)
        if slug is None:
            accepted = f"one of the inputs {', '.join(self._problem.inputs) or '(none)'}"
            raise ProblemError("slot", slot, accepted)
        return get_builtin(self._engine.inputs[slot].kind, slug)


def scored(engine: Engine, problem: Problem, decisions: Sequence[Decision]) -> tuple[Columns, dict[int, str]]:
    """Return the columns of decisions, shape `n` each, and why some are refused: their values are NaN.

    Raises:
        ProblemError: the engine refuses the problem.
    """
    columns: Columns = {quantity.name: np.full(len(decisions), np.nan) for quantity in engine.quantities}
    refused: dict[int, str] = {}
    context = LocalContext(problem)

    def score(first: int, end: int) -> None:
        """Evaluate all at once; where one is refused, each half separately."""
        try:
            found = evaluate_decisions(engine, problem, decisions[first:end], context)
        except DecisionError as error:
            if end - first == 1:
                refused[first] = str(error)
                return
            middle = (first + end) // 2
            score(first, middle)
            score(middle, end)
            return
        for name, values in found.columns.items():
            columns[name][first:end] = values

    if decisions:
        score(0, len(decisions))
    return columns, refused

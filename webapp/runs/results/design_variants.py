"""Designs of a run tried otherwise: with one change, moved by hand, on other hardware. In a limited process; nothing is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.contract.designs import Decision
from engines.contract.errors import ProblemError
from engines.running.design_variants import opening_of
from engines.running.runner.interactive_process import InteractiveProcess, InteractiveProcesses, ProcessKey
from engines.running.runner.limited_process import ChildLimits
from engines.running.runner.protocol import InteractiveQuestion
from engines.running.runner.slots import who_asks
from webapp.runs.inputs.problems import pinned_problem
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.results.evaluation import memory_of

MOST_TOGETHER = 1000
MOST_BORROWED = 300
# Of one answer; processor time is that of a whole talk, which then begins anew.
_TIME_S, _CPU_S = 30.0, 300
_WORDS = "Trying designs"
_talks = InteractiveProcesses()


@dataclass(frozen=True)
class Population:
    """Which designs of a run are looked at, by number.

    Attributes:
        front: those that are tried on other hardware together, at most `MOST_TOGETHER`.
        others: those from which single entries are taken over, at most `MOST_BORROWED`.
    """

    front: Sequence[int]
    others: Sequence[int]


@dataclass(frozen=True)
class Change:
    """A design with one change: its figures, or why the engine refuses it."""

    words: str
    columns: Mapping[str, float]
    refused: str


@dataclass(frozen=True)
class Changes:
    """Some of the changes of a design.

    Attributes:
        own: whether the engine knows them itself; else they are taken over from other designs of the run.
        total: number of total.
        next: number of the first that was not tried yet; `total` where none is left.
        base: figures of the design itself.
        tried: these changes.
    """

    own: bool
    total: int
    next: int
    base: Mapping[str, float]
    tried: tuple[Change, ...]


@dataclass(frozen=True)
class MovedDesigns:
    """Designs on hardware with other figures.

    Attributes:
        design: figures of the design; empty where none was asked for.
        why_not: why the engine refuses it there, "" where it does not.
        numbers: numbers of the designs that were tried together; empty where they were not asked for.
        front: their columns; NaN where one is refused.
    """

    design: Mapping[str, float]
    why_not: str
    numbers: Sequence[int]
    front: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class DesignEdit:
    """A design after moves by hand, as `engines.running.editing.edited` tells it.

    Attributes:
        boards: boards of the edit; None if the engine supports none, and all else is empty then.
        columns: figures of the design.
        decision: decision of the design.
        params: with which a new run takes it up; empty where the engine knows no such thing.
        taken: how many of the moves were possible; `told` has what each of these changed, `change` what all of them did.
        why_not: accepted values of the first impossible move; "" if all were possible.
    """

    boards: Sequence[Mapping[str, Any]] | None
    columns: Mapping[str, float] = field(default_factory=dict)
    decision: Decision = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    taken: int = 0
    told: Sequence[str] = ()
    change: str = ""
    why_not: str = ""


def try_changes(run: Run, number: int, begin: int, time_s: float, population: Callable[[], Population]) -> Changes:
    """Return the changes of a design from number `begin` on, as many as fit into `time_s`.

    Raises:
        LookupError: the run has no design of that number.
        ProblemError: the installed engine has another version than the run's.
        BusyError, UnansweredError: the process could not answer.
    """
    decision = _decision(run, number)
    question = {"what": "changes", "decision": decision, "begin": begin, "time_s": time_s}
    found = _answer(run, population, question)
    tried = tuple(Change(**each) for each in found["tried"])
    return Changes(found["own"], found["total"], found["next"], found["base"], tried)


def try_on(
    run: Run,
    values: Mapping[str, Mapping[str, Any]],
    number: int | None,
    together: bool,
    population: Callable[[], Population],
) -> MovedDesigns:
    """Return a design, the designs of the front, or both, on hardware with other figures.

    Args:
        run: whose designs.
        values: slot -> dotted key of its document -> value.
        number: number of the design; None for none.
        together: whether those of the front are tried.
        population: which these are; asked for once per talk.

    Raises:
        LookupError, ProblemError, BusyError, UnansweredError: as `try_changes`; or the values make no valid document.
    """
    decision = None if number is None else _decision(run, number)
    question = {"what": "hardware", "values": values, "decision": decision, "front": together}
    found = _answer(run, population, question)
    return MovedDesigns(
        found.get("design", {}), found.get("why_not", ""), found.get("numbers", ()), found.get("front", {})
    )


def try_edit(run: Run, number: int, moves: Sequence[Sequence[str]], population: Callable[[], Population]) -> DesignEdit:
    """Return a design after moves: (name of a piece, name of a place) each.

    Raises:
        LookupError, ProblemError, BusyError, UnansweredError: as `try_changes`.
    """
    question = {"what": "edit", "decision": _decision(run, number), "moves": [list(move) for move in moves]}
    return DesignEdit(**_answer(run, population, question))


def _decision(run: Run, number: int) -> Decision:
    if not 0 <= number < run.design_count:
        raise LookupError(f"Run {run.pk} has designs 0 to {run.design_count - 1}. Got {number}.")
    (text,) = readers.decisions_at(run.pk, [number])
    found: Decision = json.loads(text)
    return found


def _answer(run: Run, population: Callable[[], Population], question: Mapping[str, Any]) -> Any:
    # Of a run that goes on, the front is that of when the talk began.
    about = f"{run.pk} {run.attempt} {run.engine_version} {run.active or run.design_count}"
    found = _talks.ask(ProcessKey(who_asks(), about), lambda: _begin(run, population()), question)
    if "refused" in found:
        raise ProblemError(**found["refused"])
    return found


def _begin(run: Run, population: Population) -> InteractiveProcess:
    numbers = list(population.front)[:MOST_TOGETHER]
    others = list(population.others)[:MOST_BORROWED]
    texts = readers.decisions_at(run.pk, [*numbers, *others])
    decisions: list[Decision] = [json.loads(text) for text in texts]
    front = dict(zip(numbers, decisions, strict=False))
    limits = ChildLimits(memory_of(run), _CPU_S, _TIME_S)
    opening = opening_of(pinned_problem(run), front, decisions[len(numbers) :], limits.memory_mb)
    content = json.dumps(opening, default=dict).encode()
    return InteractiveProcess(InteractiveQuestion("designs", content, limits.memory_mb, limits.cpu_s), limits, _WORDS)

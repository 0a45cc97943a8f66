"""A search that has designs of its own measured: what it asks for, what it makes of the answers, and that it goes on exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Decision, Designs
from engines.contract.engine import Problem, Resume, Step
from engines.contract.progress.measurements import Measurement
from engines.contract.results import Note, Result, Table
from engines.methods.hadas.engine import HadasEngine
from engines.running.context import LocalContext
from engines.running.driver import Drive, drive
from engines.running.inspection import evaluate
from engines.search.rank_agreement import rank_agreement
from tests.engines.methods.hadas.problems import single_problem, space_problem
from tests.support.memory_measurements import Answering, MemoryMeasurements
from tests.support.toy_engine import ToyEngine

ENGINE = HadasEngine()


@pytest.fixture(scope="module")
def space() -> Problem:
    return space_problem({"baselines": False, "compare": False})


def by_exits(number: int, decision: Decision) -> Measurement:
    """A machine on which every exit costs far more than anything predicts."""
    latency_s = 0.01 * 4.0 ** len(decision["exits"]) * (1 + sum(decision["backbone"]["depth"]) / 100)
    return Measurement(latency_s, 0.99 * latency_s, 1.01 * latency_s)


def deep_is_fast(number: int, decision: Decision) -> Measurement:
    return Measurement(10.0 ** (-sum(decision["backbone"]["depth"]) / 3))


def driven(
    problem: Problem,
    answering: Answering = by_exits,
    budget: int = 4,
    resume: Resume | None = None,
    **context: Any,
) -> tuple[Drive, MemoryMeasurements]:
    measurements = MemoryMeasurements(budget, answering)
    return drive(ENGINE, problem, LocalContext(problem, measurements=measurements, **context), resume), measurements


def designs_in(steps: list[Step]) -> Designs:
    return Designs.concatenate([step.designs for step in steps if step.designs is not None])


def told(steps: list[Step]) -> dict[str, Result]:
    return {each.name: each for step in steps for each in step.results if each.role == "measured"}


def table_of(steps: list[Step]) -> dict[str, Any]:
    table = told(steps)["measured-in-run"]
    assert isinstance(table, Table)
    return {column.title: column.values for column in table.table_columns}


def words_of(steps: list[Step]) -> str:
    note = told(steps)["measured-in-run-words"]
    assert isinstance(note, Note)
    return note.text


def test_the_budget_is_spent_over_the_run_and_told_apart_from_predictions(space: Problem) -> None:
    run, machine = driven(space)
    steps = list(run)
    assert run.ending == "done"
    numbers = [number for question in machine.asked for number in question]
    assert len(numbers) == len(set(numbers)) == 4 and len(machine.asked) > 1
    designs, table = designs_in(steps), table_of(steps)
    assert table["Design"].tolist() == numbers
    assert table["Predicted"].tolist() == designs.columns["latency_s"][numbers].tolist()
    expected = [by_exits(number, designs.decisions[number]).latency_s for number in numbers]
    assert table["Measured"].tolist() == expected
    again = evaluate(space, [designs.decisions[number] for number in numbers])
    np.testing.assert_allclose(again.columns["latency_s"], table["Predicted"], rtol=1e-12)
    assert "4 of 4 designs measured on test box, 1 thread" in words_of(steps) and "(fitted)" in words_of(steps)


def test_the_search_ranks_by_what_was_measured() -> None:
    """On a machine that runs deep networks fastest the second generation has other parents."""
    space = space_problem({"baselines": False, "compare": False, "population": 20, "evaluations": 60})
    plain = designs_in(list(drive(ENGINE, space, LocalContext(space))))
    steps = list(driven(space, deep_is_fast, budget=8)[0])
    corrected = designs_in(steps)
    same = [one == other for one, other in zip(plain.decisions, corrected.decisions, strict=False)]
    assert same[0] and not all(same), "alike until the first answers, and not after them"
    table = table_of(steps)
    titles = ("Measured", "Predicted", "Corrected by the others (fitted)")
    measured, predicted, fitted = (table[title].tolist() for title in titles)
    before, after = rank_agreement(predicted, measured), rank_agreement(fitted, measured)
    assert before is not None and after is not None and after > 0 > before


def test_without_a_budget_nothing_changes(space: Problem) -> None:
    run, machine = driven(space, budget=0)
    steps = list(run)
    assert not machine.asked and not told(steps)
    plain = list(drive(ENGINE, space, LocalContext(space)))
    assert [step.checkpoint for step in steps] == [step.checkpoint for step in plain]


def resumes(steps: list[Step]) -> Iterator[Resume]:
    for count, step in enumerate(steps, start=1):
        if step.checkpoint is not None:
            parts = [Designs.empty(ENGINE.quantities), *(each.designs for each in steps[:count] if each.designs)]
            yield Resume(step.checkpoint, Designs.concatenate(parts))


def test_whatever_ends_it_the_run_goes_on_with_the_same_answers(space: Problem) -> None:
    steps = list(driven(space)[0])
    whole, numbers, words = designs_in(steps), table_of(steps)["Design"].tolist(), words_of(steps)
    tried = 0
    for resume in resumes(steps):
        run, machine = driven(space, resume=resume)
        rest = list(run)
        found = [each.designs for each in rest if each.designs is not None]
        assert Designs.concatenate([resume.designs, *found]).equals(whole)
        asked = [number for question in machine.asked for number in question]
        assert asked == numbers[len(numbers) - len(asked) :], "what was answered is not asked again"
        assert not told(rest) or words_of(rest) == words
        tried += 1
    assert tried > 4


def test_a_machine_that_never_answers_is_given_up_and_the_run_says_so(space: Problem) -> None:
    lines: list[tuple[str, str]] = []
    run, machine = driven(
        space, lambda number, decision: None, log=lambda text, level="info": lines.append((level, text))
    )
    steps = list(run)
    assert run.ending == "done" and len(machine.asked) == 1
    (warning,) = [text for level, text in lines if level == "warning"]
    assert "did not answer in time" in warning and "requests no more" in warning
    assert table_of(steps)["Why not"] == ("Not answered in time",)
    plain = designs_in(list(drive(ENGINE, space, LocalContext(space))))
    assert designs_in(steps).equals(plain), "it goes on with predictions"


def test_what_cannot_be_measured_is_told_and_counts_as_asked(space: Problem) -> None:
    steps = list(driven(space, lambda number, decision: Measurement(None, trouble="no such operator"), budget=2)[0])
    assert table_of(steps)["Why not"] == ("no such operator",) * 2
    assert "2 could not be measured" in words_of(steps)


def test_a_stop_ends_it_while_it_waits(space: Problem) -> None:
    asked: list[int] = []

    def answering(number: int, decision: Decision) -> Measurement:
        asked.append(number)
        return by_exits(number, decision)

    run, machine = driven(space, answering, stop=lambda: len(asked) > 0)
    list(run)
    assert run.ending == "stopped" and len(machine.asked) == 1


def test_a_stop_after_the_search_leaves_a_run_that_is_done() -> None:
    """One network, whose search is over in a moment: what is left of the budget is asked for after it."""
    problem = single_problem({"baselines": False, "compare": False})
    machine = MemoryMeasurements(3, lambda number, decision: Measurement(0.02))
    over: list[bool] = []
    run = drive(ENGINE, problem, LocalContext(problem, measurements=machine, stop=lambda: bool(over)))
    for step in run:
        if step.fraction == 1.0 and not over and step.message.startswith("Waiting"):
            over.append(True)
    assert run.ending == "done"


def test_the_note_tells_what_changed(space: Problem) -> None:
    same = words_of(list(driven(space)[0]))
    assert "Prediction error: median" in same and "predicted designs on the front" in same
    other = MemoryMeasurements(4, by_exits, same_device=False)
    words = words_of(list(drive(ENGINE, space, LocalContext(space, measurements=other))))
    assert "Prediction error: median" not in words and "another device" in words


def test_engines_whose_designs_no_machine_runs_ask_for_nothing(problem: Problem) -> None:
    machine = MemoryMeasurements(3, by_exits)
    list(drive(ToyEngine(), problem, LocalContext(problem, measurements=machine)))
    assert not machine.asked

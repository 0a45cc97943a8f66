"""The suite itself: every check fails for an engine that breaks what it checks."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
import pytest
from pydantic import Field

from engines import registry
from engines.contract.designs import Decision, Decisions, Designs, FloatArray
from engines.contract.engine import Context, Engine, EngineParams, Problem, Recorder, Step
from engines.contract.errors import CheckpointError
from engines.contract.quantities import Quantity
from engines.contract.results import Breakdown, Note, Result, Schedule, Trace
from engines.testing import conformance
from engines.testing.conformance import TinyProblem
from tests.engines.tiny import toy_problem
from tests.support.toy_engine import ToyEngine, ToyParams, Weights


class CarelessEngine(ToyEngine):
    """Draws from a random generator of its own: every run differs."""

    name = "broken"
    random = np.random.default_rng()

    def run(self, problem: Problem[ToyParams], ready: Weights, record: Recorder) -> Iterator[Step]:
        for step in super().run(problem, ready, record):
            assert step.designs is not None
            noise = {name: values + self.random.random() for name, values in step.designs.columns.items()}
            changed = Designs(noise, step.designs.decisions, step.designs.found_at_evaluation, step.designs.origin)
            yield Step(**{**vars(step), "designs": changed})


class ForgetfulEngine(ToyEngine):
    """Continues with an empty archive."""

    name = "broken"

    def _restore(self, problem: Problem[ToyParams], record: Recorder) -> tuple[int, Any]:
        return super()._restore(problem, record)[0], np.full((1, 3), 0.5)


class HastyEngine(ToyEngine):
    """Asked to stop, leaves the rest of its batch out, with a checkpoint that says the batch is complete."""

    name = "broken"

    def run(self, problem: Problem[ToyParams], ready: Weights, record: Recorder) -> Iterator[Step]:
        for step in super().run(problem, ready, record):
            assert step.designs is not None
            if record.context.stop_requested():
                yield Step(**{**vars(step), "designs": step.designs.take([0])})
                return
            yield step


class EndlessEngine(ToyEngine):
    """Cannot continue where nothing is left to do."""

    name = "broken"

    def _restore(self, problem: Problem[ToyParams], record: Recorder) -> tuple[int, Any]:
        first, archive = super()._restore(problem, record)
        if first == problem.params.steps:
            raise IndexError("No step is left.")
        return first, archive


class FilingEngine(ToyEngine):
    """Keeps nothing but the key of a file in its checkpoints; right, as long as the files stay."""

    name = "broken"

    def _restore(self, problem: Problem[ToyParams], record: Recorder) -> tuple[int, Any]:
        if record.state is None:
            return super()._restore(problem, record)
        archive = np.frombuffer(record.context.files.get(record.state["key"])).reshape(-1, 3)
        return record.state["next_step"], archive

    def _state(self, record: Recorder, next_step: int, archive: FloatArray) -> Mapping[str, Any]:
        return {"next_step": next_step, "key": record.context.files.put(archive.tobytes())}


class LyingEngine(ToyEngine):
    """Explains a design with numbers of another, and evaluates one a little better than it is."""

    name = "broken"

    def explain(
        self, problem: Problem[ToyParams], ready: Weights, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        return super().explain(problem, ready, {"x": [0.1, 0.1, 0.1]}, context)

    def evaluate(self, problem: Problem[ToyParams], ready: Weights, decisions: Decisions, context: Context) -> Designs:
        designs = super().evaluate(problem, ready, decisions, context)
        better = {name: values * (1 - 1e-15) for name, values in designs.columns.items()}
        return Designs(better, designs.decisions, designs.found_at_evaluation, designs.origin)


class WordlessParams(EngineParams):
    steps: int = Field(5, title="Steps", ge=1)


class BoundlessParams(EngineParams):
    steps: int = Field(5, title="Steps", description="Steps.")


@pytest.fixture
def _forget() -> Iterator[None]:
    yield
    registry.unregister("broken")


def broken(cls: type[Engine]) -> TinyProblem:
    registry.register("broken", cls)
    return toy_problem("broken")


@pytest.mark.usefixtures("_forget")
def test_chance_is_seen() -> None:
    with pytest.raises(AssertionError):
        conformance.check_repeats(broken(CarelessEngine))


@pytest.mark.usefixtures("_forget")
def test_a_resume_that_forgets_is_seen() -> None:
    tiny = broken(ForgetfulEngine)
    steps = conformance.run_all(tiny)
    assert conformance.stopping_points(steps) == [1, 5, 7]
    with pytest.raises(AssertionError):
        conformance.check_resume(tiny, steps, 3)
    with pytest.raises(AssertionError):
        conformance.check_child(tiny, steps)


@pytest.mark.usefixtures("_forget")
def test_a_batch_cut_short_by_a_stop_is_seen() -> None:
    tiny = broken(HastyEngine)
    steps = conformance.run_all(tiny)
    with pytest.raises(CheckpointError, match="24 designs must be stored"):
        conformance.check_stop(tiny, steps, 2, polls=1)


@pytest.mark.usefixtures("_forget")
def test_a_resume_that_fails_after_the_last_step_is_seen() -> None:
    tiny = broken(EndlessEngine)
    steps = conformance.run_all(tiny)
    with pytest.raises(IndexError, match="No step is left"):
        conformance.check_resume(tiny, steps, conformance.stopping_points(steps)[-1])


@pytest.mark.usefixtures("_forget")
def test_files_outlive_the_attempt_that_made_them() -> None:
    tiny = broken(FilingEngine)
    steps = conformance.run_all(tiny)
    conformance.check_resume(tiny, steps, 3)
    conformance.check_stop(tiny, steps, 3, polls=0)
    conformance.check_child(tiny, steps)


@pytest.mark.usefixtures("_forget")
def test_lies_are_seen() -> None:
    tiny = broken(LyingEngine)
    designs = conformance.designs_of(conformance.run_all(tiny))
    with pytest.raises(AssertionError):
        conformance.check_evaluate(tiny, designs)
    with pytest.raises(AssertionError):
        conformance.check_explain(tiny, designs)


def test_an_order_that_matters_is_seen() -> None:
    seen: list[int] = []
    conformance.ShufflingExecutor().map(lambda _, item: seen.append(item), None, [1, 2, 3])
    assert seen == [3, 2, 1]


def test_explaining_nothing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ToyEngine, "breakdowns", ())
    tiny = toy_problem("toy")
    silent = TinyProblem(tiny.problem, totals=lambda results: {})
    with pytest.raises(AssertionError, match="no total"):
        conformance.check_explain(silent, conformance.designs_of(conformance.run_all(tiny)))


@pytest.mark.parametrize(
    ("declared", "words"),
    [((Breakdown, Note), "gives Schedule"), ((Schedule, Breakdown, Note, Trace), "names Trace")],
)
def test_a_wrong_declaration_of_what_explains_a_design_is_seen(
    declared: tuple[type[Result], ...], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = toy_problem("toy")
    designs = conformance.designs_of(conformance.run_all(tiny))
    monkeypatch.setattr(ToyEngine, "result_types", declared)
    with pytest.raises(AssertionError, match=words):
        conformance.check_explain(tiny, designs)


def test_an_engine_may_say_nothing_of_what_explains_a_design(monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = toy_problem("toy")
    monkeypatch.setattr(ToyEngine, "result_types", None)
    conformance.check_explain(tiny, conformance.designs_of(conformance.run_all(tiny)))


def test_a_possible_problem_is_not_impossible() -> None:
    tiny = toy_problem("toy")
    with pytest.raises(AssertionError):
        conformance.check_impossible(TinyProblem(tiny.problem, tiny.problem))


@pytest.mark.parametrize(
    "quantity",
    [
        Quantity("latency", "Latency", "s", "minimise", "objective", "Help."),
        Quantity("latency_s", "Latency", "s", "none", "objective", "Help."),
        Quantity("latency_s", "Latency", "s", "minimise", "objective"),
        Quantity("Latency_s", "Latency", "s", "minimise", "objective", "Help."),
    ],
)
def test_a_quantity_that_is_not_well_formed_is_seen(quantity: Quantity) -> None:
    class Odd(ToyEngine):
        quantities: ClassVar = (quantity,)

    with pytest.raises(AssertionError):
        conformance.check_quantities(Odd())


@pytest.mark.parametrize("params", [WordlessParams, BoundlessParams])
def test_a_parameter_that_is_not_well_formed_is_seen(params: type[EngineParams]) -> None:
    class Odd(ToyEngine):
        Params: ClassVar = params

    with pytest.raises(AssertionError, match="needs a"):
        conformance.check_params(Odd())


def test_a_result_that_does_not_come_back_is_seen() -> None:
    with pytest.raises((AssertionError, TypeError)):
        conformance.check_results([Note("n", "N", object())])  # type: ignore[arg-type]

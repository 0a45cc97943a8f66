from collections.abc import Sequence

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Infeasibility, Problem, Resume
from engines.contract.errors import CheckpointError
from engines.contract.quantities import Quantity
from engines.running.context import LocalContext
from engines.running.recorder import SAMPLED_DESIGNS, RunRecorder
from tests.support.toy_engine import QUANTITIES, ToyEngine


class LimitedToy(ToyEngine):
    """The toy with a limit on its spread, and of its quantities the largest spread told as well."""

    quantities = (
        *QUANTITIES[:2],
        Quantity("spread", "Spread", "", "maximise", "metric"),
        Quantity("room", "Room", "", "none", "constraint"),
    )
    progress_metrics = ("latency_s", "spread")


def rows(latencies_s: Sequence[float], rooms: Sequence[float] | None = None) -> Designs:
    values = np.array(latencies_s)
    columns = {"latency_s": values, "energy_j": values, "spread": values, "room": np.array(rooms or 0.0 * values)}
    return Designs(columns, [{"x": one} for one in latencies_s])


def recorder(problem: Problem, resume: Resume | None = None) -> RunRecorder:
    return RunRecorder(LimitedToy(), problem, LocalContext(problem), resume)


def test_a_step_tells_what_was_added_since_the_last(problem: Problem) -> None:
    record = recorder(problem)
    record.add(rows([3.0]), "baseline")
    record.add(rows([2.0, 1.0]))
    told = record.step(0.1, "First").designs
    assert told is not None and told.origin == ("baseline", "search", "search")
    assert told.found_at_evaluation.tolist() == [1, 2, 3]
    assert record.step(0.2, "Nothing new").designs is None
    assert len(record.designs) == record.evaluations == 3


def test_designs_are_found_where_the_engine_counted_them(problem: Problem) -> None:
    record = recorder(problem)
    at = record.scored(10)
    record.add(rows([2.0, 1.0]), at=at[[3, 7]])
    record.add(rows([5.0]), "baseline", np.zeros(1, np.int64))
    step = record.step(0.1, "First")
    assert step.designs is not None and step.designs.found_at_evaluation.tolist() == [4, 8, 0]
    assert step.metrics["evaluations"] == 10


def test_metrics_are_the_best_of_the_search_within_the_limits(problem: Problem) -> None:
    record = recorder(problem)
    record.add(rows([0.5]), "baseline")
    record.add(rows([4.0, 3.0, 1.0], rooms=[0.0, 0.5, -0.1]))
    assert record.step(0.1, "First").metrics == {"evaluations": 4, "latency_s": 3.0, "spread": 4.0}
    record.add(rows([3.5]))
    assert record.step(0.2, "Second").metrics == {"evaluations": 5, "latency_s": 3.0, "spread": 4.0}


def test_a_value_that_is_not_defined_is_no_best(problem: Problem) -> None:
    record = recorder(problem)
    record.add(rows([np.nan, 2.0, np.inf], rooms=[0.0, 0.0, 0.0]))
    assert record.step(0.1, "First").metrics == {"evaluations": 3, "latency_s": 2.0, "spread": 2.0}


def test_a_step_costs_what_is_new(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    record, joined = recorder(problem), []
    join = Designs.concatenate
    monkeypatch.setattr(Designs, "concatenate", lambda parts: joined.append(sum(map(len, parts))) or join(parts))
    for number in range(5):
        record.add(rows([1.0 + number, 2.0]))
        record.step(0.1, "")
    assert joined == [2] * 5 and len(record.designs) == 10


def test_the_fraction_never_falls(problem: Problem) -> None:
    record = recorder(problem)
    assert [record.step(fraction, "").fraction for fraction in (0.01, 0.005, 0.5)] == [0.01, 0.01, 0.5]


def test_a_continued_record_goes_on_where_the_checkpoint_was_made(problem: Problem) -> None:
    first = recorder(problem)
    assert first.state is None and first.step(0.0, "").checkpoint is None
    first.add(rows([2.0, 1.0]))
    first.scored(5)
    state = {"next": 3, "array": np.arange(3)}
    checkpoint = first.step(0.4, "", state=state).checkpoint
    assert checkpoint is not None
    again = recorder(problem, Resume(checkpoint, first.designs))
    assert again.state is not None and again.state["next"] == 3 and set(again.state) == set(state)
    assert again.state["array"].tolist() == [0, 1, 2]
    step = again.step(0.1, "")
    assert (step.fraction, step.designs) == (0.4, None)
    assert step.metrics == {"evaluations": 7, "latency_s": 1.0, "spread": 2.0}


def test_a_checkpoint_of_another_problem_is_refused(problem: Problem) -> None:
    checkpoint = recorder(problem).step(0.1, "", state={}).checkpoint
    assert checkpoint is not None
    other = Problem("toy", 1, {}, problem.params, seed=problem.seed + 1)
    with pytest.raises(CheckpointError, match="problem"):
        recorder(other, Resume(checkpoint, rows([])))


def test_a_sample_holds_all_of_a_small_run_and_a_share_of_a_large_one(problem: Problem) -> None:
    record = recorder(problem)
    assert record.sampled(1, 500, SAMPLED_DESIGNS).all()
    large = record.sampled(1, 10_000, 10 * SAMPLED_DESIGNS)
    assert 800 < large.sum() < 1200
    np.testing.assert_array_equal(large, record.sampled(1, 10_000, 10 * SAMPLED_DESIGNS))
    assert not np.array_equal(large, record.sampled(2, 10_000, 10 * SAMPLED_DESIGNS))


def test_limits_that_cannot_be_met_end_the_run(problem: Problem) -> None:
    found = Infeasibility("energy", 2.0, 1.0, "J", 1.0)
    step = recorder(problem).infeasible(found, "Too little.")
    assert (step.fraction, step.message, step.infeasible) == (1.0, "Too little.", found)

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.engine import File, Infeasibility, Problem, Recorder, Step
from engines.contract.errors import ContractError, StopRequested
from engines.contract.results import Distribution, Note
from engines.running.context import LocalContext
from engines.running.driver import check_step, drive
from tests.support.toy_engine import ToyEngine, ToyParams, Weights

NAMES = ("latency_s", "energy_j")


def test_it_yields_every_step_and_tells_that_it_is_done(toy: ToyEngine, problem: Problem) -> None:
    driven = drive(toy, problem, LocalContext(problem))
    assert driven.ending is None
    assert [step.fraction for step in driven] == [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1.0]
    assert driven.ending == "done"
    assert list(driven) == []


def test_a_stop_ends_after_the_step_at_hand(toy: ToyEngine, problem: Problem) -> None:
    asked: list[bool] = []
    driven = drive(toy, problem, LocalContext(problem, stop=lambda: bool(asked)))
    next(driven)
    asked.append(True)
    assert len(list(driven)) <= 1
    assert driven.ending == "stopped"


def test_a_stop_that_the_engine_ignores_ends_after_one_step(toy: ToyEngine, problem: Problem) -> None:
    stubborn = Problem("toy", 1, {}, problem.params.model_copy(update={"ignore_stop": True}))
    driven = drive(toy, stubborn, LocalContext(stubborn, stop=lambda: True))
    assert len(list(driven)) == 1
    assert driven.ending == "stopped"


class ScriptedEngine(ToyEngine):
    """Yields what it is told; an exception in the list is raised."""

    def __init__(self, script: list[Any]) -> None:
        self.script = script
        self.closed = False

    def run(self, problem: Problem[ToyParams], ready: Weights, record: Recorder) -> Iterator[Step]:
        try:
            for item in self.script:
                if isinstance(item, Exception):
                    raise item
                yield item
        finally:
            self.closed = True


def driven_script(problem: Problem, *script: Any, stop: bool = False) -> tuple[ScriptedEngine, Any]:
    engine = ScriptedEngine(list(script))
    return engine, drive(engine, problem, LocalContext(problem, stop=lambda: stop))


def test_a_stop_that_comes_with_the_last_step_is_a_complete_run(problem: Problem) -> None:
    _, driven = driven_script(problem, Step(1.0), stop=True)
    assert len(list(driven)) == 1
    assert driven.ending == "done"


def test_a_stop_from_deep_inside_is_a_stop(problem: Problem) -> None:
    _, driven = driven_script(problem, StopRequested(), stop=True)
    assert list(driven) == []
    assert driven.ending == "stopped"


def test_a_stop_that_nobody_asked_for_is_a_breach(problem: Problem) -> None:
    _, driven = driven_script(problem, Step(0.5), StopRequested())
    next(driven)
    with pytest.raises(ContractError, match="only after a stop was asked for"):
        next(driven)
    assert driven.ending is None


def test_an_infeasible_step_ends_the_run(problem: Problem) -> None:
    engine, driven = driven_script(problem, Step(0.5, infeasible=Infeasibility("l", 2, 1, "J", 1)), Step(1.0))
    assert len(list(driven)) == 1
    assert driven.ending == "infeasible"
    assert engine.closed


def test_an_error_of_the_engine_passes_through(problem: Problem) -> None:
    _, driven = driven_script(problem, Step(0.5), ZeroDivisionError())
    next(driven)
    with pytest.raises(ZeroDivisionError):
        next(driven)
    assert driven.ending is None


def test_a_falling_fraction_is_a_breach(problem: Problem) -> None:
    _, driven = driven_script(problem, Step(0.5), Step(0.4))
    next(driven)
    with pytest.raises(ContractError, match="never falling"):
        next(driven)


def designs(names: tuple[str, ...]) -> Designs:
    return Designs({name: np.zeros(1) for name in names}, [{}], np.zeros(1, np.int64), ["search"])


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("no step", "must yield Steps. Got str"),
        (Step(float("nan")), "fraction"),
        (Step(1.1), "fraction"),
        (Step(0.5, metrics={"speed": 1.0}), "speed"),
        (Step(0.5, designs=designs(("latency_s",))), "columns of designs"),
        (Step(0.5, designs=designs((*NAMES, "more"))), "columns of designs"),
        (Step(0.5, checkpoint=b"x" * 1_000_001), "checkpoint"),
        (Step(0.5, results=(Distribution("big", "Big", np.random.default_rng(1).random(60_000), "s"),)), "'big'"),
        (Step(0.5, infeasible=Infeasibility("l", 1, 2, "J", -1)), "gap"),
        (Step(0.5, infeasible=Infeasibility("l", 1, 2, "J", float("nan"))), "gap"),
        (Step(0.5, infeasible=Infeasibility("l\0", 2, 1, "J", 1)), "text of an infeasibility .*NUL"),
        (Step(0.5, infeasible=Infeasibility("l", 2, 1, "J", 1, (("mend", "\0"),))), "text of an infeasibility .*NUL"),
        (Step(0.5, metrics={"evaluations": -1.0}), "evaluations"),
        (Step(0.5, metrics={"evaluations": float("nan")}), "evaluations"),
        (Step(0.5, metrics={"evaluations": 2.0**63}), "evaluations"),
        (Step(0.5, results=(Note("n" * 121, "N", ""),)), "name of a result .* 120 characters. Got 121"),
        (Step(0.5, results=(Note("", "N", ""),)), "name of a result"),
        (Step(0.5, results=(Note("n\0", "N", ""),)), "name of a result .*NUL"),
        (Step(0.5, results=(Note("n", "N", "a\0b"),)), "result 'n' must hold no NUL"),
        (Step(0.5, results=(Note("n", "N", "half \ud83d"),)), "result 'n' must be Unicode"),
        (Step(0.5, files=(File("f" * 201, "text/plain", b""),)), "name of a file .* 200 characters. Got 201"),
        (Step(0.5, files=(File("f\0", "text/plain", b""),)), "name of a file .*NUL"),
        (Step(0.5, files=(File("\udc80", "text/plain", b""),)), "name of a file .*surrogates"),
        (
            Step(0.5, files=(File("f", "text/html", b""),)),
            "media type of the file 'f' must be one of .* Got 'text/html'",
        ),
    ],
)
def test_what_breaks_the_contract_is_named(step: Any, words: str) -> None:
    with pytest.raises(ContractError, match=words):
        check_step(step, NAMES, 0.0)


def test_what_keeps_the_contract_passes() -> None:
    step = Step(
        0.5, "", {"evaluations": 1, "latency_s": 2.0}, designs(NAMES[::-1]), (Note("n", "N", ""),), (), b"x" * 1_000_000
    )
    check_step(step, NAMES, 0.5)


def test_names_of_full_length_and_a_written_backslash_u0000_pass() -> None:
    results = (Note("n" * 120, "N", "\\u0000 is how JSON writes NUL"),)
    files = (File("f" * 200, "application/octet-stream", b"\0"),)
    check_step(Step(1.0, metrics={"evaluations": 0}, results=results, files=files), NAMES, 0.5)

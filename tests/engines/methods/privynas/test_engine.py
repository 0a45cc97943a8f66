"""The search, beyond what all engines keep."""

from typing import Any

import numpy as np
import pytest

from engines.contract.errors import DecisionError, ProblemError
from engines.methods.privynas.candidates import cheapest
from engines.methods.privynas.choice import Choice, choice_of, decision_of
from engines.methods.privynas.engine import PrivynasEngine
from engines.methods.privynas.instance import instance_of
from engines.running.checkpoints import unpack_checkpoint
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.testing.conformance import check_impossible, designs_of, run_all
from tests.engines.methods.privynas.problems import privynas_problem, tiny

_ASKED = 5  # times that a run looks whether it is to stop, before it is


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"epsilons": "2.8 0"}, "params.epsilons"),
        ({"epsilons": "-1"}, "params.epsilons"),
        ({"epsilons": "nan"}, "params.epsilons"),
        ({"epsilons": ""}, "params.epsilons"),
        ({"positions": "2 4"}, "params.positions"),
        ({"positions": "0"}, "params.positions"),
        ({"positions": "second"}, "params.positions"),
        ({"kernel": "7"}, "params.kernel"),
        ({"image_side": 9}, "params.image_side"),
        ({"batch_size": 2000}, "params.batch_size"),
        ({"unit": "tpu"}, "params.unit"),
    ],
)
def test_what_does_not_fit_is_refused(params: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as told:
        instance_of(privynas_problem(params))
    assert told.value.field == field


def test_decisions_name_operations_cut_and_budget() -> None:
    instance = instance_of(privynas_problem())
    decision = decision_of(instance, Choice((0, 1, 0), 2, 2.8))
    assert decision == {"operations": ["MB3 3x3", "MB6 3x3", "MB3 3x3"], "position": 2, "epsilon": 2.8}
    assert choice_of(instance, decision) == Choice((0, 1, 0), 2, 2.8)
    for change in ({"operations": ["MB3 3x3"]}, {"operations": ["MB9 3x3"] * 3}, {"position": 4}, {"epsilon": 1.0}):
        with pytest.raises(DecisionError):
            choice_of(instance, {**decision, **change})


def test_costs_grow_with_the_cut_and_the_cheapest_is_a_bound() -> None:
    instance = instance_of(privynas_problem())
    operations = (1, 1, 1)
    parts = instance.costs.parts(operations, 2)
    assert parts.shape == (2, 5) and (parts > 0).all()
    np.testing.assert_allclose(parts.sum(axis=1), instance.costs.of(operations, 2))
    assert parts[0, -1] == pytest.approx(32 * instance.space.blocks[1].elements / 3e6)
    least = cheapest(instance)
    every = [instance.costs.of(operations, each)[0] for each in instance.positions]
    assert instance.costs.of(least.operations, least.position)[0] <= min(every)


def test_designs_say_what_the_mechanism_did() -> None:
    found, instance = designs_of(run_all(tiny())), instance_of(tiny().problem)
    designs, choices = found.columns, [choice_of(instance, each) for each in found.decisions]
    needs = [instance.memory_bytes(each.operations, each.position) for each in choices]
    assert designs["device_memory_bytes"].tolist() == needs
    np.testing.assert_allclose(designs["epsilon"], 2 * designs["bound"] / designs["noise_scale"])
    np.testing.assert_allclose(designs["tensor_epsilon"], designs["epsilon"] * designs["sent_bytes"] / 4)
    total = (designs["clean_test_percent"] + designs["noisy_test_percent"]) / 2
    np.testing.assert_allclose(designs["test_accuracy_percent"], total)


def test_a_limit_that_nothing_keeps_names_its_field() -> None:
    found = check_impossible(tiny())
    assert any(field == "params.latency_limit_s" for _, field in found.remedies)


def test_a_stop_within_the_first_epoch_keeps_a_checkpoint_and_draws_no_curve() -> None:
    pytest.importorskip("torch")
    problem, looked = privynas_problem({"batch_size": 64}), [0]

    def stop() -> bool:
        looked[0] += 1
        return looked[0] > _ASKED

    *_, last = drive(PrivynasEngine(), problem, LocalContext(problem, stop=stop))
    assert last.checkpoint is not None
    state = unpack_checkpoint(last.checkpoint, problem.engine, problem.version, problem.hash())
    assert int(state["epoch"]) == 0 and len(state["batch_losses"]) > 0
    assert not last.results

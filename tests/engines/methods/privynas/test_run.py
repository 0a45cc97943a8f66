"""The run, where it is asked to stop before anything was measured."""

import pytest

from engines.methods.privynas.engine import PrivynasEngine
from engines.running.checkpoints import unpack_checkpoint
from engines.running.context import LocalContext
from engines.running.driver import drive
from tests.engines.methods.privynas.problems import privynas_problem

_ASKED = 5  # times that a run looks whether it is to stop, before it is


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

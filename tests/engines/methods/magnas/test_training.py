"""Training of a supernet on the bundled digits: sandwich, loss, ranks, and a full training as the user gets it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from engines.context import LocalContext  # noqa: E402
from engines.contract import Step  # noqa: E402
from engines.data.digits import digits  # noqa: E402
from engines.designs import Designs  # noqa: E402
from engines.driver import drive  # noqa: E402
from engines.methods.magnas.spaces import small_space  # noqa: E402
from engines.methods.magnas.training import Trainer, load_supernet, pinned  # noqa: E402
from engines.methods.magnas.training_engine import TrainSupernetEngine  # noqa: E402
from engines.methods.magnas.training_params import TrainSupernetParams  # noqa: E402
from engines.methods.magnas.weights_document import WEIGHTS_FILE, load_weights, weights_words  # noqa: E402
from engines.problems import make_problem  # noqa: E402
from engines.random_streams import random_stream  # noqa: E402
from engines.results import Curve  # noqa: E402

SPACE = small_space(1, 8, 10, 8, deepest=1)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with pinned("cpu"):
        yield


def trainer_of(**params: Any) -> Trainer:
    given = TrainSupernetParams(
        width=8, deepest=1, dropout=0.0, learning_rate=0.01, **{"epochs": 2, "random_subnets": 1, **params}
    )
    return Trainer(SPACE, digits(), given, lambda *names: random_stream(5, *names))


def test_a_sandwich_has_the_largest_and_the_smallest_with_one_operator_and_dealt_others() -> None:
    trainer = trainer_of(random_subnets=4)
    operators = set()
    for step in range(20):
        trainer.step = step
        largest, smallest, *others = trainer.sandwich()
        assert largest in [SPACE.largest(each) for each in SPACE.operators]
        assert smallest in [SPACE.smallest(each) for each in SPACE.operators]
        operators |= {largest[0].operator, smallest[0].operator}
        for place in range(4):  # every operator once in every superblock
            assert sorted(each[place].operator for each in others) == sorted(SPACE.operators)
    assert operators == set(SPACE.operators)


def test_the_loss_falls_and_subnets_rank_sensibly() -> None:
    trainer = trainer_of()
    losses = [trainer.train_step() for _ in range(trainer.steps)]
    first, last = losses[:3], losses[-5:]
    for role in ("largest", "smallest", "random"):
        assert np.mean([getattr(each, role) for each in last]) < 0.7 * np.mean([getattr(each, role) for each in first])
    validation = digits().validation
    largest = np.mean([trainer.accuracy(SPACE.largest(each), validation) for each in SPACE.operators])
    smallest = np.mean([trainer.accuracy(SPACE.smallest(each), validation) for each in SPACE.operators])
    assert largest > smallest > 30.0  # ten classes: chance is 10 %


def test_a_restored_training_goes_on_bit_for_bit() -> None:
    unbroken, stopped = trainer_of(), trainer_of()
    for _ in range(4):
        unbroken.train_step()
    for _ in range(2):
        stopped.train_step()
    other = trainer_of()
    other.restore(stopped.state(), stopped.step)
    for _ in range(2):
        other.train_step()
    assert other.weights() == unbroken.weights()
    again = load_supernet(SPACE, other.weights())
    for (name, one), (_, two) in zip(again.named_parameters(), unbroken.supernet.named_parameters(), strict=True):
        assert torch.equal(one, two), name


def run_of(**params: Any) -> list[Step]:
    problem = make_problem("train-supernet", {}, params, seed=1)
    return list(drive(TrainSupernetEngine(), problem, LocalContext(problem)))


def test_weights_and_their_document_are_handed_out() -> None:
    steps = run_of(
        width=4, deepest=1, epochs=1, batch_size=16, training_examples=32, held_out_examples=16, measured_subnets=2
    )
    weights, document = steps[-1].files
    import json

    found = load_weights(json.loads(document.data))
    assert weights.name == WEIGHTS_FILE and found.space.classes == 10 and found.subnets == 10
    assert found.data_sha256 == digits().content_hash()
    assert "subnets on digits" in weights_words(found)
    load_supernet(found.space, weights.data)
    curves = [result for step in steps for result in step.results if isinstance(result, Curve)]
    assert {curve.name for curve in curves} == {"loss", "accuracy-over-epochs"}


@pytest.mark.long
def test_the_default_supernet_learns_the_digits() -> None:
    begin = time.process_time()
    steps = run_of()
    designs = Designs.concatenate([step.designs for step in steps if step.designs is not None])
    test = designs.columns["test_accuracy_percent"]
    print(f"{time.process_time() - begin:.0f} s of one core; test accuracy {test.min():.1f} to {test.max():.1f} %")
    assert np.median(test) > 95.0 and test.max() > 97.5
    operations = designs.columns["macs"]
    assert np.corrcoef(np.argsort(np.argsort(operations)), np.argsort(np.argsort(test)))[0, 1] > 0

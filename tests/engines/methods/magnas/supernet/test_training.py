"""Training of a supernet on the bundled digits: sandwich, loss, ranks, and a full training as the user gets it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from engines.contract.numeric.random_streams import random_stream  # noqa: E402
from engines.data.digits import digits  # noqa: E402
from engines.data.torch_images import Images, pinned  # noqa: E402
from engines.methods.magnas.supernet.params import TrainSupernetParams  # noqa: E402
from engines.methods.magnas.supernet.training import Trainer  # noqa: E402
from engines.supernets import measuring  # noqa: E402
from engines.supernets.measuring import load_supernet  # noqa: E402
from engines.supernets.spaces import small_space  # noqa: E402

SPACE = small_space(1, 8, 10, 8, deepest=1)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    with pinned("cpu"):
        yield


def trainer_of(**params: Any) -> Trainer:
    given = TrainSupernetParams(
        width=8, deepest=1, learning_rate=0.01, **{"epochs": 2, "random_subnets": 1, "dropout": 0.0, **params}
    )
    return Trainer(SPACE, digits(), given, lambda *names: random_stream(5, *names))


def test_a_sandwich_has_the_largest_and_the_smallest_with_one_operator_and_dealt_others() -> None:
    trainer = trainer_of(random_subnets=4)
    operators, apart = set(), False
    for step in range(20):
        trainer.step = step
        largest, smallest, *others = trainer.sandwich()
        assert largest in [SPACE.largest(each) for each in SPACE.operators]
        assert smallest in [SPACE.smallest(each) for each in SPACE.operators]
        operators |= {largest[0].operator, smallest[0].operator}
        apart |= largest[0].operator != smallest[0].operator
        for place in range(4):  # every operator once in every superblock
            assert sorted(each[place].operator for each in others) == sorted(SPACE.operators)
    assert operators == set(SPACE.operators)
    assert apart  # each of both has a draw of its own


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
    assert (stopped.step, other.step, unbroken.step) == (2, 4, 4)
    assert other.weights() == unbroken.weights()
    again = load_supernet(SPACE, other.weights())
    for (name, one), (_, two) in zip(again.named_parameters(), unbroken.supernet.named_parameters(), strict=True):
        assert torch.equal(one, two), name


def test_the_learning_rate_falls_along_a_cosine() -> None:
    # The first step of AdamW moves every weight with a gradient by the learning rate: m / (1 - b1) over sqrt(v / (1 - b2)) is 1.
    # Half-way it is (1 + cos(pi / 2)) / 2 of the first, at three quarters (1 + cos(3 pi / 4)) / 2.
    for done, share in ((0.0, 1.0), (0.5, 0.5), (0.75, 0.146447)):
        trainer = trainer_of(training_examples=32, batch_size=16, weight_decay=0.0, random_subnets=0)
        before = [each.detach().clone() for each in trainer.supernet.parameters()]
        trainer.step = int(done * trainer.steps)
        trainer.train_step()
        moved = max(
            float((after.detach() - first).abs().max())
            for after, first in zip(trainer.supernet.parameters(), before, strict=True)
        )
        assert moved == pytest.approx(0.01 * share, rel=1e-3)


def test_the_largest_subnet_teaches_the_others_by_the_share_of_the_distillation() -> None:
    # Loss of the step at a share of 0.25: CE(largest, labels) + 0.75 CE(smallest, labels) + 0.25 CE(smallest, softmax(largest)).
    given = {"training_examples": 16, "batch_size": 16, "random_subnets": 0, "distillation": 0.25}
    trained, other = trainer_of(**given), trainer_of(**given)
    largest, smallest = other.sandwich()
    images = other.images.batch(digits().train, other.training_rows)
    labels = torch.from_numpy(digits().train.labels[other.training_rows])
    entropy = torch.nn.functional.cross_entropy
    teacher, pupil = (other.supernet(images, each, None) for each in (largest, smallest))
    on_labels = entropy(pupil, labels)
    loss = entropy(teacher, labels) + 0.75 * on_labels + 0.25 * entropy(pupil, teacher.detach().softmax(1))
    loss.backward()
    found = trained.train_step()
    assert (found.largest, found.smallest) == pytest.approx(
        (entropy(teacher, labels).item(), on_labels.item()), rel=1e-5
    )
    for (name, one), two in zip(trained.supernet.named_parameters(), other.supernet.parameters(), strict=True):
        assert (one.grad is None) == (two.grad is None), name
        if one.grad is not None:
            torch.testing.assert_close(one.grad, two.grad, rtol=1e-3, atol=1e-6)


def test_accuracy_is_the_share_told_right_with_statistics_of_training_examples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trainer, architecture, split = trainer_of(training_examples=300), SPACE.largest(SPACE.operators[0]), digits().test
    of_training = trainer.images.batch(digits().train, trainer.training_rows[:256])
    with trainer.supernet.measured(of_training, architecture):
        logits = trainer.supernet(trainer.images.batch(split, np.arange(len(split))), architecture)
    right = logits.argmax(1).numpy() == split.labels
    assert len(trainer.training_rows) == 300 and 0 < right[:20].sum() < 20
    assert trainer.accuracy(architecture, split) == 100.0 * right.sum() / len(split)
    assert trainer.accuracy(architecture, split, 20) == 5.0 * right[:20].sum()
    told = logits.argmax(1).numpy()
    own = replace(split, labels=told)  # all of them are told right, in as many parts as there are
    assert trainer.accuracy(architecture, own) == 100.0
    monkeypatch.setattr(measuring, "_MEASURED_TOGETHER", 100)
    assert trainer.accuracy(architecture, own) == 100.0
    assert len(split) > 300


def test_dropout_keeps_the_mean_and_is_drawn_anew_for_every_subnet_and_step(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = trainer_of(dropout=0.2)
    masks = [trainer._dropped(400, place) for place in (0, 1)]
    trainer.step = 1
    masks.append(trainer._dropped(400, 0))
    for mask in masks:
        assert mask is not None and set(mask.unique().tolist()) == {0.0, 1.25}
        assert mask.shape == (400, SPACE.head_channels) and float(mask.mean()) == pytest.approx(1.0, abs=0.03)
    assert not torch.equal(masks[0], masks[1]) and not torch.equal(masks[0], masks[2])
    assert trainer_of()._dropped(400, 0) is None
    places: list[int] = []
    trainer = trainer_of(dropout=0.2, training_examples=16, batch_size=16, random_subnets=2)
    monkeypatch.setattr(trainer, "_dropped", lambda count, place: places.append(place))
    trainer.train_step()
    assert places == [0, 1, 2, 3]


def test_batches_of_an_epoch_share_its_examples_out() -> None:
    trainer = trainer_of(training_examples=70, batch_size=16, epochs=3)
    assert (trainer.steps_per_epoch, trainer.steps, trainer.epoch) == (4, 12, 0)
    assert [trainer_of(training_examples=most, batch_size=16).steps_per_epoch for most in (16, 32)] == [1, 2]
    rows = []
    for trainer.step in range(8):
        rows.append(trainer._batch_rows().tolist())
    assert trainer.epoch == 1
    first, second = ([row for batch in each for row in batch] for each in (rows[:4], rows[4:]))
    assert len(set(first)) == len(set(second)) == 64 and first != second
    assert set(first) | set(second) <= set(trainer.training_rows.tolist())


def test_the_loss_of_the_random_subnets_is_their_mean() -> None:
    given = {"training_examples": 16, "batch_size": 16, "random_subnets": 3}
    trained, other = trainer_of(**given), trainer_of(**given)
    images = other.images.batch(digits().train, other.training_rows)
    labels = torch.from_numpy(digits().train.labels[other.training_rows])
    subnets = [other.supernet(images, each, None) for each in other.sandwich()]
    losses = [torch.nn.functional.cross_entropy(each, labels).item() for each in subnets]
    found = trained.train_step()
    assert (found.smallest, found.random) == pytest.approx((losses[1], sum(losses[2:]) / 3), rel=1e-5)
    assert np.isfinite(trainer_of(**{**given, "random_subnets": 1}).train_step().random)
    assert np.isnan(trainer_of(**{**given, "random_subnets": 0}).train_step().random)


def test_images_are_scaled_to_the_side_and_to_values_up_to_one() -> None:
    rows = np.arange(3)
    own = Images(digits(), 8, "cpu").batch(digits().train, rows)
    assert own.shape == (3, 1, 8, 8) and float(own.max()) == 1.0 and float(own.min()) == 0.0
    assert Images(digits(), 12, "cpu").batch(digits().train, rows).shape == (3, 1, 12, 12)
    scale = digits().feature_scale
    # Half a pixel lies outside of the middle of the first one: a step from 0 to 1 over two pixels is 0, 1/4, 3/4, 1 over four.
    step = np.array([[0.0, 1.0]] * 2) / scale
    scaled = Images(digits(), 4, "cpu").batch(replace(digits().train, features=step[None, None]), np.zeros(1, np.int64))
    assert scaled[0, 0].numpy() == pytest.approx(np.array([[0.0, 0.25, 0.75, 1.0]] * 4))
    for shape in ((1, 8, 12), (1, 12, 8), (8, 8, 12), (8, 12, 8)):  # only what has both sides stays as it is
        other = replace(digits().train, features=np.ones((1, *shape)))
        assert Images(digits(), 8, "cpu").batch(other, np.zeros(1, np.int64)).shape == (1, shape[0], 8, 8)

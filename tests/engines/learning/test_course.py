"""The loop of a training, with a learner whose every number can be said beforehand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engines.learning.course import Course, Patience
from engines.running.files import MemoryFileStore


@dataclass
class Walk:
    """Adds up batches; epoch e has the batches 10 e, 10 e + 1, 10 e + 2."""

    told: tuple[float, ...] = ()
    epochs: int = 3
    total: int = 0
    entered: list[int] = field(default_factory=list)
    measured: int = 0

    def enter(self, epoch: int) -> None:
        self.entered.append(epoch)

    def batches(self, epoch: int) -> list[int]:
        return [10 * epoch + number for number in range(3)]

    def learn(self, batch: int, epoch: int, share: float) -> float:
        self.total += batch
        return batch + share

    def measure(self) -> Mapping[str, float]:
        self.measured += 1
        return {"right": self.told[self.measured - 1]} if self.told else {}

    def state(self) -> bytes:
        return json.dumps([self.total, self.measured]).encode()

    def restore(self, state: bytes, epoch: int) -> None:
        self.total, self.measured = json.loads(state)


def stopped_at(call: int) -> Any:
    numbers = count(1)
    return lambda: next(numbers) >= call


def test_losses_are_means_of_epochs() -> None:
    course = Course(Walk())
    assert course.finish() and course.done and course.share == 1.0
    assert course.losses == pytest.approx([1 + 1 / 3, 11 + 1 / 3, 21 + 1 / 3])
    assert course.learner.entered == [0, 1, 2]  # type: ignore[attr-defined]
    assert course.words == "Epoch 3 of 3: loss 21.333"


@pytest.mark.parametrize("call", range(1, 10))
def test_a_training_that_was_stopped_anywhere_goes_on_as_if_it_had_not_been(call: int) -> None:
    whole, files = Course(Walk()), MemoryFileStore()
    whole.finish()
    begun = Course(Walk())
    assert not begun.finish(stopped_at(call))
    again = Course(Walk())
    again.restore(begun.state(files), files)
    assert again.finish()
    assert again.losses == whole.losses
    assert again.learner.total == whole.learner.total  # type: ignore[attr-defined]
    assert sorted([*begun.learner.entered, *again.learner.entered]) == [0, 1, 2]  # type: ignore[attr-defined]


def test_a_long_epoch_is_left_between_two_batches() -> None:
    course = Course(Walk())
    assert [course.advance(pause_s=-1.0) for _ in range(3)] == ["pause", "pause", "epoch"]
    assert course.epoch == 1


def test_patience_ends_with_the_best_weights() -> None:
    course = Course(Walk(told=(0.5, 0.9, 0.8, 0.9, 1.0), epochs=5), Patience("right", 2))
    assert course.finish()
    assert course.epoch == 4 and course.measured["right"] == [0.5, 0.9, 0.8, 0.9]
    assert course.learner.total == 3 + 33  # type: ignore[attr-defined]  # of the first two epochs
    least = Course(Walk(told=(0.5, 0.4, 0.45), epochs=3), Patience("right", 1, "minimise"))
    least.finish()
    assert least.learner.total == 3 + 33  # type: ignore[attr-defined]


def test_patience_and_its_best_weights_go_through_a_checkpoint() -> None:
    told, files = (0.5, 0.9, 0.8, 0.9, 1.0), MemoryFileStore()
    begun, again = (Course(Walk(told=told, epochs=5), Patience("right", 2)) for _ in range(2))
    for _ in range(3):
        begun.advance()
    again.restore(begun.state(files), files)
    assert again.finish() and again.epoch == 4
    assert again.learner.total == 36  # type: ignore[attr-defined]


def test_steps_tell_every_epoch_and_keep_what_a_stop_interrupts() -> None:
    stops, told, files = stopped_at(6), list[tuple[float, str, bool]](), MemoryFileStore()

    def step(share: float, words: str, results: Any, state: Mapping[str, Any]) -> Mapping[str, Any]:
        told.append((share, words, bool(results)))
        return state

    record: Any = SimpleNamespace(context=SimpleNamespace(files=files, stop_requested=stops), step=step)
    course = Course(Walk())
    states: list[Any] = list(course.steps(record, lambda: (course.share, course.words, ("curve",)), lambda: {"own": 7}))  # type: ignore[arg-type, return-value]
    assert [each[2] for each in told] == [True, False]
    assert states[-1]["own"] == 7 and len(states[-1]["batch_losses"]) == 2
    again = Course(Walk())
    again.restore(states[-1], files)
    again.finish()
    assert again.learner.total == 3 + 33 + 63  # type: ignore[attr-defined]
    assert np.asarray(states[-1]["losses"]).shape == (1,)

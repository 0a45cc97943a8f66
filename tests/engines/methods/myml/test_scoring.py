"""Columns of a design by hand."""

from dataclasses import replace

import numpy as np
import pytest

from engines.methods.myml.choices import original, published
from engines.methods.myml.costs import pruning_cost
from engines.methods.myml.instance import MymlInstance, instance_of
from engines.methods.myml.scoring import NetworkMeasurement, columns_of, repaid
from tests.engines.methods.myml.problems import myml_problem


@pytest.fixture(scope="module")
def instance() -> MymlInstance:
    return instance_of(myml_problem({"user_classes": "0: 3, 1: 1", "learning_window": 20}))


def test_images_count_as_often_as_the_user_sees_their_class(instance: MymlInstance) -> None:
    labels = np.array([0, 0, 1, 5, 5])
    outputs = np.array([[2.0, 1.0], [1.0, 2.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
    found = NetworkMeasurement.of(
        instance, instance.whole, (0, 1), [outputs, outputs[[0, 0, 2]]], [labels, labels[:3]], 7
    )
    # Of class 0, which is three in four, half is right; of class 1 everything. Other classes are nothing of the user's.
    assert found.accuracy == pytest.approx(0.75 * 0.5 + 0.25)
    assert found.test_accuracy == pytest.approx(1.0)  # the other images of class 0 are right
    assert found.all_accuracy == pytest.approx(2 / 5)


def test_the_original_drops_nothing_and_repays_nothing(instance: MymlInstance) -> None:
    measured = NetworkMeasurement(instance.whole, tuple(range(10)), 0.8, 0.7, 0.75, 0)
    columns = columns_of(instance, original("cpu"), measured, measured)
    assert columns["accuracy_drop_percent"] == columns["pruning_time_s"] == columns["pruning_energy_j"] == 0.0
    assert np.isnan(columns["amortised_images"]) and columns["weights_left_percent"] == 100.0
    assert columns["latency_s"] == instance.device.inference(instance.whole, "cpu").seconds
    percent = [columns[f"{name}accuracy_percent"] for name in ("", "test_", "all_")]
    assert percent == pytest.approx([80.0, 70.0, 75.0])


def test_pruning_is_repaid_by_what_images_save(instance: MymlInstance) -> None:
    before = NetworkMeasurement(instance.whole, (0, 1), 0.8, 0.7, 0.75, 0)
    kept = instance.whole[-1:]  # nothing but the classifier
    columns = columns_of(
        instance, published("cpu", (0.0,) * 4), NetworkMeasurement(kept, (0, 1), 0.6, 0.6, 0.5, 9), before
    )  # fmt: skip
    saved = instance.device.inference(instance.whole, "cpu").joules - columns["energy_j"]
    assert columns["amortised_images"] == pytest.approx(columns["pruning_energy_j"] / saved)
    assert columns["accuracy_drop_percent"] == pytest.approx(20.0)
    assert columns["size_bytes"] == kept[0].weights + 4 * 10


def test_what_saves_nothing_is_never_repaid() -> None:
    assert repaid(6.0, 2.0) == 3.0
    assert np.isnan(repaid(6.0, 0.0)) and np.isnan(repaid(6.0, -1.0))


def test_a_pruning_sees_the_images_of_each_of_its_classes(instance: MymlInstance) -> None:
    # Four images of each class: eight of the user's two, 40 of all ten.
    before = NetworkMeasurement(instance.whole, tuple(range(10)), 0.8, 0.7, 0.75, 0)
    for choice, images in (
        (published("cpu", (0.0,) * 4), 8),
        (replace(published("cpu", (0.0,) * 4), order="user-agnostic"), 40),
    ):
        assert choice.specific == (images == 8)
        columns = columns_of(instance, choice, before, before)
        expected = pruning_cost(choice, instance.whole, instance.whole, instance.device, images, 0)
        assert columns["pruning_time_s"] == pytest.approx(expected.seconds)
        assert columns["pruning_energy_j"] == pytest.approx(expected.joules)


def test_the_accelerator_stores_channels_that_are_zero(instance: MymlInstance) -> None:
    last = instance.whole[-1]
    half = (replace(last, pairs=last.channels * last.filters // 2, asymmetric=True),)
    measured = NetworkMeasurement(half, (0, 1), 0.6, 0.6, 0.5, 9)
    sizes = [
        columns_of(instance, published(platform, (0.0,) * 4), measured, measured)["size_bytes"]
        for platform in ("cpu", "accelerator")
    ]
    # A byte for each weight and four for each bias; the CPU has pointers to the first and each next channel, of two bytes.
    pairs = half[0].pairs
    assert sizes == [pairs + 4 * 10 + 2 * (1 + 10 + pairs - 1), 2 * pairs + 4 * 10]

from __future__ import annotations

import numpy as np
import pytest

from engines.data.digits import digits
from engines.methods.sbrs.search.training import Task, TrainingTask, rows_of, tensor_of, train
from engines.methods.sbrs.torch_network import (
    build,
    folded_weights,
    initial_weights,
    pack_weights,
    unpack_weights,
)
from tests.engines.methods.sbrs.search.networks_for_tests import GENOTYPE

torch = pytest.importorskip("torch")


def test_training_is_the_same_every_time_and_learns() -> None:
    data, random = digits(), np.random.default_rng(0)
    genome = GENOTYPE.check([[[8, 3]], [], [[12, 3]], [], [[16, 3]], [], [[32, 1]]])
    graph = GENOTYPE.graph(genome, "n")
    task = Task(graph, pack_weights(initial_weights(graph, random)), rows_of(len(data.train), 2.0, random))
    lesson = TrainingTask(data, 3e-3, 32, True, ("validation", "test"))
    first, second = train(lesson, task), train(lesson, task)
    assert first.weights == second.weights and first.accuracies_percent == second.accuracies_percent
    assert min(first.accuracies_percent) > 60


def test_folded_batch_normalisation_changes_nothing() -> None:
    data, random = digits(), np.random.default_rng(0)
    graph = GENOTYPE.graph(GENOTYPE.draw(random), "n")
    task = Task(graph, pack_weights(initial_weights(graph, random)), rows_of(len(data.train), 0.2, random))
    weights = unpack_weights(train(TrainingTask(data, 1e-3, 32, True), task).weights)
    examples = tensor_of(data.test.features[:16], data.feature_scale)
    with torch.no_grad():
        with_moments = build(graph, weights, normalised=True).eval()(examples)
        torch.testing.assert_close(
            build(graph, folded_weights(weights)).eval()(examples), with_moments, rtol=1e-4, atol=1e-4
        )

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.numeric.random_streams import random_stream
from engines.contract.results import Curve
from engines.data.digits import digits
from engines.data.torch_images import Images
from engines.methods.magnas.supernet.params import TrainSupernetParams
from engines.methods.magnas.supernet.training import Trainer
from engines.supernets.measuring import load_supernet, training_order
from engines.supernets.weights_document import WEIGHTS_FILE, load_weights, weights_words
from tests.engines.methods.magnas.trained_for_tests import run_of

torch = pytest.importorskip("torch")


def test_weights_and_their_document_are_handed_out() -> None:
    given = {"width": 4, "deepest": 1, "epochs": 4, "batch_size": 16, "training_examples": 32, "held_out_examples": 16}
    steps = run_of(**given, measured_subnets=2)
    weights, document = steps[-1].files
    import json

    found = load_weights(json.loads(document.data))
    assert weights.name == WEIGHTS_FILE and found.space.classes == 10 and found.subnets == 10
    assert found.data_sha256 == digits().content_hash()
    assert "subnets on digits" in weights_words(found)
    supernet = load_supernet(found.space, weights.data)
    designs = Designs.concatenate([step.designs for step in steps if step.designs is not None])
    measured = {"accuracy_percent": digits().validation, "test_accuracy_percent": digits().test}
    kept = training_order(random_stream(1, "examples"), digits(), 32)
    images = Images(digits(), found.space.image_side, "cpu").batch
    for column, split in measured.items():
        by_hand = []
        for decision in designs.decisions:
            subnet = found.space.decode(decision["architecture"])
            with supernet.measured(images(digits().train, kept), subnet):
                guessed = supernet(images(split, np.arange(16)), subnet).argmax(1).numpy()
            by_hand.append(100 * np.mean(guessed == split.labels[:16]))
        assert designs.columns[column].tolist() == by_hand
    assert designs.columns["accuracy_percent"].tolist() != designs.columns["test_accuracy_percent"].tolist()
    curves = [result for step in steps for result in step.results if isinstance(result, Curve)]
    assert {curve.name for curve in curves} == {"loss", "accuracy-over-epochs"}
    # Eight steps in four reports: every point is the mean of two steps of its role.
    again = Trainer(found.space, digits(), TrainSupernetParams(**given), lambda *names: random_stream(1, *names))
    losses = [again.train_step() for _ in range(8)]
    drawn = [curve for curve in curves if curve.name == "loss"][-1]
    for series, role in zip(drawn.series, ("largest", "smallest", "random"), strict=True):
        pairs = np.array([getattr(loss, role) for loss in losses]).reshape(4, 2)
        np.testing.assert_allclose(series.y, pairs.mean(axis=1), rtol=1e-6)

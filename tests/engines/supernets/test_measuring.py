from __future__ import annotations

import json

import pytest

from engines.contract.designs import Designs
from engines.contract.engine import Document, Resume
from engines.contract.errors import ProblemError
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.files import MemoryFileStore
from tests.engines.methods.magnas.problems import ENGINE, training_problem


def test_accuracy_is_measured_with_weights_and_a_search_goes_on_within_a_generation() -> None:
    pytest.importorskip("torch")
    training = training_problem({"held_out_examples": 16})
    trained = list(drive(get_engine("train-supernet"), training, LocalContext(training)))
    weights, document = trained[-1].files
    inputs = {
        "hardware": get_builtin("hardware", "jetson-agx-xavier"),
        "weights": Document("weights", "tiny", 1, json.loads(document.data)),
    }
    params = {"evaluations": 14, "population": 12, "validation_images": 16}
    problem = make_problem("magnas", inputs, params, seed=2)
    with pytest.raises(ProblemError, match="Train the supernet again"):
        list(drive(ENGINE, problem, LocalContext(problem)))
    files = MemoryFileStore()
    files.put(weights.data)
    steps = list(drive(ENGINE, problem, LocalContext(problem, files=files)))
    designs = Designs.concatenate([step.designs for step in steps if step.designs is not None])
    # The largest of the first operator comes first in both; both measure it by the same images.
    first = next(step.designs for step in trained if step.designs is not None)
    assert designs.columns["accuracy_percent"][0] == first.columns["accuracy_percent"][0]
    within = next(number for number, step in enumerate(steps) if "of this generation measured" in step.message)
    checkpoint = steps[within].checkpoint
    assert checkpoint is not None
    stored = Designs.concatenate([step.designs for step in steps[: within + 1] if step.designs is not None])
    resumed = drive(ENGINE, problem, LocalContext(problem, files=files), Resume(checkpoint, stored))
    rest = [step.designs for step in resumed if step.designs is not None]
    assert Designs.concatenate([stored, *rest]).equals(designs)

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.methods.magnas.architectures.surrogate import PublishedAccuracy
from engines.methods.magnas.search.accuracy import accuracy_of


def setup(weights: Any) -> Any:
    return SimpleNamespace(weights=weights, params=SimpleNamespace(data_set="cifar-10", validation_images=10))


def test_without_weights_accuracies_are_published_ones() -> None:
    assert isinstance(accuracy_of(setup(None), SimpleNamespace()), PublishedAccuracy)  # type: ignore[arg-type]


def test_weights_that_are_not_stored_any_more_are_named() -> None:
    pytest.importorskip("torch")
    stored: dict[str, bytes] = {}
    context: Any = SimpleNamespace(files=SimpleNamespace(get=stored.__getitem__))
    with pytest.raises(ProblemError) as caught:
        accuracy_of(setup(SimpleNamespace(sha256="0" * 64)), context)
    assert caught.value.field == "inputs.weights.file.sha256"

from types import SimpleNamespace
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.supernets.stored_accuracy import measured_with


def test_weights_that_are_gone_are_told_with_what_would_do() -> None:
    pytest.importorskip("torch")
    said: Any = SimpleNamespace(sha256="0" * 64)
    context: Any = SimpleNamespace(files={}.__class__())
    context.files = SimpleNamespace(get={}.__getitem__)
    with pytest.raises(ProblemError, match="Train the supernet again") as refused:
        measured_with(said, context, 10)
    assert refused.value.field == "inputs.weights.file.sha256"

import importlib.util

import pytest

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.data.documents import builtin_data_sets
from engines.data.training_data import image_data_of, require_torch, training_seconds
from engines.documents.problems import make_problem


def test_an_empty_slot_means_the_bundled_digits() -> None:
    assert image_data_of(make_problem("train-exits", {}, {})).slug == "digits"


def test_a_filled_slot_means_its_document() -> None:
    content = {**builtin_data_sets()["digits"], "slug": "mine"}
    assert image_data_of(make_problem("train-exits", {"data": Document("data", "mine", 1, content)}, {})).slug == "mine"


def test_a_machine_without_torch_says_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ProblemError, match="make up"):
        require_torch()


def test_time_grows_with_work_and_with_steps_and_torch_has_to_start() -> None:
    start = training_seconds(0, 1000, 1e6, 10)
    whole = training_seconds(2, 1000, 1e6, 10) - start
    assert whole == pytest.approx(2 * (training_seconds(1, 1000, 1e6, 10) - start))
    assert training_seconds(2, 1000, 1e6, 100) < training_seconds(2, 1000, 1e6, 10) < training_seconds(2, 1000, 2e6, 10)

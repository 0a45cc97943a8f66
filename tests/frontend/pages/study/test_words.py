from __future__ import annotations

import pytest

from engines.registry import get_engine
from frontend.pages.study.words import axis_title, column_title, study_state, value_title
from webapp.studies.service import Progress


def test_words_of_axes_and_values() -> None:
    scar, titles = get_engine("scar"), {"hardware": {"a": "Package A"}}
    assert axis_title("params.n_splits", scar) == "Window boundaries" and axis_title("seed", scar) == "Seed"
    assert value_title("inputs.hardware", "a", scar, titles) == "Package A"
    assert value_title("inputs.hardware", "b", scar, titles) == "b"
    assert value_title("params.objective", "edp", scar, {}) == "Energy-delay product"
    assert value_title("params.n_splits", 2, scar, {}) == "2\u00a0splits"
    assert value_title("params.baselines", False, scar, {}) == "Off"
    assert column_title("baselines", "Simba NVDLA", scar, {}) == "Simba NVDLA"


@pytest.mark.parametrize(
    ("counts", "word"),
    [
        ({"running": 1, "failed": 1}, "Running"), ({"queued": 1, "done": 1}, "Queued"), ({"failed": 1, "done": 1}, "Failed"),
        ({"stopped": 1, "done": 1}, "Stopped"), ({"done": 2}, "Done"), ({}, "Empty"),
    ],
)  # fmt: skip
def test_the_state_of_a_study_in_one_word(counts: dict[str, int], word: str) -> None:
    names = ("queued", "running", "stopped", "done", "failed")
    progress = Progress(sum(counts.values()), *(counts.get(name, 0) for name in names), 0, 0.5)
    assert study_state(progress).word == word

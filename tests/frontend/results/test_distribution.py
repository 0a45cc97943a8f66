from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import Distribution
from frontend.results.distribution import VIEW


@pytest.mark.parametrize(
    ("values", "words"),
    [((0.1, np.nan, 0.4, 0.2), "3 values, median 200 ms"), ((np.nan,), "0 values.")],
)
def test_a_sentence_counts_what_is_known_and_tells_its_median(values: tuple[float, ...], words: str) -> None:
    found = VIEW.sentence(Distribution("d", "Latency", np.array(values), "s")).replace("\u00a0", " ")
    assert found.startswith("Latency: ") and words in found.replace("200.0", "200")

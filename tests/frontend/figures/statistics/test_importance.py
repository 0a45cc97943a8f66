from __future__ import annotations

import numpy as np
import pytest

from engines.search.importance import Importance
from frontend.figures.statistics.importance import MOST_BARS, explained_words, importance_figure


def importance(explained: float, count: int = 3) -> Importance:
    return Importance(
        tuple(f"Decision {n}" for n in range(count)), np.linspace(1, 0, count), np.full(count, 0.1), explained, 200
    )


def test_bars_have_their_spread_and_the_last_ones_go() -> None:
    bars = importance_figure(importance(0.9, 20), "light").data[0]
    assert len(bars.x) == len(bars.error_x.array) == MOST_BARS


@pytest.mark.parametrize(
    ("explained", "words", "trusted"),
    [
        (0.93, "The model explains 93 % of the variance among held-out designs (200 of 400 designs).", True),
        (
            0.12,
            "The model explains 12 % of the variance among held-out designs (200 of 400 designs): do not trust this.",
            False,
        ),
        (
            -0.3,
            "The model explains 0 % of the variance among held-out designs (200 of 400 designs): do not trust this.",
            False,
        ),
    ],
)
def test_a_model_that_explains_little_says_so(explained: float, words: str, trusted: bool) -> None:
    told = explained_words(importance(explained), 400)
    assert (told[0].replace("\u00a0", " "), told[1]) == (words, trusted)

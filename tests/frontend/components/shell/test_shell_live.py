from __future__ import annotations

import pytest

from frontend.components.shell.shell_live import workers_words
from webapp.runs.queue.workers import WorkerSummary


@pytest.mark.parametrize(
    ("summary", "words", "tone"),
    [
        (WorkerSummary(2, 2, 2, 1), "2 of 2 workers", "good"),
        (WorkerSummary(0, 1, 0, 0), "0 of 1 worker", "bad"),
        (WorkerSummary(0, 0, 0, 0), "no workers", "bad"),
    ],
)
def test_it_says_how_many_workers_live(summary, words, tone):
    dot, text = workers_words(summary)
    assert text.children == words and tone in dot.className

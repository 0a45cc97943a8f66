from __future__ import annotations

import pytest

from webapp.runs.bundles.import_mark import checked_words
from webapp.runs.models import Run

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("sample_checked", "words"),
    [(0, "None of its designs was computed again here. Too long"), (3, "none of its front")],
)
def test_what_was_checked_is_said_where_the_front_is_empty(sample_checked: int, words: str) -> None:
    checked = {"front": 0, "front_checked": 0, "sample": 16, "sample_checked": sample_checked, "reason": "Too long."}
    found = checked_words(Run(imported={"checked": checked}))
    assert words in found and ("3 of 16 picked" in found) == bool(sample_checked)

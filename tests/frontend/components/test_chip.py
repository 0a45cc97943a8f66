from __future__ import annotations

import pytest

from frontend.components.chip import status_chip
from tests.frontend.words import words


@pytest.mark.parametrize(
    ("status", "outcome", "shown"),
    [
        ("running", "", "Running"),
        ("done", "feasible", "Done"),
        ("done", "infeasible", "Infeasible"),
        ("lost", "", "lost"),
    ],
)
def test_a_status_is_said_in_words(status, outcome, shown):
    assert shown in words(status_chip(status, outcome))

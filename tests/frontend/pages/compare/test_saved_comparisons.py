from __future__ import annotations

from typing import Any

from tests.frontend.pages.compare.cases import page
from tests.support.stored_runs import People
from webapp.comparisons.service import Entry, keep


def test_a_kept_comparison_has_an_address_of_its_own(people: People, runs: list[Any]) -> None:
    made = keep(people.owner, "Does it pay?", [Entry(run) for run in runs], {})
    assert "Does it pay?" in page(people.viewer, f"/compare/{made.pk}")
    assert "This comparison does not exist here" in page(people.stranger, f"/compare/{made.pk}")
    assert "Does it pay?" in page(people.viewer, "/compare")
    assert "Does it pay?" not in page(people.stranger, "/compare")

from __future__ import annotations

from typing import Any

from tests.frontend.pages.compare.cases import page
from tests.support.stored_runs import People


def test_a_run_of_others_is_left_out(people: People, runs: list[Any]) -> None:
    shown = page(people.stranger, "/compare", f"?runs={runs[0].pk},{runs[1].pk}")
    assert "None of these runs can be shown" in shown and runs[0].title not in shown

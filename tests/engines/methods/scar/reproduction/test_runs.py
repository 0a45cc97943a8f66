from __future__ import annotations

from engines.methods.scar.reproduction.rows import Rows
from engines.methods.scar.reproduction.runs import Case, Outcome
from tests.engines.methods.scar.reproduction.cases import DEFAULT


def test_a_reading_with_its_own_search_keeps_it_on_six_by_six() -> None:
    asked: list[Case] = []

    def look(case: Case) -> Outcome:
        asked.append(case)
        return case.blank()

    Rows("exact", look).large()
    assert dict(asked[0].params) == {**DEFAULT, "n_splits": 3, "search": "exact"}

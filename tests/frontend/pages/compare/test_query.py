from __future__ import annotations

from frontend.pages.compare.query import asked_entries


def test_an_address_names_runs_and_designs() -> None:
    assert asked_entries({"runs": "3,5,x,-1", "designs": "12,"}) == [
        {"run": 3, "design": 12},
        {"run": 5, "design": None},
    ]
    assert asked_entries({}) == []
    assert asked_entries({"runs": "9" * 30}) == []

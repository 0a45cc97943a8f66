from __future__ import annotations

from frontend.ids.run import RunIds
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import values
from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_the_front_has_every_design(people: People, run: Run, ask: Ask) -> None:
    answer = ask(
        people.viewer, f"{RunIds.FRONT}.figure...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}", values(run)
    )
    response = answer.json()["response"]
    assert response[RunIds.FRONT_SUMMARY]["aria-label"].startswith("Pareto front of 40 designs")
    assert response[RunIds.VIEW]["data"]["axes"] == ["latency_s", "energy_j", ""]
    assert response[RunIds.FRONT_EMPTY]["children"] == ""


def test_a_picture_fitted_to_few_designs_is_fitted_again(people: People, run: Run, ask: Ask) -> None:
    key = f"{RunIds.FRONT}.figure...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}"
    view = {"axes": ["latency_s", "energy_j", ""], "x": [5.0, 6.0], "y": [7.0, 8.0], "count": 8}
    early = ask(people.viewer, key, values(run, **{f"{RunIds.VIEW}.data": view})).json()["response"][RunIds.VIEW][
        "data"
    ]
    assert early["x"] != view["x"] and early["count"] == 40

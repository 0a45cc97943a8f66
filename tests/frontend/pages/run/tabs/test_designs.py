from __future__ import annotations

from typing import Any

import numpy as np

from frontend.ids.run import RunIds
from frontend.pages.run.run_reader import designs_of
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import values
from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_the_table_holds_what_passes_constraints_and_lasso(people: People, run: Run, ask: Ask) -> None:
    latency, energy = (designs_of(run).columns[name] for name in ("latency_s", "energy_j"))
    middle, high = float(np.median(latency)), float(energy.max()) + 1
    corners = [[0.0, 0.0], [middle, 0.0], [middle, high], [0.0, high]]
    lasso = {"x": "latency_s", "y": "energy_j", "points": corners}
    page = {f"{RunIds.TABLE}.getRowsRequest": {"startRow": 0, "endRow": 100}}

    def rows(**given: Any) -> int:
        answer = ask(people.viewer, f"{RunIds.TABLE}.getRowsResponse", values(run, **page, **given))
        return int(answer.json()["response"][RunIds.TABLE]["getRowsResponse"]["rowCount"])

    assert rows() == 40
    assert rows(**{f"{RunIds.REGION}.data": lasso}) == int((latency < middle).sum())
    assert rows(**{f"{RunIds.LIMITS}.data": {"latency_s": middle}}) == int((latency <= middle).sum())


def test_the_heads_of_the_table_follow_the_values(people: People, run: Run, ask: Ask) -> None:
    key = f"{RunIds.TABLE}.columnDefs"
    changed = f"{RunIds.DATA}.data"
    answer = ask(people.viewer, key, values(run, **{key: []}), changed).json()["response"][RunIds.TABLE]["columnDefs"]
    assert any("(" in column["headerName"] for column in answer)
    again = ask(people.viewer, key, values(run, **{key: answer}), changed)
    assert again.json()["response"] == {}

from __future__ import annotations

import base64

from engines.contract.results import Breakdown
from frontend.ids.run import RunIds
from frontend.pages.run.run_reader import explained
from frontend.pages.run.tabs.results import result_csv
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import panel, values
from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_the_convergence_tab_takes_the_scale_that_was_chosen(people: People, run: Run, ask: Ask) -> None:
    assert "'type': 'log'" in panel(ask, people.viewer, run, "convergence")
    linear = panel(ask, people.viewer, run, "convergence", **{f"{RunIds.SCALE}.data": "linear"})
    assert "'type': 'log'" not in linear and "Hypervolume" in linear


def test_a_result_is_saved_at_full_precision(people: People, run: Run, ask: Ask) -> None:
    results = explained(run, 3)
    name = next(result.name for result in results if isinstance(result, Breakdown))
    item = f'{{"name":"{name}","of":"design","type":"{RunIds.RESULT_TYPE}"}}'
    answer = ask(
        people.viewer, f"{RunIds.DOWNLOAD}.data", values(run, **{f"{item}.n_clicks": 1}), f"{item}.n_clicks"
    ).json()["response"][RunIds.DOWNLOAD]["data"]
    assert answer["filename"] == f"run-{run.pk}-design-3-{name}.csv"
    assert base64.b64decode(answer["content"]) == b"\xef\xbb\xbf" + result_csv(results, name)

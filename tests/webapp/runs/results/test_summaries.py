"""Values of runs in words for terminals."""

from __future__ import annotations

import pytest

from engines.contract.encoding.result_json import to_json
from engines.contract.results import Note
from tests.support.stored_runs import make_people
from webapp.runs import service
from webapp.runs.models import RunResult
from webapp.runs.results import summaries
from webapp.runs.results.summaries import si


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0.00123, "s", "1.23 ms"),
        (4.39e9, "J", "4.39 GJ"),
        (0.1, "Hz", "0.1 Hz"),
        (0.805, "%", "0.805 %"),
        (14.0, "h", "14 h"),
        (0.0, "%", "0 %"),
        (0.357, "of one", "35.7 %"),
        (float("nan"), "s", "-"),
    ],
)
def test_prefixes_stand_where_units_take_them(value: float, unit: str, words: str) -> None:
    assert si(value, unit) == words


@pytest.mark.django_db
def test_the_costs_of_a_run_are_told_with_precision_and_every_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    people = make_people()
    inputs = {"hardware": "jetson-agx-xavier", "workload": "resnet50"}
    run = service.create(people.owner, {"engine": "soc-mapping", "inputs": inputs, "params": {"unmeasured": "assumed"}})
    for note in (Note("far", "Far", "Far off.", "warning"), Note("chain", "Chain", "One after the other.")):
        content = to_json(note)
        RunResult.objects.create(run=run, name=note.name, type=content["type"], step_number=1, content=content)
    found, warning = summaries.cost_lines(run)
    assert found.startswith("Calibrated: ") and "activation estimated like others" in found and "×/÷ 1." in found
    assert warning == "Far off."

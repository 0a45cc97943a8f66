"""What is to be kept in mind about a run."""

from __future__ import annotations

from frontend.pages.report.caveats import caveats_of
from frontend.pages.run.run_reader import designs_of
from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_state_and_version_come_first_and_the_cost_model_is_named(people: People, runs: list[Run]) -> None:
    run = runs[0]
    found = caveats_of(run, designs_of(run))
    assert any("Predicted: Estimated by a model" in words for words in found)
    run.status, run.fraction, run.engine_version = "stopped", 0.5, 99
    found = caveats_of(run, designs_of(run))
    assert found[0].startswith("The run is stopped, 50") and "Version 99 of the engine" in found[1]


def test_an_estimate_without_a_measured_error_says_so(people: People, runs: list[Run]) -> None:
    found = " ".join(caveats_of(runs[0], designs_of(runs[0])))
    assert "Error band unknown: no held-out measurements." in found

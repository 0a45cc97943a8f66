from __future__ import annotations

import pytest

from engines.methods.scar.course import report as report_module
from engines.running import recorder as recorder_module
from tests.engines.methods.scar.problems import designs_of, run, scar_problem


def test_no_design_is_reported_twice() -> None:
    found = designs_of(run(scar_problem({"evaluations": 400})))
    texts = [str(decision) for decision in found.decisions]
    assert len(set(texts)) == len(texts)


def test_a_long_run_reports_a_sample_and_all_that_is_not_dominated(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = designs_of(run(scar_problem({"evaluations": 150})))
    monkeypatch.setattr(report_module, "MOST_DESIGNS", 60)
    monkeypatch.setattr(recorder_module, "SAMPLED_DESIGNS", 20)
    part = designs_of(run(scar_problem({"evaluations": 150})))
    assert len(part) <= 60 < len(everything)
    for column in ("latency_s", "energy_j", "edp_js"):
        assert part.columns[column].min() == everything.columns[column].min()

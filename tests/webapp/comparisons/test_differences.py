from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, give_other_engine, give_workload
from tests.support.toy_engine import ToyEngine
from webapp.comparisons.differences import differing, unlike
from webapp.runs.models import Run


def test_only_what_differs_is_named(people: People, runs: list[Any]) -> None:
    rows = {row.name: row.values for row in differing(runs)}
    assert rows == {"steps": ("2", "3"), "evaluations": ("8", "12")}
    assert differing([runs[0], runs[0]]) == []


def test_workload_model_and_estimator_decide_whether_runs_are_alike(
    people: People, runs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unlike(differing(runs)) == [], "another parameter only"
    give_other_engine(monkeypatch, runs[1])
    assert unlike(differing(runs)) == [], "another engine that computes the same by the same estimator"
    give_workload(monkeypatch, runs[0], "gpt-2")
    (row,) = unlike(differing(runs))
    assert row.name == "workload" and row.values == ("gpt-2 v1", "none") and row.telling, "an engine without that input"
    Run.objects.filter(pk=runs[1].pk).update(engine="toy")
    runs[1].refresh_from_db()
    runs[1].inputs.create(slot="workload", kind="workload", slug="copy", version=4, content={}, content_hash="a" * 64)
    assert unlike(differing(runs)) == [], "the same content under another name"

    cost = ToyEngine
    monkeypatch.setattr(cost, "estimator", lambda self, problem: (f"by {problem.params.steps} steps", "fitted"))
    monkeypatch.setattr(cost, "model", lambda self, problem: "toy net" if problem.params.steps == 2 else "")
    rows = {row.name: row.values for row in unlike(differing(runs))}
    assert rows == {"estimator": ("by 2 steps", "by 3 steps"), "model": ("toy net", "of its workload")}
    runs[1].engine_version += 1
    rows = {row.name: row.values for row in unlike(differing(runs))}
    assert rows["estimator"][1] == "of toy v2, not installed any more"


def test_documents_of_one_name_and_other_content_differ(people: People, runs: list[Any]) -> None:
    for run, digit in zip(runs, "ab", strict=True):
        run.inputs.create(slot="hardware", kind="hardware", slug="mine", version=1, content={}, content_hash=digit * 64)
        run.inputs.create(slot="workload", kind="workload", slug="same", version=1, content={}, content_hash="c" * 64)
    rows = {row.name: row.values for row in differing(runs)}
    assert rows["hardware"] == ("mine v1 (aaaaaaaa)", "mine v1 (bbbbbbbb)")
    assert "workload" not in rows

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from frontend.pages.compare.data import sides_of
from frontend.pages.compare.view import pairs_table
from tests.frontend.pages.compare.cases import page
from tests.support.stored_runs import People, finished_run, give_other_engine, give_workload
from tests.support.toy_engine import ToyWithoutCheckpointsEngine
from webapp.comparisons.service import Entry


def test_the_file_stands_on_its_own(people: People, runs: list[Any]) -> None:
    client = Client()
    client.force_login(people.viewer)
    query = {"runs": f"{runs[0].pk},{runs[1].pk}", "title": "<b>Why?</b>"}
    answer = client.get("/compare/page.html", query)
    text = answer.content.decode()
    assert answer.headers["Content-Disposition"] == f'attachment; filename="comparison-{runs[0].pk}-{runs[1].pk}.html"'
    assert "<title>&lt;b&gt;Why?&lt;/b&gt;</title>" in text and "Epsilon indicator" in text
    assert " src=" not in text.split("<script>")[0]
    client.force_login(people.stranger)
    assert client.get("/compare/page.html", query).status_code == 404


def test_between_unlike_runs_nothing_is_marked_as_better(
    people: People, runs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    query = f"?runs={runs[0].pk},{runs[1].pk}"
    alike = page(people.viewer, "/compare", query)
    assert "bold is better" in alike and "side by side" not in alike
    assert re.search(r"compare-bar run-[ab]", alike) and "r num b" in alike
    give_workload(monkeypatch, runs[0], "gpt-2")
    give_other_engine(monkeypatch, runs[1])
    monkeypatch.setattr(ToyWithoutCheckpointsEngine, "inputs", {})
    shown = page(people.viewer, "/compare", query)
    assert "These runs differ in workload: their values are side by side" in shown
    assert "gpt-2 v1 → none" in shown and "compare-bar" in shown
    for mark in ("bold is better", "r num b", "compare-bar run-a", "compare-bar run-b", "Covers the others", "Epsilon"):
        assert mark not in shown, mark
    third = finished_run(people, steps=2, designs_per_step=6)
    assert pairs_table(sides_of([Entry(run) for run in [*runs, third]])) is None
    client = Client()
    client.force_login(people.viewer)
    saved = client.get(f"/compare/page.html{query}").content.decode()
    assert "none of them is marked as better" in saved and "run-letter" in saved

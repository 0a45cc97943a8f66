"""What a report says of several runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontend.components.html_file import FileFigures
from frontend.components.static_html import static_html
from frontend.pages.compare.data import Side, sides_of
from frontend.pages.report.blocks import block_parts
from frontend.pages.report.canvas import FileCanvas
from frontend.pages.report.verdict import verdict_sentences
from tests.support.stored_runs import People
from webapp.comparisons.service import Entry
from webapp.reports.blocks import Block
from webapp.runs.models import Run


def _scaled(side: Side, factor: float) -> Side:
    columns = {**side.designs.columns, "latency_s": side.designs.columns["latency_s"] * factor}
    designs = replace(side.designs, columns=columns)
    return replace(side, designs=designs)


def test_the_better_run_is_named_with_its_lead(people: People, runs: list[Run]) -> None:
    one = sides_of([Entry(runs[0]), Entry(runs[0])])
    assert verdict_sentences(one).endswith("The runs reach the same value.")
    words = verdict_sentences([one[0], _scaled(one[1], 3.0)]).replace("\u00a0", " ")
    assert words.startswith("Best latency: run A ") and words.endswith("Run A has 3.00 × less latency than run B.")


def test_unlike_runs_are_not_ranked(people: People, runs: list[Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frontend.pages.report.verdict.unlike_names", lambda sides: "workload and estimator")
    one = sides_of([Entry(runs[0]), Entry(runs[0])])
    words = verdict_sentences([one[0], _scaled(one[1], 3.0)])
    assert "not ranked, because they differ in workload and estimator" in words and "less latency" not in words


def test_a_comparison_opens_with_its_result(people: People, runs: list[Run]) -> None:
    seen = {run.pk: run for run in runs}
    text = static_html(block_parts(Block("comparison", (runs[0].pk, runs[1].pk)), seen, FileCanvas(FileFigures(), "")))
    order = [
        text.index(words)
        for words in ("Best latency: run A", "The problems are the same.", "Design 00", "All measures")
    ]
    assert order == sorted(order)

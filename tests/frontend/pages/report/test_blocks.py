"""Blocks of a report where something is missing."""

from __future__ import annotations

import pytest

from frontend.components.html_file import FileFigures
from frontend.components.static_html import static_html
from frontend.pages.report.blocks import block_parts
from frontend.pages.report.canvas import PAGE_WIDTH_PX, FileCanvas, PageCanvas, page_canvas
from tests.support.stored_runs import People
from webapp.reports.blocks import Block
from webapp.runs.models import Run


def test_figures_of_a_file_and_of_a_page(people: People, runs: list[Run]) -> None:
    figures, block = FileFigures(), Block("front", (runs[0].pk,))
    written = static_html(block_parts(block, {runs[0].pk: runs[0]}, FileCanvas(figures, "https://example.org")))
    assert len(figures.drawings) == 1 and f'href="https://example.org/runs/{runs[0].pk}' in written
    assert "Graph" in str(block_parts(block, {runs[0].pk: runs[0]}, PageCanvas("light")))


def test_what_cannot_be_shown_says_why(people: People, runs: list[Run]) -> None:
    canvas, seen = PageCanvas("light"), {run.pk: run for run in runs}
    assert "Run 9999 is not shown" in str(block_parts(Block("front", (9999,)), seen, canvas))
    runs[0].engine_version = 99
    assert "Version 99 of the engine" in str(block_parts(Block("design", (runs[0].pk,), 1), seen, canvas))
    assert "contains no run yet" in str(block_parts(Block("caveats"), {}, canvas))


def test_a_table_has_the_best_designs_first(people: People, runs: list[Run]) -> None:
    written = static_html(
        block_parts(Block("designs", (runs[0].pk,), rows=1), {runs[0].pk: runs[0]}, FileCanvas(FileFigures(), ""))
    )
    assert written.count("<tr") == 2 and "designs on the front, best" in written


def test_figures_are_as_wide_as_a_phone(monkeypatch: pytest.MonkeyPatch) -> None:
    for width_px, wanted in ((390, 340), (1440, PAGE_WIDTH_PX)):
        monkeypatch.setattr("frontend.pages.report.canvas.remembered_viewport", lambda: {"width": width_px})  # noqa: B023
        assert page_canvas().width_px == wanted

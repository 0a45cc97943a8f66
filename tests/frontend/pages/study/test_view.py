"""The table of a study as drawn: colours, digits, the best of a row, the picked cell."""

from __future__ import annotations

from typing import Any

import pytest

from engines.registry import get_engine
from frontend.pages.study.view import (
    StudyQuery,
    asked_table,
    cell_view,
    digest_of,
    fill_of,
    legend,
    place_of,
    table_view,
)
from frontend.theme import contrast
from tests.support.stored_runs import People
from webapp.runs.models import Run
from webapp.studies import service, values
from webapp.studies.models import Study
from webapp.studies.values import RunValues

GRID = {"engine": "toy", "params": {"steps": {"each": [1, 2]}, "designs_per_step": {"each": [3, 4]}}, "seeds": [1, 2]}


@pytest.fixture
def study(people: People) -> Study:
    return service.create(people.owner, {**GRID, "title": "Grid"}, project=people.project)


def found(monkeypatch: pytest.MonkeyPatch, latencies: dict[tuple[int, int], float]) -> None:
    """Give the runs of a cell (steps, designs per step) a best latency."""

    def values_of(runs: Any, _quantities: Any) -> dict[int, RunValues]:
        given = {}
        for run in runs:
            latency = latencies.get((run.cell["params.steps"], run.cell["params.designs_per_step"]))
            given[run.pk] = RunValues({} if latency is None else {"latency_s": latency})
        return given

    monkeypatch.setattr("webapp.studies.tables.values_of", values_of)


def parts(component: Any, kind: str) -> list[Any]:
    return [each for each in component._traverse() if type(each).__name__ == kind]


def text(component: Any) -> str:
    return str(component)


def test_every_cell_is_a_button_and_the_best_of_its_row_is_bold(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, {(1, 3): 0.5, (1, 4): 0.25, (2, 3): 0.75})
    table, _ = asked_table(study, StudyQuery())
    drawn = table_view(table, study, get_engine("toy"), "0.1")
    buttons = parts(drawn, "Button")
    assert [getattr(button, "data-study-cell") for button in buttons] == ["0.0", "0.1", "1.0", "1.1"]
    assert ["best" in button.className for button in buttons] == [False, True, False, False]
    assert ["on" in button.className.split() for button in buttons] == [False, True, False, False]
    assert "250" in text(buttons[1]) and "750" in text(buttons[2]) and "0 of 2" in text(buttons[3])
    assert "Steps" in text(drawn) and "Latency in ms" in str(legend(table))


def test_medians_that_differ_by_rounding_are_both_the_best(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, {(1, 3): 0.3, (1, 4): 0.1 + 0.2})
    table, _ = asked_table(study, StudyQuery())
    buttons = parts(table_view(table, study, get_engine("toy"), None), "Button")
    assert ["best" in button.className for button in buttons] == [True, True, False, False]


def test_values_far_apart_keep_their_digits(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, {(1, 3): 0.000123, (1, 4): 1.23})
    drawn = table_view(asked_table(study, StudyQuery())[0], study, get_engine("toy"), None)
    assert "0.000123" in text(drawn) and "1.23" in text(drawn)


def test_every_fill_of_the_ramp_lets_its_words_be_read() -> None:
    fills = [fill_of(step / 50) for step in range(51)]
    assert min(contrast(fill, ink) for fill, ink in fills) >= 4.5
    assert fill_of(-1.0) == fills[0] and fill_of(2.0) == fills[-1]


def test_the_picked_cell_lists_its_runs_with_links(study: Study) -> None:
    table, _ = asked_table(study, StudyQuery())
    view = cell_view(table, study, get_engine("toy"), "1.1")
    runs = Run.objects.filter(study=study, params__steps=2, params__designs_per_step=4).order_by("seed")
    assert [link.href for link in parts(view, "Link")] == [f"/runs/{run.pk}" for run in runs]
    for nonsense in (None, "", "9.0", "0.9", "x.y", "1", "-1.0", "²."):
        assert place_of(table, nonsense) is None
        assert cell_view(table, study, get_engine("toy"), nonsense) is None


def test_the_runs_of_a_cell_and_of_a_row_lead_to_a_comparison(study: Study) -> None:
    shown, _ = asked_table(study, StudyQuery())
    assert not [
        link for link in parts(cell_view(shown, study, get_engine("toy"), "0.0"), "Link") if "compare" in link.href
    ]
    Run.objects.filter(study=study).update(design_count=3)
    values._known.clear()
    table, _ = asked_table(study, StudyQuery())
    links = [link.href for link in parts(cell_view(table, study, get_engine("toy"), "0.1"), "Link")]
    own = [str(each.run.pk) for each in table.rows[0].cells[1].runs]
    across = [str(cell.runs[0].run.pk) for cell in table.rows[0].cells]
    assert f"/compare?runs={','.join(own)}" in links and f"/compare?runs={','.join(across)}" in links


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        (StudyQuery("params.steps", "params.steps"), ("params.steps", "params.designs_per_step")),
        (StudyQuery("nonsense", "params.steps"), ("params.steps", "params.designs_per_step")),
        (StudyQuery("params.designs_per_step", "nonsense"), ("params.designs_per_step", "params.steps")),
        (StudyQuery(None, ""), ("params.steps", "")),
        (StudyQuery(None, None, "nonsense"), ("params.steps", "params.designs_per_step")),
    ],
)
def test_an_address_that_asks_for_nonsense_shows_the_usual_table(
    study: Study, asked: StudyQuery, shown: tuple[str, str]
) -> None:
    _, real = asked_table(study, asked)
    assert (real.rows, real.columns) == shown


def test_where_both_are_the_same_axis_the_choice_just_made_stays(study: Study) -> None:
    both = StudyQuery("params.steps", "params.steps")
    assert asked_table(study, both, keep="columns")[1].columns == "params.steps"


def test_the_digest_changes_with_a_run_and_only_then(study: Study) -> None:
    def digest() -> str:
        table, asked = asked_table(study, StudyQuery())
        return digest_of(table, service.progress(study), asked)

    first = digest()
    assert digest() == first
    Run.objects.filter(study=study, seed=1, params__steps=1).update(status="failed")
    assert digest() != first

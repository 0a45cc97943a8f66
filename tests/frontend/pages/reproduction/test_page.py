"""The pages of reproductions: published values from the first minute, ours beside them, and the run that computes them."""

from __future__ import annotations

import pytest

from engines.reproduction.reproductions import comparisons_of, listed, versions_of
from frontend.ids.run import RunIds
from tests.frontend.pages.reproduction.cases import page
from tests.support.stored_runs import People
from webapp.reproductions import runs
from webapp.reproductions.models import Reproduction
from webapp.reproductions.service import to_json


@pytest.mark.parametrize(
    ("method", "words"),
    [
        (
            "scar",
            (
                "2.30",
                "Section 4.5.3 / Fig 4.8",
                "micro-2024",
                "Compute, quick",
                "Compute all",
                "not computed yet",
            ),
        ),
        ("sbrs", ("12.5", "time units", "Algorithm 3")),
        ("seesaw", ("79.0", "Fig 3.13")),
        ("soc-mapping", ("Table 4", "0.740", "it is the engine that runs")),
    ],
)
def test_published_values_are_there_before_anything_is_computed(
    people: People, monkeypatch: pytest.MonkeyPatch, method: str, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr("webapp.reproductions.service.shipped_of", lambda _: None)
    shown = page(method)
    assert all(word in shown for word in words), [word for word in words if word not in shown]
    assert "not computed" in shown


def test_an_unknown_method_leads_to_those_that_exist(people: People) -> None:
    assert "No published results of that method" in page("toy")


def test_it_says_where_when_with_which_version_and_whether_that_is_out_of_date(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = {"engine": "sbrs", "engine_version": 1, "comparisons": [], "platform": {}, "duration_s": 2.0, "quick": True}
    version = versions_of("sbrs")["sbrs"]
    assert f"computed at release with sbrs {version} on 20" in page("sbrs") and "Recompute all" in page("sbrs")
    rows = [to_json(row) for row in comparisons_of("sbrs", quick=True)]
    made = Reproduction.objects.create(**{**facts, "comparisons": rows}, versions={"sbrs": version})
    shown = page("sbrs")
    here = f"{len(rows)} of {len(listed('sbrs'))} values: computed here with sbrs {version} on {made.created:%Y-%m-%d %H:%M} UTC"
    assert here in shown and "computed at release" in shown and "out of date" not in shown
    monkeypatch.setattr("webapp.reproductions.service.versions_of", lambda _: {"sbrs": 99})
    assert "out of date" in page("sbrs")


def test_its_run_opens_on_the_tables(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    from frontend.pages.run import page as run_page
    from frontend.pages.run import run_reader

    run = runs.start(people.owner, "sbrs", quick=True)
    monkeypatch.setattr(run_page, "current_user", lambda: people.owner)
    monkeypatch.setattr(run_reader, "current_user", lambda: people.owner, raising=False)
    (tab,) = [part for part in run_page.layout(str(run.pk))._traverse() if getattr(part, "id", None) == RunIds.TAB]
    assert tab.data == "data"

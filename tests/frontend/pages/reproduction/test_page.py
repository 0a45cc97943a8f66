"""The pages of reproductions: published values from the first minute, ours beside them, and the run that computes them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from engines.registry import get_engine
from engines.reproduction.comparisons import Comparison, Key
from engines.reproduction.published_values import PublishedValue
from engines.reproduction.reproductions import comparisons_of, listed, versions_of
from frontend.bridge import get_app
from frontend.ids.run import RunIds
from tests.support.stored_runs import People, make_people
from webapp.reproductions import runs
from webapp.reproductions.models import Reproduction
from webapp.reproductions.service import Made, Shown, to_json
from webapp.runs.models import Run


@pytest.fixture
def people(db: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.bell.ring", lambda: None)
    get_app()  # pages can only be imported once it is there
    found = make_people()
    for module in ("reproduction.page", "reproduction.listing", "reproduction.callbacks", "home.reproductions"):
        monkeypatch.setattr(f"frontend.pages.{module}.current_user", lambda: found.owner)
    return found


AT_RELEASE = Made("release", date(2024, 2, 1), {"scar": 1}, False, None, False)


def page(method: str, **query: str) -> str:
    from frontend.pages.reproduction import page as method_page

    return str(method_page.layout(method, **query).to_plotly_json())


def body(rows: list[Comparison], computed: set[Key] | None = None, **asked: str) -> str:
    """What the page of SCAR shows of these rows."""
    from frontend.pages.reproduction.view import body as draw
    from frontend.pages.reproduction.words import Asked

    made = dict.fromkeys({row.key for row in rows} if computed is None else computed, AT_RELEASE)
    return str(draw(Shown("scar", tuple(rows), made), Asked(**asked), "light").to_plotly_json())


def a_row(
    name: str, reading: str, ours: float, ordering: bool | None, anchor: str = "a-2024", **more: Any
) -> Comparison:
    facts = {
        "published": 2.5,
        "unit": "x",
        "kind": "predicted",
        "where": "Table 1",
        "reason": "Other mappings.",
        "group": "Table 1",
    }
    return Comparison(name=name, reading=reading, ours=ours, ordering=ordering, anchor=anchor, **{**facts, **more})


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
        ("soc-mapping", ("Table 4", "0.740", "it is the engine that is run")),
    ],
)
def test_published_values_are_there_before_anything_is_computed(
    people: People, monkeypatch: pytest.MonkeyPatch, method: str, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr("webapp.reproductions.service.shipped_of", lambda _: None)
    shown = page(method)
    assert all(word in shown for word in words), [word for word in words if word not in shown]
    assert "not computed" in shown


def test_the_overview_and_home_have_a_card_per_method(people: People) -> None:
    from frontend.pages.home import reproductions as home_reproductions
    from frontend.pages.reproduction import listing

    for shown in (str(listing.layout().to_plotly_json()), str(home_reproductions.show_reproductions(""))):
        for method in ("magnas", "sbrs", "scar", "seesaw"):
            assert f"/reproductions/{method}" in shown and get_engine(method).title in shown
        assert "computed at release" in shown and "ours not computed" not in shown


def test_an_unknown_method_leads_to_those_that_exist(people: People) -> None:
    assert "No published results of that method" in page("toy")


def test_rows_tell_published_ours_ratio_verdict_and_why(people: People) -> None:
    rows = [
        a_row("A over B", "one", 1.75, True),
        a_row("A over B", "two", 0.5, False),
        a_row("C over D", "one", 3.0, True, anchor="b-2024"),
        a_row("E", "one", 2.4, None, kind="fitted", reason="", group="Table 2"),
        a_row("F, layers", "one", 23.0, None, published=23.0, unit="layers", reason="", group="Table 3"),
    ]
    shown = body(rows)
    for words in (
        "a-2024", "b-2024", "2.50", "1.75", "0.500 to 1.75", "'0.70'", "differs", "holds", "fit only", "1 of 2", "All 2 readings",
        "as published with one; not with two", "Other mappings.", "'23'", "Why they differ",
    ):  # fmt: skip
        assert words in shown, words


def test_a_table_and_a_verdict_can_be_asked_for(people: People) -> None:
    rows = [a_row("A over B", "", 1.75, True), a_row("C over D", "", 2.5, True, group="Table 2", where="Table 2")]
    only = body(rows, table="a-2024/Table 2")
    assert "C over D" in only and "A over B" not in only
    holding = body(rows, verdict="holds")
    assert "C over D" in holding and "A over B" not in holding
    assert "No comparison like that" in body(rows, verdict="exact")


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


def test_a_run_on_its_way_replaces_the_buttons_and_can_be_stopped_and_continued(people: People) -> None:
    from frontend.pages.reproduction.callbacks import _do
    from frontend.pages.reproduction.job import actions, job_strip, state_of

    _do("quick", people.owner, "sbrs")
    _do("full", people.owner, "sbrs")  # a second click finds the first one's run
    run = Run.objects.get()
    assert run.params == {"method": "sbrs", "quick": True} and actions("sbrs", run, True) == []
    waiting = str(job_strip(people.owner, run))
    assert "waits for a worker" in waiting and "Stop" in waiting and f"/runs/{run.pk}" in waiting
    assert "reproduction-action" in waiting and "reproduction-action" not in str(job_strip(people.viewer, run))
    before = state_of(run)
    _do("stop", people.owner, "sbrs")
    stopped = runs.newest_run(people.owner, "sbrs")
    assert stopped is not None and stopped.status == "stopped" and state_of(stopped) != before
    assert "Continue after part 0 of 7" in str(job_strip(people.owner, stopped))
    _do("continue", people.owner, "sbrs")
    run.refresh_from_db()
    assert run.status == "queued"


def test_a_crash_is_shown_with_its_words(people: People) -> None:
    from frontend.pages.reproduction.job import job_strip

    run = runs.start(people.owner, "sbrs", quick=True)
    detail = {"text": "The process was killed by SIGKILL."}
    Run.objects.filter(pk=run.pk).update(status="failed", outcome="error", outcome_detail=detail)
    failed = runs.newest_run(people.owner, "sbrs")
    shown = str(job_strip(people.owner, failed))
    assert "Failed" in shown and "killed by SIGKILL" in shown and "Continue after" in shown


def test_its_run_opens_on_the_tables(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    from frontend.pages.run import page as run_page
    from frontend.pages.run import reading

    run = runs.start(people.owner, "sbrs", quick=True)
    monkeypatch.setattr(run_page, "current_user", lambda: people.owner)
    monkeypatch.setattr(reading, "current_user", lambda: people.owner, raising=False)
    (tab,) = [part for part in run_page.layout(str(run.pk))._traverse() if getattr(part, "id", None) == RunIds.TAB]
    assert tab.data == "data"


def test_what_is_printed_and_not_compared_is_shown_with_the_reason(people: People) -> None:
    shown = page("magnas")
    for words in (
        "Printed, and not compared", "94.15", "S-G-S-G", "cannot be built",
        "ooe gpu latency speedup", "of 284 printed values have a row",
    ):  # fmt: skip
        assert words in shown, words
    assert "Printed, and not compared" not in page("scar")


def test_a_row_without_a_value_under_the_first_reading_names_its_own(people: People) -> None:
    assert "Section 3.3.2 · under board powers" in page("seesaw")  # the life at 1 Hz went into the other calibration
    assert "under default" not in page("scar")


def test_values_that_are_not_compared_make_a_grid_where_most_things_have_most_quantities(people: People) -> None:
    from frontend.pages.reproduction.uncompared import _values

    def heads(*names: str) -> list[str]:
        values = [PublishedValue("a-2024", name, number / 4, "%", "Table 1") for number, name in enumerate(names)]
        (table,) = [part for part in _values(values)._traverse() if type(part).__name__ == "Table"]
        return [part.children[0] for part in table._traverse() if type(part).__name__ == "Th"]

    assert heads("t1.one.a0.top1", "t1.one.a1.top1", "t1.two.a0.top1", "t1.two.a1.top1") == ["top1", "a0", "a1"]
    assert heads("t1.one.a", "t1.two.b", "t1.three.c") == ["Of", "Printed", "Place"] == heads("fig3.6.error")


def test_a_table_says_how_many_of_its_values_are_fitted() -> None:
    from frontend.pages.reproduction.words import kinds_words

    assert kinds_words(["exact", "exact"]) == "ours: the method's algorithm on printed inputs"
    assert kinds_words(["fitted", "predicted", "fitted"]) == (
        "ours: 2 fitted to such values; 1 predicted, not fitted to such values"
    )

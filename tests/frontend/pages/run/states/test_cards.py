"""What the run page shows in place of figures."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from engines.errata import Erratum
from frontend.designs.run_words import run_state
from frontend.pages.run.states.cards import errata_strip, state_card
from tests.support.stored_runs import People
from webapp.runs.models import Run
from webapp.runs.queue.claim import Offer
from webapp.runs.queue.workers import beat


def words(part: Any) -> str:
    """Every string in a component."""
    if isinstance(part, str | int):
        return f"{part} "
    children = part if isinstance(part, list | tuple) else getattr(part, "children", None)
    return (
        ""
        if children is None
        else "".join(words(child) for child in (children if isinstance(children, list | tuple) else [children]))
    )


def links(part: Any) -> list[str]:
    return [node.href for node in part._traverse() if getattr(node, "href", None)]


def changed(run: Run, **fields: Any) -> Run:
    Run.objects.filter(pk=run.pk).update(**fields)
    run.refresh_from_db()
    return run


def test_a_finished_run_needs_no_card(run: Run) -> None:
    assert state_card(run, editable=True) is None


def test_a_run_of_an_engine_version_with_wrong_values_says_so_and_can_be_run_again(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = run.engine_version
    later, same = (Erratum(run.engine, each, f"Energy of {each}.", "A unit.") for each in (version + 1, version))
    monkeypatch.setattr("engines.errata.all_errata", lambda: (same,))
    assert errata_strip(run) is None
    monkeypatch.setattr("engines.errata.all_errata", lambda: (later, same))
    strip = errata_strip(run)
    assert links(strip) == [f"/new?from={run.pk}"]
    assert f"Corrected since: Energy of {version + 1}. The stored metrics" in words(
        strip
    ) and f"Energy of {version}." not in words(strip)


def test_infeasible_shows_limit_needed_there_gap_and_remedies(run: Run) -> None:
    detail = {
        "kind": "infeasible", "limit": "chiplets in window 1", "demand": 11.0, "bound": 9.0, "unit": "chiplets", "gap": 2.0,
        "remedies": [{"text": "a larger package", "field": "hardware"}, {"text": "more windows", "field": "params.n_splits"}],
    }  # fmt: skip
    card = state_card(changed(run, outcome="infeasible", outcome_detail=detail, design_count=0), editable=True)
    text = words(card).replace("\u00a0", " ")
    assert "Limits of this item Needed Limit Gap " in text
    assert "chiplets in window 1 11 chiplets 9 chiplets 2 chiplets" in text
    assert "a larger package" in text and "Change hardware" in text and "Change n_splits" in text
    assert links(card) == [f"/new?from={run.pk}"] * 2
    of_scar = changed(run, engine="scar", outcome="infeasible", outcome_detail=detail, design_count=0)
    assert "Change “Window boundaries”" in words(state_card(of_scar, editable=True))
    assert "alone" in card.className  # type: ignore[union-attr]


def test_failed_says_what_happened_what_is_kept_and_how_to_go_on(run: Run) -> None:
    detail = {
        "kind": "exception", "text": "The engine raised an exception.", "traceback": "Traceback\n  File x\nValueError: bad",
        "reasons": [{"attempt": 1, "worker": "w", "reason": "exit status 1."}],
    }  # fmt: skip
    failed = changed(run, status="failed", outcome="error", outcome_detail=detail)
    text = words(state_card(failed, editable=True)).replace("\u2009", " ")
    for expected in (
        "The engine raised",
        "attempt 1: exit status 1.",
        "40 designs are stored",
        "ValueError: bad",
        "Continue",
    ):
        assert expected in text
    assert "Continue" not in words(state_card(failed, editable=False))


def test_queued_without_a_worker_says_so(run: Run) -> None:
    assert "No worker is running" in words(state_card(changed(run, status="queued"), editable=True))


def test_queued_for_want_of_what_no_worker_offers_says_so(run: Run) -> None:
    beat("one", 1, 0, Offer(frozenset({"data"})))
    waiting = changed(run, status="queued", needs="gpu,torch")
    assert "No running worker offers gpu and torch." in words(state_card(waiting, editable=True))
    beat("two", 1, 0, Offer(frozenset({"gpu", "torch"}), short_only=True))
    soon = words(state_card(changed(run, estimated_s=1.0, queued_at=timezone.now()), editable=True))
    assert "No run before it, estimated to start at once." in soon
    long_one = words(state_card(changed(run, estimated_s=100.0), editable=True))
    assert "No running worker takes runs estimated at more than 60 s." in long_one


def test_stopped_says_what_is_kept(run: Run) -> None:
    assert "40 designs are stored" in words(state_card(changed(run, status="stopped", fraction=0.5), editable=True))
    begun = {
        step: words(state_card(changed(run, status="stopped", step_number=step), editable=True)) for step in (0, 3)
    }
    assert "Continue begins again." in begun[0] and "Continue resumes from here." in begun[3]


@pytest.mark.parametrize(
    ("fields", "word", "kind"),
    [
        ({"status": "running", "fraction": 0.62}, "Running", "acc"),
        ({"status": "running", "wish": "stop"}, "Stopping", "warn"),
        ({"status": "failed"}, "Failed", "bad"),
        ({"status": "done", "outcome": "infeasible", "outcome_detail": {"limit": "chiplets"}}, "Infeasible", "warn"),
    ],
)
def test_a_state_is_a_word_and_a_fact(run: Run, people: People, fields: dict[str, Any], word: str, kind: str) -> None:
    state = run_state(changed(run, **fields), timezone.now())
    assert (state.word, state.kind) == (word, kind)
    assert state.fact


def test_a_time_limit_that_was_reached_is_a_plain_fact_with_a_way_to_go_on(run: Run) -> None:
    over = changed(run, status="stopped", fraction=0.4, stop_after_minutes=10.0, computed_s=600.2)
    text = words(state_card(over, editable=True)).replace("\u00a0", " ")
    assert "Stopped: time limit of 10 min reached, at 40 %. 40 designs are stored" in text and "Continue for" in text
    assert "Continue for" not in words(state_card(over, editable=False))
    assert run_state(over, timezone.now()).fact == "time limit of 10 min reached"
    asked = changed(run, computed_s=300.0)
    assert "Stopped at" in words(state_card(asked, editable=True)) and not asked.time_limit_reached

"""Judging a draft: its plan, or each mistake at its field."""

from __future__ import annotations

from dataclasses import replace

from engines.contract.errors import ProblemError
from engines.registry import get_engine
from frontend.figures.numbers import si
from frontend.pages.drafts import SEED, Draft, changed_words
from frontend.pages.new.initial_draft import entries_of
from frontend.pages.new.summary import Judgement, field_help, judge, judgement_of, queue_now, summary, title_of
from tests.frontend.pages.new.drafts_for_tests import DRAFT, SCAR
from tests.frontend.pages.run.states.test_cards import words
from tests.support.stored_runs import People
from webapp.runs.models import Run
from webapp.runs.queue.claim import Offer
from webapp.runs.queue.workers import beat


def test_a_good_draft_gets_a_plan_and_a_summary(people: People) -> None:
    judgement = judge(people.owner, DRAFT, SCAR)
    assert judgement.ready and judgement.plan is not None and judgement.plan.evaluations == 4200
    text = words(summary(DRAFT, SCAR, entries_of(people.owner, SCAR), judgement))
    for expected in (f"SCAR {SCAR.version}", "Will it fit?", "Before it starts", "4 models on 9 chiplets"):
        assert expected in text
    latency = judgement.plan.bounds[0]
    assert f"at least {si(latency.value, latency.unit)}" in text


def test_every_field_that_needs_a_change_is_named(people: People) -> None:
    draft = replace(DRAFT, inputs={"hardware": "simba-3x3-het-sides"}, params={"evaluations": 3})
    text = words(summary(draft, SCAR, entries_of(people.owner, SCAR), judge(people.owner, draft, SCAR)))
    assert (
        "2 fields need a change:" in text
        and "Evaluations" in text
        and "Workload" in text
        and "Choose a workload" in text
    )
    one = words(summary(DRAFT, SCAR, {}, Judgement(parameters={SEED: "Must be a number"})))
    assert "One field needs a change:" in one and "Seed" in one and "Must be a number" in one


def test_the_summary_lists_only_what_differs_from_the_defaults(people: People) -> None:
    entries, given = entries_of(people.owner, SCAR), {"baselines": False, "n_splits": 7, "evaluations": 4200}
    draft = replace(DRAFT, params=given)
    text = words(summary(draft, SCAR, entries, judge(people.owner, draft, SCAR)))
    assert "Changed from the defaults" in text and "Off" in text and "4\u2009200" not in text.partition("Cost")[0]
    assert changed_words(SCAR, draft) == "all have defaults; 2 changed"
    mapping = get_engine("soc-mapping")
    ready = mapping.presets[0]
    filled = changed_words(mapping, Draft("soc-mapping", dict(ready.inputs), dict(ready.params)))
    assert filled == f"all have defaults; 1 changed, as in the preset “{ready.title}”"
    untouched = words(summary(DRAFT, SCAR, entries, judge(people.owner, DRAFT, SCAR)))
    assert "All parameters have their default values" in untouched and "Seed" not in untouched


def test_mistakes_stand_at_their_fields(people: People) -> None:
    judgement = judge(people.owner, replace(DRAFT, params={"n_splits": 12, "evaluations": "many"}, seed=-1), SCAR)
    assert not judgement.ready and set(judgement.parameters) == {"n_splits", "evaluations", SEED}
    lines = field_help(SCAR, judgement)
    assert lines["n_splits"] == ("Must be a whole number from 0 to 8. Got 12 instead", True)
    assert lines["top_k"][1] is False


def test_a_missing_or_unknown_document_stands_at_its_slot(people: People) -> None:
    assert judge(people.owner, Draft("scar", {"hardware": "simba-3x3-nvdla"}), SCAR).slots == {
        "workload": "Choose a workload"
    }
    unknown = judge(people.owner, Draft("scar", {**DRAFT.inputs, "hardware": "no-such"}), SCAR)
    assert "no-such" in unknown.slots["hardware"]


def test_where_an_error_belongs() -> None:
    assert judgement_of(ProblemError("params.n_splits", 9, "at most 8")).parameters == {
        "n_splits": "Must be at most 8. Got 9 instead"
    }
    assert judgement_of(ProblemError("inputs.hardware.package.rows", 0, "1 or more")).slots == {
        "hardware": "package.rows: Must be 1 or more. Got 0 instead"
    }
    assert judgement_of(ProblemError("seed", -1, "0 or more")).other


def test_the_default_title_names_workload_and_hardware(people: People) -> None:
    title = title_of(DRAFT, SCAR, entries_of(people.owner, SCAR))
    assert " on " in title and ":" not in title.split(" on ")[0]


def test_an_estimate_of_minutes_keeps_its_units_together(people: People) -> None:
    plan = judge(people.owner, DRAFT, SCAR).plan
    assert plan is not None
    text = words(summary(DRAFT, SCAR, entries_of(people.owner, SCAR), Judgement(plan=replace(plan, time_s=(6.3, 157)))))
    assert "2\u00a0min 37\u00a0s" in text


def test_the_queue_counts_waiting_runs(people: People, run: Run) -> None:
    assert queue_now() == "empty, no worker running"
    Run.objects.filter(pk=run.pk).update(status="queued")
    assert queue_now() == "1 waiting, no worker running"


def test_it_says_what_no_worker_of_now_offers(people: People) -> None:
    engine = get_engine("train-supernet")
    draft = Draft(engine.name, {})

    def text() -> str:
        return words(summary(draft, engine, {}, judge(people.owner, draft, engine)))

    assert "No running worker" not in text()
    beat("one", 1, 0, Offer(frozenset({"data"})))
    assert "No running worker offers torch. The run stays queued and starts when one does" in text()
    beat("one", 1, 0, Offer(frozenset({"data", "torch"})))
    assert "No running worker" not in text()


def test_a_limit_that_nothing_can_keep_stands_above_everything_else(people: People) -> None:
    engine = get_engine("soc-mapping")
    inputs = {"hardware": "jetson-agx-xavier", "workload": "magnas-vig-s-gin"}

    def first(params: dict[str, float]) -> str:
        draft = Draft(engine.name, inputs, params)
        return words(summary(draft, engine, {}, judge(people.owner, draft, engine))[0])

    assert "no design needs less than" in first({"latency_limit_s": 0.001})
    assert "infeasible" not in first({"latency_limit_s": 1.0})


def test_a_time_limit_is_judged_and_told_where_it_comes_before_the_estimate(people: People) -> None:
    entries = entries_of(people.owner, SCAR)
    wrong = judge(people.owner, replace(DRAFT, stop_after_minutes="soon"), SCAR)
    assert not wrong.ready and wrong.time_limit.startswith("Must be a number of minutes above 0")
    assert "Stop after" in words(summary(DRAFT, SCAR, entries, wrong))
    short = replace(DRAFT, stop_after_minutes=0.001)
    text = words(summary(short, SCAR, entries, judge(people.owner, short, SCAR)))
    assert "Stops after 0.001 min, before its estimated end" in text
    long = replace(DRAFT, stop_after_minutes=1000)
    assert "Stops after" not in words(summary(long, SCAR, entries, judge(people.owner, long, SCAR)))

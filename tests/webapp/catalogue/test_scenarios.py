"""Scenarios as people put them together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.workloads.loader import load_scenario
from tests.engines.methods.scar.problems import tiny_network
from tests.support.stored_runs import People
from webapp.catalogue.scenarios import DraftModel, ScenarioDraft, content_of, draft_of, save, slug_in, without_model
from webapp.catalogue.service import get_entry, store_version
from webapp.teams.visibility import NotAllowed


def draft(*models: DraftModel, **more: Any) -> ScenarioDraft:
    return ScenarioDraft("Two of them", "a test", models=models, **more)


@pytest.fixture
def own_network(people: People) -> str:
    store_version(people.owner, people.project, "workload", tiny_network("mine", (3, 4), 6))
    return f"{people.project.slug}/mine"


def test_a_draft_is_saved_and_opens_again_as_its_next_version(people: People, own_network: str) -> None:
    models = (
        DraftModel("resnet18", {"batch": 4, "rate_fps": 30.0, "priority": 1}),
        DraftModel(own_network, {"batch": 1, "depends_on": "resnet18", "rate_fps": None}),
    )
    version = save(people.editor, people.project, draft(*models))
    assert (version.document.slug, version.number) == ("two-of-them", 1)
    first, second = load_scenario(version.content).models
    assert (first.network.slug, first.batch, first.rate_fps, first.priority) == ("resnet18", 4, 30, 1)
    assert (second.network.slug, second.depends_on, second.rate_fps) == ("mine", "resnet18", None)

    again = draft_of(people.editor, f"{people.project.slug}/two-of-them")
    assert (again.slug, again.project, again.title) == ("two-of-them", people.project.slug, "Two of them")
    assert again.models[0].terms == {"batch": 4, "rate_fps": 30.0, "priority": 1}
    assert again.models[1] == DraftModel("mine", {"batch": 1, "depends_on": "resnet18"}, written_out=1)
    assert save(people.editor, people.project, again).number == 1  # nothing changed
    changed = replace(again, title="Three of them")
    assert save(people.editor, people.project, changed).number == 2


def test_a_built_in_scenario_opens_as_a_copy(people: People) -> None:
    opened = draft_of(people.viewer, "xrbench-ar-assistant")
    assert (opened.slug, opened.project, opened.origin) == ("", "", "xrbench-ar-assistant@1")
    assert opened.title == "XRBench: AR assistant (copy)"
    assert opened.summary == "Usage scenario with target rates; one frame of every model."
    assert opened.source.startswith("changed copy of xrbench-ar-assistant; ")
    assert opened.models[1].terms == {
        "batch": 1, "rate_fps": 3, "probability": 0.5, "depends_on": "res8-narrow-xrbench"
    }  # fmt: skip
    assert save(people.editor, people.project, opened).document.slug == "xrbench-ar-assistant-copy"


def test_a_network_opens_as_one_model_and_others_see_a_copy(people: People) -> None:
    assert draft_of(people.viewer, "vgg16").models == (DraftModel("vgg16", {"batch": 1}),)
    save(people.editor, people.project, draft(DraftModel("vgg16")))
    assert draft_of(people.viewer, f"{people.project.slug}/two-of-them").slug == ""
    with pytest.raises(ProblemError):
        draft_of(people.stranger, f"{people.project.slug}/two-of-them")


def test_names_are_made_of_titles_and_never_taken(people: People) -> None:
    assert slug_in(people.project, draft()) == "two-of-them"
    save(people.editor, people.project, draft(DraftModel("vgg16")))
    assert slug_in(people.project, draft()) == "two-of-them-2"
    assert slug_in(people.project, ScenarioDraft("  ÄÖ  ")) == "ao"
    assert slug_in(people.project, ScenarioDraft("ResNet50")) == "resnet50-2"
    assert slug_in(people.project, ScenarioDraft("x" * 200)).startswith("x" * 69 + "-")
    assert slug_in(people.project, draft(slug="kept", project="elsewhere")) == "two-of-them-2"


def test_what_is_wrong_is_named_and_nothing_is_stored(people: People) -> None:
    for models, field in (
        ((), "models"),
        ((DraftModel("resnet51"),), "models.0.network"),
        ((DraftModel("vgg16", {"batch": 0}),), "models.0.batch"),
        ((DraftModel("vgg16"), DraftModel("vgg19", {"batch": 1, "rate_fps": -1})), "models.1.rate_fps"),
    ):
        with pytest.raises(ProblemError) as caught:
            save(people.editor, people.project, draft(*models))
        assert caught.value.field == field
    with pytest.raises(NotAllowed):
        save(people.viewer, people.project, draft(DraftModel("vgg16")))
    with pytest.raises(ProblemError):
        get_entry(people.owner, "workload", "two-of-them")


def test_a_network_that_is_gone_from_the_origin_is_named(people: People) -> None:
    with pytest.raises(ProblemError) as caught:
        content_of(people.owner, draft(DraftModel("mine", written_out=7), origin="mlperf-scenario-1@1"), people.project)
    assert caught.value.field == "origin"


def test_who_waited_for_a_model_that_is_taken_away_waits_no_more() -> None:
    waiting = DraftModel("vgg16", {"batch": 1, "depends_on": "mine"})
    left = without_model(draft(DraftModel("lab/mine"), waiting, DraftModel("vgg19")), 0)
    assert left.models == (DraftModel("vgg16", {"batch": 1}), DraftModel("vgg19"))

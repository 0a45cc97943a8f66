"""The page on which scenarios are built, as the browser asks for it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from frontend.bridge import get_app
from frontend.ids.scenario import ScenarioIds as Ids
from frontend.pages.scenario.data import (
    Form,
    Judgement,
    network_choices,
    opened,
    seeds_of,
    shown_value,
    with_network,
    without_row,
)
from frontend.pages.scenario.view import models_table, summary
from tests.engines.methods.scar.problems import tiny_network
from tests.frontend.conftest import Ask
from tests.support.stored_runs import People
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.scenarios import ScenarioDraft, draft_of, save
from webapp.catalogue.service import store_version

TWO = ("resnet18", "vgg16")


def drawn_page(principal: Any, draft: ScenarioDraft) -> str:
    """The page as text; pages register themselves with the application, which must be there first."""
    get_app()
    from frontend.pages.scenario.page import page

    return str(page(principal, opened(draft, principal)))


def asked_for(principal: Any, **query: str) -> ScenarioDraft:
    get_app()
    from frontend.pages.scenario.page import opening_draft

    return opening_draft(principal, query)


def key(**parts: Any) -> str:
    return json.dumps(parts, separators=(",", ":"), sort_keys=True)


def sent(form: Form, typed: dict[tuple[int, str], str] | None = None, **words: str) -> dict[str, Any]:
    """What the browser sends of an open page."""
    values: dict[str, Any] = {f"{Ids.FORM}.data": form.to_json(), f"{Ids.PROJECT}.value": "lab"}
    values |= {f"{Ids.TITLE}.value": "", f"{Ids.SOURCE}.value": "a test"}
    values |= {f"scenario-{name}.value": word for name, word in words.items()}
    for row, model in zip(form.keys, form.draft.models, strict=True):
        for name in ("batch", "rate_fps", "priority"):
            field = key(name=name, row=row, type=Ids.FIELD_TYPE)
            values[f"{field}.value"] = (typed or {}).get((row, name), shown_value(model, name))
        values |= {f"{key(name=kind, row=row, type=Ids.WORK_TYPE)}.id": None for kind in ("batch", "rate")}
        values[f"{key(row=row, type=Ids.REMOVE_TYPE)}.n_clicks"] = None
    return values


@pytest.fixture
def two(people: People) -> Form:
    return opened(seeds_of(TWO), people.editor)


def shown(response: Any) -> dict[str, Any]:
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()["response"]
    return found


def test_an_address_fills_the_page(people: People) -> None:
    drawn = drawn_page(people.editor, asked_for(people.editor, networks="resnet18,vgg16"))
    assert "ResNet-18, 224x224" in drawn and "VGG-16, 224x224" in drawn and "put together by eve" in drawn
    copy = asked_for(people.editor, **{"from": "xrbench-ar-gaming", "version": "1"})
    assert copy.models[0].network == "hand-graph-cnn-xrbench"
    assert "New scenario from xrbench-ar-gaming" in drawn_page(people.editor, copy)
    with pytest.raises(ProblemError):
        asked_for(people.stranger, **{"from": "lab/mine"})


def test_one_s_own_scenario_opens_with_its_written_out_network(people: People) -> None:
    store_version(people.editor, people.project, "workload", tiny_network("mine", (3, 4), 6))
    draft = ScenarioDraft("Mine", "a test", models=seeds_of(["lab/mine", "vgg16"]).models)
    saved = save(people.editor, people.project, draft)
    drawn = drawn_page(people.editor, draft_of(people.editor, f"lab/{saved.document.slug}"))
    assert "Edit Mine" in drawn and "Saves version 2 of lab/mine-2" in drawn
    assert "2 models" in drawn


def test_networks_are_grouped_and_any_length_is_found_by_name(people: People) -> None:
    store_version(people.editor, people.project, "workload", tiny_network("mine", (3, 4), 6))
    plain = network_choices(people.editor)
    assert plain[0] == {"group": "Your own", "items": [{"value": "lab/mine", "label": "Three convolutions, mine"}]}
    assert "Image classification" in [each["group"] for each in plain]
    found = network_choices(people.editor, " BERT-large-200 ")
    assert found[0]["items"] == [{"value": "bert-large-200", "label": "BERT-Large, 200 tokens (bert-large-200)"}]
    assert found == network_choices(people.editor, "BERT-Large, 200 tokens (bert-large-200)")
    assert network_choices(people.editor, "bert-large-1000") == plain
    assert network_choices(people.editor, "resnet18") == plain


def test_rows_come_and_go_and_keep_what_was_typed(people: People, two: Form, ask: Ask) -> None:
    typed = {(1, "batch"): "12", (1, "rate_fps"): "30"}
    more = sent(two, typed) | {f"{Ids.ADD}.value": "bert-base-77"}
    answer = shown(ask(people.editor, f"{Ids.FORM}.data", more, f"{Ids.ADD}.value"))
    form = Form.from_json(answer[Ids.FORM]["data"])
    assert form.keys == (0, 1, 2) and form.draft.models[1].terms["rate_fps"] == 30
    assert "BERT-base, 77 tokens" in str(answer[Ids.MODELS]) and answer[Ids.ADD]["value"] is None

    removed = key(row=0, type=Ids.REMOVE_TYPE)
    answer = shown(
        ask(people.editor, f"{Ids.FORM}.data", sent(form) | {f"{removed}.n_clicks": 1}, f"{removed}.n_clicks")
    )
    form = Form.from_json(answer[Ids.FORM]["data"])
    assert form.keys == (1, 2)
    assert form.draft.models[0].terms == {"batch": 12, "rate_fps": 30, "priority": None}
    assert with_network(form, "vgg19").keys == (1, 2, 3)
    assert without_row(form, 7) == form


def test_totals_follow_what_is_typed(people: People, two: Form, ask: Ask) -> None:
    values = sent(two, {(0, "batch"): "8", (0, "rate_fps"): "30"})
    answer = shown(ask(people.editor, f"{Ids.SUMMARY}.children", values))
    drawn = str(answer[Ids.SUMMARY])
    assert "2 models" in drawn and "30.0\\xa0GMAC" in drawn and "54.4\\xa0GMAC/s" in drawn
    assert "leave rates and priorities aside" in drawn
    assert answer[key(name="batch", row=0, type=Ids.WORK_TYPE)]["children"] == "14.5\u00a0GMAC"
    assert answer[Ids.TITLE]["placeholder"] == "ResNet-18 and VGG-16"
    assert answer[Ids.WHERE]["children"] == "Saves version 1 of lab/resnet-18-and-vgg-16"
    assert answer[Ids.SAVE]["disabled"] is answer[Ids.EXPLORE]["disabled"] is False


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [
        ("batch", "0", "ResNet-18, 224x224, batch: Must be a whole number from 1 to 65 536. Got 0 instead"),
        ("batch", "", "ResNet-18, 224x224, batch: A value is needed"),
        ("rate_fps", "fast", "ResNet-18, 224x224, rate: Must be a number"),
        ("priority", "1.5", "ResNet-18, 224x224, priority: Must be a whole number from 1 to 26. Got 1.5 instead"),
    ],
)
def test_a_mistake_is_named_at_its_field(
    people: People, two: Form, ask: Ask, name: str, typed: str, words: str
) -> None:
    answer = shown(ask(people.editor, f"{Ids.SUMMARY}.children", sent(two, {(0, name): typed})))
    drawn = str(answer[Ids.MISTAKES]).replace("\\u202f", " ").replace("\\u2009", " ")
    assert words in drawn
    assert answer[key(name=name, row=0, type=Ids.FIELD_TYPE)]["error"] is True
    assert answer[key(name=name, row=1, type=Ids.FIELD_TYPE)]["error"] is False
    assert answer[Ids.SAVE]["disabled"] is True


def test_a_network_that_is_gone_is_named(people: People, ask: Ask) -> None:
    form = opened(seeds_of(["lab/gone"]), people.editor)
    answer = shown(ask(people.editor, f"{Ids.SUMMARY}.children", sent(form)))
    assert "Model 1, network must be" in str(answer[Ids.MISTAKES])


def test_an_empty_page_asks_for_a_network(people: People, ask: Ask) -> None:
    form = opened(seeds_of([]), people.editor)
    answer = shown(ask(people.editor, f"{Ids.SUMMARY}.children", sent(form)))
    assert answer[Ids.SAVE]["disabled"] is True and answer[Ids.MISTAKES]["children"] == []
    assert "Add the first network" in drawn_page(people.editor, seeds_of([]))


def test_it_saves_and_goes_on(people: People, two: Form, ask: Ask) -> None:
    values = sent(two, {(1, "priority"): "1"}, title=" Both ") | {f"{Ids.SAVE}.n_clicks": 1}
    answer = shown(ask(people.editor, f"{Ids.LOCATION}.href", values, f"{Ids.SAVE}.n_clicks"))
    assert answer[Ids.LOCATION]["href"] == "/catalogue/workload/lab/both"
    version = DocumentVersion.objects.get(document__slug="both")
    assert (version.title, version.content["models"][1]["priority"]) == ("Both", 1)
    assert version.created_by == people.editor

    values = sent(two) | {f"{Ids.EXPLORE}.n_clicks": 1}
    answer = shown(ask(people.editor, f"{Ids.LOCATION}.href", values, f"{Ids.EXPLORE}.n_clicks"))
    assert answer[Ids.LOCATION]["href"] == "/new?workload=lab/resnet-18-and-vgg-16"

    carried = {"engine": "scar", "hardware": "simba-6x6-nvdla", "workload": "mlperf-scenario-1"}
    values = sent(two) | {f"{Ids.EXPLORE}.n_clicks": 1, f"{Ids.DRAFT}.data": carried}
    answer = shown(ask(people.editor, f"{Ids.LOCATION}.href", values, f"{Ids.EXPLORE}.n_clicks"))
    assert "engine=scar&hardware=simba-6x6-nvdla&workload=lab/" in answer[Ids.LOCATION]["href"]


def test_it_saves_nowhere_else(people: People, two: Form, ask: Ask) -> None:
    values = sent(two) | {f"{Ids.SAVE}.n_clicks": 1}
    for user in (people.viewer, people.stranger):
        answer = shown(ask(user, f"{Ids.LOCATION}.href", values, f"{Ids.SAVE}.n_clicks"))
        assert "Choose a project that you may edit" in str(answer[Ids.SAVE_ERROR])
    wrong = sent(two, {(0, "batch"): "0"}) | {f"{Ids.SAVE}.n_clicks": 1}
    answer = shown(ask(people.editor, f"{Ids.LOCATION}.href", wrong, f"{Ids.SAVE}.n_clicks"))
    assert "models.0.batch" in str(answer[Ids.SAVE_ERROR])
    assert not DocumentVersion.objects.exists()


def test_a_page_without_judgement_shows_no_figures(people: People, two: Form) -> None:
    assert "Totals appear" in str(summary(Judgement()))
    assert "–" in str(models_table(people.editor, two, Judgement()))

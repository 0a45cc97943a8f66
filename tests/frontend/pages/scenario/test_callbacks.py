from __future__ import annotations

import json
from dataclasses import replace

from frontend.ids.scenario import ScenarioIds as Ids
from frontend.pages.scenario.data import Form, opened, with_network, without_row
from tests.frontend.conftest import Ask
from tests.frontend.pages.scenario.cases import key, sent, shown
from tests.support.stored_runs import People
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.scenarios import DraftModel, ScenarioDraft, save


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
    assert form.draft.models[0].terms == {"batch": 12, "rate_fps": 30, "deadline_s": None, "priority": None}
    assert with_network(form, "vgg19").keys == (1, 2, 3)
    assert without_row(form, 7) == form


def test_totals_follow_what_is_typed(people: People, two: Form, ask: Ask) -> None:
    values = sent(two, {(0, "batch"): "8", (0, "rate_fps"): "30"})
    answer = shown(ask(people.editor, f"{Ids.SUMMARY}.children", values))
    drawn = str(answer[Ids.SUMMARY])
    assert "2 models" in drawn and "30.0\\xa0GMAC" in drawn and "54.4\\xa0GMAC/s" in drawn
    assert "ignore rates and priorities" in drawn
    assert answer[key(name="batch", row=0, type=Ids.WORK_TYPE)]["children"] == "14.5\u00a0GMAC"
    assert answer[Ids.TITLE]["placeholder"] == "ResNet-18 and VGG-16"
    assert answer[Ids.WHERE]["children"] == "Saves version 1 of lab/resnet-18-and-vgg-16"
    assert answer[Ids.SAVE]["disabled"] is answer[Ids.EXPLORE]["disabled"] is False


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


def test_who_comes_second_is_asked(people: People, two: Form, ask: Ask) -> None:
    draft = ScenarioDraft("Both", "here", "", (DraftModel("resnet18"),), "both", "lab/both@1", "lab")
    save(people.owner, people.project, replace(draft, title="First", origin="@0"))
    save(people.owner, people.project, replace(draft, title="Theirs"))
    values = sent(opened(draft, people.editor), title="Mine") | {f"{Ids.SAVE}.n_clicks": 1}
    answer = shown(ask(people.editor, f"{Ids.LOCATION}.href", values, f"{Ids.SAVE}.n_clicks"))
    page = json.dumps(answer[Ids.SAVE_ERROR], ensure_ascii=False)
    assert "ann saved version 2 while you were editing." in page and "Theirs" in page and "Mine" in page
    chosen = f'{{"number":2,"type":"{Ids.SAVE_MINE_TYPE}"}}.n_clicks'
    ask(people.editor, f"{Ids.LOCATION}.href", values | {chosen: 1}, chosen)
    assert [each.title for each in DocumentVersion.objects.filter(document__slug="both")] == ["Mine", "Theirs", "First"]

from __future__ import annotations

import pytest

from frontend.ids.scenario import ScenarioIds as Ids
from frontend.pages.scenario.data import Form, network_choices, opened, seeds_of
from tests.engines.methods.scar.problems import tiny_network
from tests.frontend.conftest import Ask
from tests.frontend.pages.scenario.cases import drawn_page, key, sent, shown
from tests.support.stored_runs import People
from webapp.catalogue.scenarios import ScenarioDraft, draft_of, save
from webapp.catalogue.service import store_version


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


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [
        ("batch", "0", "ResNet-18, 224x224, batch: Must be a whole number from 1 to 65 536. Got 0 instead"),
        ("batch", "", "ResNet-18, 224x224, batch: A value is needed"),
        ("rate_fps", "fast", "ResNet-18, 224x224, rate: Must be a number"),
        ("deadline_s", "soon", "ResNet-18, 224x224, deadline: Must be a number"),
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
    assert "Model 1, network: Must be the name of a workload document" in str(answer[Ids.MISTAKES])

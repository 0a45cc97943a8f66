"""A family of hardware that only its folder and one line know: listed, read, refused, told, edited, stored, brought up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from engines.contract.engine import Document
from engines.contract.errors import ProblemError, RegistrationError
from engines.documents.builtin import accepted_builtins, builtin_documents
from engines.documents.families import example, load, register_family, summary_of, unregister_family
from engines.documents.input_kinds import slot
from frontend.pages.catalogue.data import hardware_groups, hardware_item
from frontend.pages.hardware_form.data import NAMES, SOURCE
from frontend.pages.hardware_form.values import built_values, value_groups
from tests.support.coolers.family import COOLER
from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from webapp.catalogue.service import DocumentLines, copy_of, get_entry, list_documents, resolve, store_version
from webapp.teams.visibility import personal_project

pytestmark = pytest.mark.django_db
PATH = "tests.support.coolers.family:COOLER"
OLD = {"schema": "cooler/1", "slug": "old-fan", "title": "Old fan", "source": "made up", "carried_mw": 900,
       "sources": {"carried_mw": "a guess"}}  # fmt: skip


@pytest.fixture(autouse=True)
def coolers() -> Iterator[None]:
    register_family("cooler", PATH)
    yield
    unregister_family("cooler")


def test_its_built_in_documents_stand_in_the_catalogue_and_in_slots(people: People) -> None:
    entry = next(entry for entry in list_documents(people.owner, "hardware", ("cooler/2",)))
    assert (entry.name, entry.summary, entry.builtin) == ("desk-fan", "12.5 W carried away", True)
    assert hardware_item(entry).group == "Coolers" and "Coolers" in hardware_groups()
    kind = slot(COOLER, "What cools the device.", preferred="desk-fan")
    assert accepted_builtins(kind) == "a hardware document (Cooler): desk-fan (preferred)"
    unregister_family("cooler")
    assert "desk-fan" not in builtin_documents("hardware")


def test_what_is_wrong_is_told_by_field_got_and_accepted(people: People) -> None:
    with pytest.raises(ProblemError) as caught:
        store_version(people.owner, personal_project(people.owner), "hardware", {**example(COOLER), "carried_w": -1})
    assert (caught.value.field, caught.value.got, caught.value.accepted) == ("carried_w", -1, "a number greater than 0")
    with pytest.raises(ProblemError, match='"cooler/2"'):
        load({"schema": "toaster/1"}, "hardware")
    with pytest.raises(RegistrationError, match="taken"):
        register_family("cooler", "elsewhere:COOLER")


def test_it_goes_out_as_yaml_and_comes_back_over_rest(people: People) -> None:
    client = client_of(people.owner)
    assert "cooler" in client.get("/api/v1/schemas/").json()
    assert client.get("/api/v1/schemas/cooler/").json()["$id"] == "cooler/2"
    content: dict[str, Any] = yaml.safe_load(client.get("/api/v1/schemas/cooler/example.yaml").content)
    stored = client.post("/api/v1/documents/", {"content": content}, format="json")
    assert (stored.status_code, stored.json()["kind"], stored.json()["schema"]) == (201, "hardware", "cooler/2")
    back = client.get("/api/v1/documents/hardware/my-desk-fan/document.yaml").content
    assert yaml.safe_load(back) == content
    assert summary_of(content) == "12.5 W carried away"


def test_a_copy_is_edited_in_a_form_with_a_field_per_figure(people: People) -> None:
    opened = copy_of(people.owner, "hardware", "desk-fan")
    raw = {name: words for group in value_groups(opened) for name, words in group.values.items()}
    content, mistakes = built_values(
        opened, raw | {n: str(opened.get(n, "")) for n in NAMES} | {"carried_w": "20", SOURCE: "x"}
    )
    assert mistakes == [] and content["carried_w"] == 20 and content["sources"]["carried_w"] == "x"


def test_an_older_number_is_brought_up_when_it_is_read(people: People) -> None:
    version = store_version(people.owner, personal_project(people.owner), "hardware", OLD)
    assert version.schema == "cooler/1" and version.content == OLD
    document = resolve(people.owner, "hardware", "old-fan")
    assert isinstance(document, Document) and document.content["carried_w"] == 0.9
    assert get_entry(people.owner, "hardware", "old-fan").schema == "cooler/2"
    lines = DocumentLines(people.owner, ("hardware",), ("cooler/2",))[0:10]
    assert [(line.slug, line.schema) for line in lines] == [("desk-fan", "cooler/2"), ("old-fan", "cooler/2")]

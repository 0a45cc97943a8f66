"""Listing, naming and storing documents."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from engines.contract.document_text import to_yaml
from engines.contract.errors import ProblemError
from engines.documents.builtin import builtin_documents
from tests.support.stored_runs import People
from webapp.api.errors import refusal
from webapp.catalogue.service import copy_of, get_entry, list_documents, resolve, store, store_version, versions_of
from webapp.teams.visibility import NotAllowed, personal_project


def _names(found: list[Any]) -> set[str]:
    return {entry.name for entry in found}


def test_it_lists_built_ins_with_words_about_them(people: People) -> None:
    found = {entry.slug: entry for entry in list_documents(people.stranger, "hardware")}
    assert found["simba-3x3-het-sides"].summary == "3 × 3: 6 nvdla, 3 shi-diannao; 4096 PEs each"
    assert found["simba-3x3-het-sides"].builtin
    assert found["jetson-tx2"].schema == "soc/1" and "GPU 256 cores" in found["jetson-tx2"].summary
    assert found["fitness-tracker-battery"].summary == "0.37 Wh, 3.7 V"
    assert found["lte-smartphone"].schema == "radio/1" and found["fitness-tracker"].schema == "sensor-node/1"
    workloads = {entry.slug: entry.summary for entry in list_documents(people.stranger, "workload")}
    assert workloads["mlperf-scenario-4"] == "4 models: GPT-2 L × 8, BERT-L × 24, U-Net × 1, ResNet-50 × 32"
    assert "layers" in workloads["resnet50"]


def test_it_lists_calibrations_with_their_errors(people: People) -> None:
    found = {entry.slug: entry.summary for entry in list_documents(people.stranger, "calibration")}
    assert found["xavier-magnas"] == "jetson-agx-xavier: 18 rows, 3.3% median error"


def test_it_lists_nothing_to_nobody(people: People) -> None:
    assert list_documents(AnonymousUser(), "hardware") == []
    with pytest.raises(ProblemError, match="there are none"):
        resolve(AnonymousUser(), "hardware", "simba-3x3-nvdla")


def test_it_lists_the_newest_version_to_members_only(people: People, package: dict[str, Any]) -> None:
    for title in ("One", "Two"):
        store_version(people.owner, people.project, "hardware", {**package, "title": title})
    for member in (people.owner, people.editor, people.viewer):
        mine = [entry for entry in list_documents(member, "hardware") if not entry.builtin]
        assert [(entry.name, entry.version, entry.title) for entry in mine] == [(f"lab/{package['slug']}", 2, "Two")]
    assert all(entry.builtin for entry in list_documents(people.stranger, "hardware"))


def test_it_filters_by_schema(people: People) -> None:
    assert {entry.schema for entry in list_documents(people.owner, "workload", ["scenario/1"])} == {"scenario/1"}
    assert {entry.kind for entry in list_documents(people.owner)} >= {"hardware", "workload"}
    packages = {entry.slug for entry in list_documents(people.owner, "hardware", ["chiplet-package/1"])}
    assert "simba-3x3-nvdla" in packages and packages.isdisjoint({"jetson-tx2", "fitness-tracker", "lte-smartphone"})


@pytest.mark.parametrize("name", ["simba-3x3-nvdla", "simba-3x3-nvdla@1"])
def test_it_resolves_built_ins(people: People, name: str) -> None:
    found = resolve(people.owner, "hardware", name)
    assert found.content is builtin_documents("hardware")["simba-3x3-nvdla"].content


def test_it_resolves_versions_by_name(people: People, package: dict[str, Any]) -> None:
    for title in ("One", "Two"):
        store_version(people.owner, people.project, "hardware", {**package, "title": title})
    slug = package["slug"]
    titles = {
        name: resolve(people.viewer, "hardware", name).content["title"]
        for name in (slug, f"{slug}@1", f"{slug}@2", f"lab/{slug}@1")
    }
    assert list(titles.values()) == ["Two", "One", "Two", "One"]
    assert resolve(people.viewer, "hardware", slug, 1).version == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nonsense", "more: manage.py documents hardware"),
        ("simba-3x3-nvdla@2", "version 1 of the built-in"),
        ("x@y", '"slug@2"'),
        ("x@0", '"slug@2"'),
        ("x@" + "9" * 5000, '"slug@2"'),
        ("nowhere/simba-3x3-nvdla", "the name of a hardware document"),
        ("mlperf-scenario-1", "the name of a hardware document"),
    ],
)
def test_it_says_what_exists(people: People, name: str, words: str) -> None:
    with pytest.raises(ProblemError) as caught:
        resolve(people.owner, "hardware", name, field="inputs.hardware")
    assert caught.value.field == "inputs.hardware" and words in caught.value.accepted


def test_it_says_which_versions_exist(people: People, package: dict[str, Any]) -> None:
    store_version(people.owner, people.project, "hardware", package)
    with pytest.raises(ProblemError, match="one of the versions 1"):
        resolve(people.owner, "hardware", package["slug"], 5)


def test_it_asks_which_of_two_projects(people: People, package: dict[str, Any]) -> None:
    store_version(people.owner, people.project, "hardware", package)
    store_version(people.owner, personal_project(people.owner), "hardware", package)
    with pytest.raises(ProblemError, match=f"ann/{package['slug']}, lab/{package['slug']}"):
        resolve(people.owner, "hardware", package["slug"])
    assert resolve(people.editor, "hardware", package["slug"]).version == 1


def test_it_does_not_resolve_foreign_documents(people: People, package: dict[str, Any]) -> None:
    store_version(people.owner, people.project, "hardware", package)
    with pytest.raises(ProblemError) as caught:
        resolve(people.stranger, "hardware", f"lab/{package['slug']}")
    assert package["slug"] not in caught.value.accepted


def test_it_stores_the_same_content_once(people: People, package: dict[str, Any]) -> None:
    first, created = store(people.owner, people.project, "hardware", package)
    again, created_again = store(people.editor, people.project, "hardware", to_yaml(package))
    assert (created, created_again, again.pk) == (True, False, first.pk)
    other = store_version(people.editor, people.project, "hardware", {**package, "title": "Other"})
    back = store_version(people.editor, people.project, "hardware", package)
    assert (other.number, back.number, back.content_hash) == (2, 3, first.content_hash)
    assert [version.number for version in versions_of(people.viewer, "hardware", package["slug"])] == [3, 2, 1]


def test_it_gives_the_hash_that_engines_compute(people: People, package: dict[str, Any]) -> None:
    version = store_version(people.owner, people.project, "hardware", package)
    version.refresh_from_db()
    assert resolve(people.owner, "hardware", package["slug"]).content_hash() == version.content_hash


def test_it_stores_for_editors_only(people: People, package: dict[str, Any]) -> None:
    for person in (people.viewer, people.stranger):
        with pytest.raises(NotAllowed):
            store_version(person, people.project, "hardware", package)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"slug": "simba-3x3-nvdla"}, "slug"),
        ({"slug": "Not a slug"}, "slug"),
        ({"slug": None}, "slug"),
        ({"schema": "chiplet-package/99"}, "schema"),
        ({"schema": "network/1"}, "schema"),
        ({"schema": None}, "schema"),
        ({"surprise": 1}, "surprise"),
        ({"clock_mhz": -1}, "clock_mhz"),
    ],
)
def test_it_names_what_is_wrong(people: People, package: dict[str, Any], change: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        store_version(people.owner, people.project, "hardware", {**package, **change})
    assert caught.value.field == field and caught.value.accepted


def test_a_wrong_slug_hides_no_other_mistake(people: People, package: dict[str, Any]) -> None:
    wrong = {**package, "slug": "Not a slug", "clock_mhz": -1, "surprise": 1}
    with pytest.raises(ProblemError) as caught:
        store_version(people.owner, people.project, "hardware", wrong)
    assert caught.value.field == "slug"
    assert {field for field, _, _ in caught.value.others} == {"clock_mhz", "surprise"}


def test_everything_wrong_in_a_text_is_told_with_its_line(people: People, package: dict[str, Any]) -> None:
    wrong = to_yaml({**package, "slug": "Not a slug", "clock_mhz": -1, "surprise": 1})
    lines = {line.partition(":")[0]: number for number, line in enumerate(wrong.splitlines(), start=1)}
    with pytest.raises(ProblemError) as caught:
        store_version(people.owner, people.project, "hardware", wrong)
    error = caught.value
    assert error.line == lines["slug"]
    others = refusal(error.field, error.got, error.accepted, error.line, error.others, error.other_lines)["others"]
    assert {each["field"]: each["line"] for each in others} == {name: lines[name] for name in ("clock_mhz", "surprise")}
    assert f"Also: line {lines['clock_mhz']}, clock_mhz must be" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_it_copies_under_a_free_name(people: People, package: dict[str, Any]) -> None:
    assert package["slug"] == "simba-3x3-nvdla-copy"
    store_version(people.owner, people.project, "hardware", package)
    again = copy_of(people.owner, "hardware", "simba-3x3-nvdla")
    assert again["slug"] == "simba-3x3-nvdla-copy-2"
    assert package["title"].endswith(" (copy)") and again["title"] == package["title"].replace("(copy)", "(copy 2)")
    assert copy_of(people.owner, "hardware", package["slug"])["title"] == again["title"]  # no copy of a copy
    assert get_entry(people.owner, "hardware", package["slug"]).summary.startswith("3 × 3: 9 nvdla")


def test_it_pins_the_queries_of_the_list(
    people: People, package: dict[str, Any], django_assert_num_queries: Any
) -> None:
    for number in range(3):
        store_version(people.owner, people.project, "hardware", {**package, "slug": f"mine-{number}"})
    with django_assert_num_queries(1):
        assert len([entry for entry in list_documents(people.owner) if not entry.builtin]) == 3


def test_it_names_the_line_of_a_text(people: People, package: dict[str, Any]) -> None:
    text = to_yaml({**package, "clock_mhz": "fast"})
    with pytest.raises(ProblemError, match="clock_mhz") as caught:
        store(people.owner, people.project, "hardware", text)
    assert caught.value.line is not None and text.splitlines()[caught.value.line - 1] == "clock_mhz: fast"


def test_a_network_that_lists_do_not_show_is_found_by_its_name(people: People) -> None:
    assert "bert-large-200" not in _names(list_documents(people.stranger, "workload"))
    assert resolve(people.stranger, "workload", "bert-large-200").content["title"] == "BERT-Large, 200 tokens"
    entry = get_entry(people.stranger, "workload", "bert-large-200")
    assert entry.builtin and entry.summary.startswith("193 layers, ")
    with pytest.raises(ProblemError):
        resolve(people.stranger, "workload", "bert-large-600")

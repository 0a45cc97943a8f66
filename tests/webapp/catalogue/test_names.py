"""Which document a name stands for."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from engines.contract.errors import ProblemError
from engines.documents.builtin import builtin_documents
from tests.support.stored_runs import People
from webapp.catalogue.entries import list_documents
from webapp.catalogue.names import get_entry, resolve
from webapp.catalogue.service import store_version
from webapp.teams.visibility import personal_project


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
        ("nonsense", "more: paretoscope documents hardware"),
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


def test_a_network_that_lists_do_not_show_is_found_by_its_name(people: People) -> None:
    assert "bert-large-200" not in {entry.name for entry in list_documents(people.stranger, "workload")}
    assert resolve(people.stranger, "workload", "bert-large-200").content["title"] == "BERT-Large, 200 tokens"
    entry = get_entry(people.stranger, "workload", "bert-large-200")
    assert entry.builtin and entry.summary.startswith("193 layers, ")
    with pytest.raises(ProblemError):
        resolve(people.stranger, "workload", "bert-large-600")


def test_nobody_is_told_of_a_document(people: People) -> None:
    with pytest.raises(ProblemError, match="there are none"):
        resolve(AnonymousUser(), "hardware", "simba-3x3-nvdla")

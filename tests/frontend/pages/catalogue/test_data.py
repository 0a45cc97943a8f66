"""What the catalogue lists, and its search and filters."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from engines.documents.builtin import builtin_documents
from frontend.pages.catalogue.data import (
    UNREAD,
    address_of,
    filtered_hardware,
    filtered_workloads,
    hardware_groups,
    hardware_items,
    workload_items,
)
from tests.support.stored_runs import People
from webapp.catalogue.service import copy_of, store_version


def names(items: list[Any]) -> list[str]:
    return [item.entry.name for item in items]


def test_everything_built_in_is_listed(people: People) -> None:
    hardware, workloads = hardware_items(people.owner), workload_items(people.owner)
    assert set(names(hardware)) == set(builtin_documents("hardware"))
    assert set(names(workloads)) == set(builtin_documents("workload"))
    assert {item.group for item in hardware} == set(hardware_groups()) - {UNREAD}
    assert all(item.macs and item.layers and item.parameters for item in workloads)
    assert hardware_items(AnonymousUser()) == [] and workload_items(AnonymousUser()) == []


def test_a_package_has_the_layout_that_its_thumbnail_shows(people: People) -> None:
    item = next(item for item in hardware_items(people.owner) if item.entry.slug == "simba-3x3-het-sides")
    assert item.layout == (("nvdla", "shi-diannao", "nvdla"),) * 3
    assert (item.kinds, item.sizes) == (("nvdla", "shi-diannao"), (4096,))


@pytest.mark.parametrize(
    ("query", "filters", "expected"),
    [
        ("3x3 checkerboard", {"elements": "256"}, ["simba-3x3-het-checkerboard-256"]),
        ("jetson tx2", {}, ["jetson-tx2"]),
        ("", {"group": "Chiplet packages", "dataflow": "gpu"}, []),
        ("no such thing", {}, []),
    ],
)
def test_hardware_is_found_by_words_and_filters(
    people: People, query: str, filters: dict[str, str], expected: list[str]
) -> None:
    assert names(filtered_hardware(hardware_items(people.owner), query, filters)) == expected


def test_workloads_are_found_by_words_task_and_work(people: People) -> None:
    items = workload_items(people.owner)
    assert "resnet50" in names(filtered_workloads(items, "resnet-50", {}))
    speech = filtered_workloads(items, "", {"task": "Speech", "work": "below 100 M"})
    assert "res8-narrow-xrbench" in names(speech) and "emformer-128" not in names(speech)
    scenarios = filtered_workloads(items, "", {"group": "Scenario"})
    assert {item.entry.schema for item in scenarios} == {"scenario/1"}
    # Every document has one range of work, so that the ranges together list all.
    assert sum(len(filtered_workloads(items, "", {"work": work})) for work in
               ("below 100 M", "100 M to 1 G", "1 G to 10 G", "10 G to 100 G", "100 G and more")) == len(items)  # fmt: skip


def test_a_document_of_a_project_has_an_address_of_its_own(people: People) -> None:
    content = copy_of(people.owner, "hardware", "simba-3x3-nvdla")
    store_version(people.owner, people.project, "hardware", content)
    item = next(item for item in hardware_items(people.viewer) if not item.entry.builtin)
    assert address_of(item.entry) == f"/catalogue/hardware/lab/{content['slug']}"
    assert content["slug"] not in str(names(hardware_items(people.stranger)))

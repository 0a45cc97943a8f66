"""Listing documents."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser

from tests.support.stored_runs import People
from webapp.catalogue.entries import list_documents
from webapp.catalogue.service import store_version


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


def test_it_pins_the_queries_of_the_list(
    people: People, package: dict[str, Any], django_assert_num_queries: Any
) -> None:
    for number in range(3):
        store_version(people.owner, people.project, "hardware", {**package, "slug": f"mine-{number}"})
    with django_assert_num_queries(1):
        assert len([entry for entry in list_documents(people.owner) if not entry.builtin]) == 3

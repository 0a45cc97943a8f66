"""Measured designs go with their run: to who sees it, into its bundle, and out of one that is imported."""

from __future__ import annotations

import json
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from engines.contract.errors import ProblemError
from tests.support.bundles import Members, changed, members_of
from tests.support.stored_runs import People, computed_run
from tests.webapp.measuring.test_designs import SPLIT, measured, on_device
from webapp.measuring.designs import ask_designs
from webapp.measuring.measured_designs import MeasuredDesign, measured_designs
from webapp.measuring.models import AgentDevice, MeasuredElsewhere, RunDevice
from webapp.runs.bundles.bundle_export import write_bundle
from webapp.runs.bundles.bundle_import import import_bundle
from webapp.runs.models import Run
from webapp.teams.permissions import Guest
from webapp.teams.visibility import personal_project


@pytest.fixture
def run(people: People) -> Run:
    return computed_run(people, SPLIT)


@pytest.fixture
def measured_run(people: People, run: Run, device: AgentDevice) -> Run:
    """Two designs measured with one thread and with two, a third that waits."""
    numbers = on_device(run)
    ask_designs(people.owner, run, numbers[:2], device, [1, 2])
    measured(0.010)
    ask_designs(people.owner, run, numbers[2:3], device, 1)
    return run


def guest_of(run: Run) -> Guest:
    return Guest({"runs.Run": {"pk": frozenset({run.pk})}})


def figures(found: list[MeasuredDesign]) -> list[tuple[Any, ...]]:
    return [
        (each.number, each.place.threads, each.latency, each.rest_s, each.settled) for each in found if each.latency
    ]


def test_who_sees_the_run_sees_what_was_measured_of_it(people: People, measured_run: Run, device: AgentDevice) -> None:
    seen = figures(measured_designs(guest_of(measured_run), measured_run))
    assert len(seen) == 4 and seen == figures(measured_designs(people.owner, measured_run))
    assert not measured_designs(people.stranger, measured_run)
    other = computed_run(people, SPLIT)
    ask_designs(people.owner, other, on_device(other)[:1], device, 1)
    RunDevice.objects.filter(run=other).delete()  # as if it had been asked for the first run alone
    assert not measured_designs(guest_of(other), other), "equal files of another run tell nobody of the device"
    assert measured_designs(people.viewer, other), "who sees the device sees all that it knows"


def test_a_bundle_carries_what_was_measured_and_the_copy_shows_it(people: People, measured_run: Run) -> None:
    with write_bundle(measured_run) as stream:
        bundle = stream.read()
    rows = json.loads(members_of(bundle)["measured.json"])
    assert {(row["device"], row["agent"], row["threads"]) for row in rows} == {
        ("Test box", "0.1.0", 1),
        ("Test box", "0.1.0", 2),
    }
    copy = import_bundle(people.stranger, personal_project(people.stranger), bundle)
    found = measured_designs(people.stranger, copy)
    assert figures(found) == figures(measured_designs(people.owner, measured_run))
    assert {each.place.words for each in found} == {
        "Test box, 1 thread, of another installation", "Test box, 2 threads, of another installation",
    }  # fmt: skip
    assert all(each.place.device is None and each.measured and not each.same_device for each in found)
    assert not measured_designs(people.owner, copy), "it is in the stranger's own project"
    with write_bundle(copy) as stream:
        assert json.loads(members_of(stream.read())["measured.json"]) == rows


def test_a_run_of_which_nothing_was_measured_has_no_such_member(people: People, run: Run) -> None:
    with write_bundle(run) as stream:
        bundle = stream.read()
    assert "measured.json" not in members_of(bundle)
    assert not measured_designs(people.owner, import_bundle(people.owner, people.project, bundle))


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("number", 100_000, "a number of a design, below"),
        ("number", -1, "greater than or equal to 0"),
        ("threads", "two", "integer"),
        ("measured", "yesterday", "pattern"),
        ("pieces", [], "at least 1 item"),
        ("pieces", [{"title": "All", "share": 1.0, "median_s": 1.0, "low_s": 2.0, "high_s": 3.0}], "holds its median"),
        ("pieces", [{"title": "All", "share": 1.0, "median_s": 0.0, "low_s": None, "high_s": None}], "greater than 0"),
        ("trained_on", "nothing", "permitted"),
    ],
)
def test_what_cannot_have_been_measured_is_refused(
    people: People, measured_run: Run, key: str, value: Any, words: str
) -> None:
    with write_bundle(measured_run) as stream:
        bundle = stream.read()

    def change(manifest: dict[str, Any], members: Members) -> None:
        rows = json.loads(members["measured.json"])
        rows[0][key] = value
        members["measured.json"] = json.dumps(rows).encode()

    with pytest.raises(ProblemError, match=words):
        import_bundle(people.owner, people.project, changed(bundle, change))
    assert not MeasuredElsewhere.objects.exists()


def test_devices_that_were_asked_before_are_known_after_the_migration(measured_run: Run, device: AgentDevice) -> None:
    RunDevice.objects.all().delete()
    migration = import_module("webapp.measuring.migrations.0003_measured_with_the_run")
    migration.known_devices(apps, SimpleNamespace(connection=connection))
    assert list(RunDevice.objects.values_list("run", "device")) == [(measured_run.pk, device.pk)]

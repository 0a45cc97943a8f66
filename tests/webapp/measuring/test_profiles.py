"""Profiles as they are stored, and what they count."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.cost.profiles.measured_profile import Profile, operation_times
from engines.workloads.loader import builtin_network
from tests.engines.cost.profiles.test_profile_reader import profile
from tests.support.stored_runs import People
from tests.webapp.measuring.conftest import RESULT
from webapp.limits import usage
from webapp.limits.errors import LimitReachedError
from webapp.limits.models import ProjectLimits
from webapp.measuring import jobs
from webapp.measuring.models import AgentDevice, MeasuredProfile, Measurement, RunnableFile
from webapp.measuring.profiles import MOST_LETTERS, MOST_NODES, kept_nodes


def node(name: str, time_us: float) -> dict[str, Any]:
    return {"name": name, "operator": "Conv", "provider": "CPUExecutionProvider", "time_us": time_us}


def answered(people: People, device: AgentDevice, nodes: int = 1) -> Measurement:
    jobs.ask(people.editor, device, ["digits-chain"], [1], again=True)
    job = jobs.take_here(device)
    assert job is not None
    jobs.answer(job, result={**RESULT, "nodes": [node("n" * 90, 5.0)] * nodes})
    return Measurement.objects.get(pk=job.pk)


def test_the_shortest_nodes_go_to_the_next_and_nothing_is_lost() -> None:
    told = [node(f"n{place}", 1.0 if place % 3 else 9.0) for place in range(3 * MOST_NODES)]
    kept = kept_nodes(told)
    assert len(kept) == MOST_NODES and sum(each["time_us"] for each in kept) == sum(each["time_us"] for each in told)
    assert [(each["name"], each["time_us"]) for each in kept[:2]] == [("n0", 9.0), ("n3", 11.0)]
    assert kept[-1]["time_us"] == 13.0, "what comes after the last is counted with it"
    assert kept_nodes(told[:5]) == told[:5] and kept_nodes([node("x" * 400, 1.0)])[0]["name"] == "x" * MOST_LETTERS


def test_a_calibration_gets_all_operations_of_a_long_network(monkeypatch: pytest.MonkeyPatch) -> None:
    result, network = profile("squeezenet1-1", "fitted")["result"], builtin_network("squeezenet1-1")
    nodes = [{**each, "provider": "x"} for each in result["nodes"]]
    monkeypatch.setattr("webapp.measuring.profiles.MOST_NODES", len(nodes) // 2)
    whole, short = (
        operation_times(Profile.of(network.slug, {**result, "nodes": each}), network)
        for each in (nodes, kept_nodes(nodes))
    )
    assert sum(each.latency_s for each in short) == pytest.approx(sum(each.latency_s for each in whole))
    assert {place for each in short for place in each.places} == {place for each in whole for place in each.places}


def test_times_of_nodes_stand_apart_and_all_counts(people: People, device: AgentDevice) -> None:
    found = answered(people, device, 2000)
    assert "nodes" not in found.result and found.result["node_count"] == 2000
    assert len(found.profiled["nodes"]) == MOST_NODES and found.stored_bytes > 90 * MOST_NODES
    counted = (("project", people.project.pk), ("person", people.editor.pk), ("person", people.owner.pk))
    assert [1e6 * usage.used("stored_mb", *each) for each in counted] == [found.stored_bytes, found.stored_bytes, 0]
    MeasuredProfile.objects.all().delete()
    RunnableFile.objects.update(piece=True)
    answered(people, device)
    assert not MeasuredProfile.objects.exists(), "of pieces of designs nothing reads the nodes"


def test_no_more_is_asked_than_may_be_stored(
    people: People, device: AgentDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    Measurement.objects.filter(pk=answered(people, device).pk).update(stored_bytes=1_000_000)
    ProjectLimits.objects.create(project=people.project, stored_mb=1)
    assert len(jobs.ask(people.editor, device, ["digits-chain"], [1]).known) == 1, "nothing more is stored"
    with pytest.raises(LimitReachedError, match="stored_mb"):
        jobs.ask(people.editor, device, ["digits-chain"], [1, 2])
    monkeypatch.setattr(jobs, "MOST_MEASUREMENTS", 1)
    with pytest.raises(ProblemError, match="another name"):
        jobs.ask(people.editor, device, ["digits-chain"], [2])
    assert Measurement.objects.count() == 1

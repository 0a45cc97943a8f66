"""Asking, taking with a lease, answering."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People
from tests.webapp.measuring.conftest import MACHINE, RESULT, as_agent
from webapp.measuring import jobs
from webapp.measuring.devices import register
from webapp.measuring.models import AgentDevice, Measurement
from webapp.measuring.signing import key_of, signature
from webapp.teams.permissions import NotAllowed, NotVisible, Principal

NETWORK = "digits-chain"


def taken(device: AgentDevice) -> dict[str, object]:
    """The manifest of the next job."""
    found = jobs.take(device)
    assert found is not None
    manifest: dict[str, object] = json.loads(found[0])
    return manifest


def test_nothing_is_measured_twice(people: People, agent: Principal, device: AgentDevice) -> None:
    first = jobs.ask(people.owner, device, [NETWORK, NETWORK], [1, 2])
    assert (len(first.waiting), len(first.known)) == (2, 2)
    for _ in range(2):
        manifest = taken(device)
        jobs.answer(jobs.leased(agent, int(str(manifest["job"])), str(manifest["lease"])), result=RESULT)
    assert jobs.take(device) is None
    assert not jobs.ask(people.editor, device, [NETWORK], [1, 2]).waiting
    again = jobs.ask(people.editor, device, [NETWORK], [1], again=True)
    assert [each.round for each in again.waiting] == [1]
    assert not jobs.ask(people.editor, device, [NETWORK], [1], again=True).waiting, "it waits already"


def test_a_job_is_signed_for_its_device(people: People, device: AgentDevice) -> None:
    jobs.ask(people.owner, device, [NETWORK], [1])
    found = jobs.take(device)
    assert found is not None and found[1] == signature(key_of(device.salt), found[0])
    assert found[1] != signature(key_of("another"), found[0])


def test_a_job_whose_agent_died_is_handed_out_again(people: People, agent: Principal, device: AgentDevice) -> None:
    jobs.ask(people.owner, device, [NETWORK], [1])
    dead = taken(device)
    assert jobs.take(device) is None, "it is at work"
    job = Measurement.objects.filter(pk=dead["job"])
    for attempt in range(2, jobs.MOST_ATTEMPTS + 1):
        job.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert taken(device)["lease"] != dead["lease"]
        assert job.get().attempts == attempt
    with pytest.raises(NotVisible, match=r"does not run under this lease\. Another agent got it"):
        jobs.leased(agent, int(str(dead["job"])), str(dead["lease"]))
    job.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert jobs.take(device) is None
    assert (job.get().state, job.get().trouble) == ("failed", "Its agent took it 3 times and never answered.")


def test_a_job_taken_before_the_clock_was_set_back_is_handed_out_again(people: People, device: AgentDevice) -> None:
    jobs.ask(people.owner, device, [NETWORK], [1])
    dead = taken(device)
    job = Measurement.objects.filter(pk=dead["job"])
    job.update(lease_until=timezone.now() + timedelta(days=1))
    assert jobs.take(device) is None, "its agent may live"
    left = job.get().lease_until
    assert left is not None and left < timezone.now() + timedelta(minutes=6)


def test_a_loaded_machine_is_no_attempt(people: People, agent: Principal, device: AgentDevice) -> None:
    jobs.ask(people.owner, device, [NETWORK], [1])
    for _ in range(5):
        manifest = taken(device)
        jobs.answer(jobs.leased(agent, int(str(manifest["job"])), str(manifest["lease"])), loaded="1.4 of 2 cores")
    job = Measurement.objects.get()
    assert (job.state, job.attempts, job.trouble) == ("waiting", 0, "1.4 of 2 cores")


def test_what_was_refused_may_be_asked_again(people: People, agent: Principal, device: AgentDevice) -> None:
    jobs.ask(people.owner, device, [NETWORK], [1])
    manifest = taken(device)
    jobs.answer(jobs.leased(agent, int(str(manifest["job"])), str(manifest["lease"])), refused="no such operator")
    assert Measurement.objects.get().trouble == "no such operator"
    assert len(jobs.ask(people.owner, device, [NETWORK], [1]).waiting) == 1


def test_results_of_another_version_of_the_device_do_not_count(
    people: People, agent: Principal, device: AgentDevice
) -> None:
    jobs.ask(people.owner, device, [NETWORK], [1, 2])
    manifest = taken(device)
    register(agent, "Test box", {**MACHINE, "kind": "b" * 64})
    jobs.answer(jobs.leased(agent, int(str(manifest["job"])), str(manifest["lease"])), result=RESULT)
    assert Measurement.objects.get(pk=manifest["job"]).trouble == "Measured on another version of the device."
    assert Measurement.objects.get(state="waiting").kind == "b" * 64, "what waits is measured on the new one"


@pytest.mark.parametrize(
    ("networks", "threads", "words"),
    [
        (["no-such-network"], [1], "networks"),
        (["ten-image-networks"], [1], "a network, not a scenario"),
        (["swin-v2-t"], [1], "gather"),
        ([NETWORK], [3], "from 1 to the 2 cores"),
        ([NETWORK], [], "at least one number of threads"),
        ([NETWORK], list(range(1, 3)) * 300, ""),
    ],
)
def test_bad_wishes_are_refused(
    people: People, device: AgentDevice, networks: list[str], threads: list[int], words: str
) -> None:
    if not words:
        assert len(jobs.ask(people.owner, device, networks, threads).waiting) == 2, "each number once"
        return
    with pytest.raises(ProblemError, match=words):
        jobs.ask(people.owner, device, networks, threads)


def test_who_may_ask_and_answer(people: People, device: AgentDevice) -> None:
    with pytest.raises(NotAllowed):
        jobs.ask(people.viewer, device, [NETWORK], [1])
    with pytest.raises(NotVisible):
        jobs.ask(people.stranger, device, [NETWORK], [1])
    jobs.ask(people.editor, device, [NETWORK], [1])
    manifest = taken(device)
    stranger = as_agent(people.stranger, people.project.pk)
    with pytest.raises(NotVisible):
        jobs.leased(stranger, int(str(manifest["job"])), str(manifest["lease"]))

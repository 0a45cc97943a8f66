"""Devices: registering, documents of the catalogue, revoking."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engines.contract.errors import ProblemError
from hardware.soc.loader import load_soc
from tests.support.stored_runs import People
from tests.webapp.measuring.conftest import MACHINE, as_agent
from webapp.catalogue.models import DocumentVersion
from webapp.measuring import devices, jobs
from webapp.measuring.models import AgentDevice
from webapp.teams.permissions import NotAllowed, NotVisible, Principal


def test_a_device_is_a_document_for_each_number_of_threads(device: AgentDevice) -> None:
    found = {each.document.slug: load_soc(each.content) for each in DocumentVersion.objects.all()}
    assert set(found) == {"measured-test-box-1-thread", "measured-test-box-2-threads"}
    one = found["measured-test-box-1-thread"]
    assert one.units["cpu"].operations_per_cycle["fp32"] * 2e9 == pytest.approx(6.4e10)
    assert one.memory is not None
    assert one.memory.bytes_per_cycle * one.memory.frequencies_hz[-1] == pytest.approx(1.2e10)


def test_registering_again_is_the_same_device(agent: Principal, device: AgentDevice) -> None:
    again, key = devices.register(agent, "Test box", {**MACHINE, "governor": "powersave"})
    assert again.pk == device.pk and again.machine["governor"] == "powersave"
    assert key == devices.register(agent, "test BOX", MACHINE)[1]


def test_a_revoked_agent_gets_nothing(people: People, agent: Principal, device: AgentDevice) -> None:
    devices.revoke(people.editor, device.pk)
    with pytest.raises(NotAllowed, match="was revoked"):
        devices.agent_device(agent, device.pk)
    with pytest.raises(NotAllowed, match="was revoked"):
        devices.register(agent, "Test box", MACHINE)
    devices.allow_again(people.editor, device.pk)
    fresh, _ = devices.register(agent, "Test box", MACHINE)
    assert fresh.salt != device.salt, "what was signed before holds no more"


def test_who_sees_and_revokes(people: People, device: AgentDevice) -> None:
    assert list(devices.devices_of(people.viewer)) == [device]
    assert not devices.devices_of(people.stranger)
    with pytest.raises(NotAllowed):
        devices.revoke(people.viewer, device.pk)
    with pytest.raises(NotVisible):
        devices.revoke(people.stranger, device.pk)


def test_only_an_agents_token_registers(people: People) -> None:
    with pytest.raises(NotAllowed, match="a token of the scope agent"):
        devices.register(people.owner, "Test box", MACHINE)
    with pytest.raises(NotVisible):  # a viewer's agent may do nothing, and so sees nothing
        devices.register(as_agent(people.viewer, people.project.pk), "Test box", MACHINE)


def test_a_name_needs_a_letter(agent: Principal) -> None:
    with pytest.raises(ProblemError, match="letter or a digit"):
        devices.register(agent, "!!!", MACHINE)


def test_a_device_belongs_to_one_token_until_it_is_allowed_again(people: People) -> None:
    own, other = (as_agent(people.owner, people.project.pk, 7), as_agent(people.editor, people.project.pk, 8))
    device, key = devices.register(own, "Falcon", MACHINE)
    jobs.ask(people.owner, device, ["digits-chain"], [1])
    job = jobs.take_here(devices.agent_device(own, device.pk))
    assert job is not None
    asks: list[Callable[[Principal], object]] = [
        lambda agent: devices.register(agent, "falcon", {**MACHINE, "kind": "b" * 64}),
        lambda agent: devices.agent_device(agent, device.pk),
        lambda agent: jobs.leased(agent, job.pk, job.lease),
    ]
    devices.allow_again(people.editor, device.pk)  # which it is: nothing changes
    for ask in asks:
        with pytest.raises(NotAllowed, match="another token"):
            ask(other)
    assert AgentDevice.objects.get().kind == MACHINE["kind"] and jobs.leased(own, job.pk, job.lease) == job
    devices.revoke(people.editor, device.pk)
    devices.allow_again(people.editor, device.pk)
    taken_over, new_key = devices.register(other, "Falcon", MACHINE)
    assert taken_over.pk == device.pk and new_key != key
    for ask in asks:
        with pytest.raises(NotAllowed, match="another token"):
            ask(own)


def test_a_device_of_an_earlier_version_is_of_the_agent_that_asks_first(people: People, device: AgentDevice) -> None:
    AgentDevice.objects.update(token=None)
    first, second = (as_agent(people.owner, people.project.pk, number) for number in (7, 8))
    devices.agent_device(first, device.pk)
    with pytest.raises(NotAllowed, match="another token"):
        devices.agent_device(second, device.pk)

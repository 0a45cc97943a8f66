"""Devices: an agent reports its machine; users see the devices and end those that are no longer used."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from engines.contract.errors import ProblemError
from engines.contract.titles import checked_title
from hardware.slugs import slug_of
from hardware.soc.loader import builtin_socs
from webapp.catalogue.service import store_unrestricted
from webapp.measuring.device_documents import device_documents
from webapp.measuring.models import AgentDevice, Measurement
from webapp.measuring.signing import key_of
from webapp.teams.models import Project
from webapp.teams.permissions import Action, NotAllowed, Principal, limits_of, require, user_number
from webapp.teams.row_locks import row_lock
from webapp.teams.visibility import require_visible, visible

MOST_DEVICES = 100
_SLUG_LENGTH = 50
_AGENT_LETTERS = 40


def register(person: Principal, name: str, machine: Mapping[str, Any], agent: str = "") -> tuple[AgentDevice, str]:
    """Return the device of that name in the project of the agent's token, with what its probe found; and the key of its jobs.

    What another machine under the same name is waited for is waited for again on this one.

    Args:
        person: the agent's token.
        name: name of the device.
        machine: description of the machine by its probe.
        agent: version of the agent.

    Raises:
        ProblemError: the name has no letter or digit, or the project has too many devices.
        NotAllowed: the device was revoked or is another token's, or `person` is limited to no project.
    """
    limits = limits_of(person)
    only = limits.project if limits is not None else None
    project = Project.objects.filter(pk=only).first() if only is not None else None
    if project is None:
        raise NotAllowed("An agent registers with a token of the scope agent, which is for one project.")
    require(person, Action.MEASURE, project)
    if not any(map(str.isalnum, checked_title("name", name))):
        raise ProblemError("name", name, "a name with a letter or a digit")
    known = AgentDevice.objects.filter(project=project, name=name).values_list("slug", flat=True).first()
    slug = known or slug_of(name, "device", _SLUG_LENGTH)
    with row_lock(Project, project.pk):
        device = _stored(person, project, name, slug, machine, agent)
        _move_waiting(device)
        for content in device_documents(name, slug, machine, timezone.localdate().isoformat()):
            store_unrestricted(person, project, "hardware", content)
    return device, key_of(device.salt)


def agent_device(person: Principal, number: int) -> AgentDevice:
    """Return the device whose agent `person` is.

    Raises:
        NotVisible: there is none for them.
        NotAllowed: it was revoked, or is another token's.
    """
    device = AgentDevice.objects.select_related("project").filter(pk=number).first()
    if device is None:
        return require_visible(person, AgentDevice.objects.all(), pk=number)
    require(person, Action.MEASURE, device)
    require_own_agent(person, device)
    AgentDevice.objects.filter(pk=number).update(last_seen=Now())
    return device


def devices_of(person: Principal) -> QuerySet[AgentDevice]:
    """Return the devices of all projects that `person` sees."""
    return visible(person, AgentDevice.objects.select_related("project", "owner"))


def revoke(person: Principal, number: int) -> AgentDevice:
    """End an agent: it gets no more jobs, and cannot register again. What it measured stays.

    Raises:
        NotVisible, NotAllowed: `person` is no editor of its project.
    """
    return _set_revoked(person, number, True)


def allow_again(person: Principal, number: int) -> AgentDevice:
    """Take a revocation back: the device is then of the token whose agent registers or asks next. Raises as `revoke`."""
    return _set_revoked(person, number, False)


def share(person: Principal, number: int, board: str) -> AgentDevice:
    """Share the measurements of a device on the page of a board, with all who may see the board; "" ends the sharing.

    Raises:
        NotVisible, NotAllowed: `person` is no editor of its project.
        ProblemError: no built-in board has that name.
    """
    device = require_visible(person, AgentDevice.objects.select_related("project"), pk=number)
    require(person, Action.EDIT, device)
    if board and board not in builtin_socs():
        raise ProblemError("board", board, "the name of a board that ships with the product, such as raspberry-pi-5")
    device.board = board
    device.save(update_fields=["board"])
    return device


def delete(person: Principal, number: int) -> None:
    """Delete a device with what was measured on it, which frees its storage. Calibrations and hardware documents stay.

    Raises:
        NotVisible, NotAllowed: `person` is no editor of its project.
        ProblemError: its agent is not revoked, so that it would register again.
    """
    device = require_visible(person, AgentDevice.objects.select_related("project"), pk=number)
    require(person, Action.EDIT, device)
    with row_lock(AgentDevice, number):
        if not AgentDevice.objects.filter(pk=number).exclude(revoked=None).exists():
            raise ProblemError("device", device.name, "a device whose agent is revoked")
        device.delete()


def _set_revoked(person: Principal, number: int, revoked: bool) -> AgentDevice:
    device = require_visible(person, AgentDevice.objects.select_related("project"), pk=number)
    require(person, Action.EDIT, device)
    if revoked:
        device.salt = secrets.token_hex(32)  # jobs that are on their way are not signed any more
    elif device.revoked is not None:
        device.token = None
    device.revoked = timezone.now() if revoked else None
    device.save(update_fields=["revoked", "salt", "token"])
    return device


def _stored(
    person: Principal, project: Project, name: str, slug: str, machine: Mapping[str, Any], agent: str
) -> AgentDevice:
    device = AgentDevice.objects.filter(project=project, slug=slug).first()
    if device is None:
        if AgentDevice.objects.filter(project=project).count() >= MOST_DEVICES:
            raise ProblemError("name", name, f"one of at most {MOST_DEVICES} devices per project")
        device = AgentDevice(project=project, slug=slug, salt=secrets.token_hex(32), owner_id=user_number(person))
    require_own_agent(person, device)
    device.name, device.machine, device.kind = name, dict(machine), str(machine["kind"])
    device.agent, device.last_seen = agent[:_AGENT_LETTERS], timezone.now()
    # Somebody may revoke it at this moment.
    device.save(update_fields=None if device._state.adding else ["name", "machine", "kind", "agent", "last_seen"])
    return device


def _move_waiting(device: AgentDevice) -> None:
    """Move queued measurements to the present kind of the device, except those that it has already."""
    waiting = device.measurements.filter(state=Measurement.State.WAITING).exclude(kind=device.kind)
    for each in waiting:
        same = device.measurements.filter(
            network=each.network_id, threads=each.threads, provider=each.provider, round=each.round, kind=device.kind
        )
        if same.exists():
            each.delete()
        else:
            each.kind = device.kind
            each.save(update_fields=["kind"])


def require_own_agent(person: Principal, device: AgentDevice) -> None:
    """Refuse any agent but the device's own; a device without one becomes that of `person`.

    Raises:
        NotAllowed: it was revoked, or is another token's.
    """
    if device.revoked is not None:
        raise NotAllowed(f"The agent of {device.name} was revoked. An editor can allow it again on the page Devices.")
    limits = limits_of(person)
    token = limits.token if limits is not None else 0
    free = AgentDevice.objects.filter(pk=device.pk, token=None)
    if device.token is None and (device._state.adding or free.update(token=token)):
        device.token = token
    if device.token != token:
        raise NotAllowed(
            f"{device.name} belongs to the agent of another token. Register under another name. An editor can also revoke it "
            "and allow it again on the page Devices. Then the next agent that registers gets it."
        )

"""Measurement jobs: users request them; agents claim them with a lease and return results."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.db.models.functions import Now

from engines.contract.designs import canonical_json
from engines.contract.errors import ProblemError
from engines.running.runner.file_reader import NETWORK_LIMITS, read_in_child
from engines.workloads.runnable.version import VERSION
from webapp.catalogue.service import resolve
from webapp.limits.service import require_room
from webapp.measuring.devices import require_own_agent
from webapp.measuring.models import AgentDevice, MeasuredProfile, Measurement, RunnableFile
from webapp.measuring.places import CPU_PROVIDER
from webapp.measuring.profiles import kept_nodes
from webapp.measuring.signing import key_of, signature
from webapp.runs.storage.document_files import network_copies
from webapp.runs.storage.lease import bring_back, from_now
from webapp.teams.permissions import Action, NotVisible, Principal, require, user_number

MOST_WAITING = 500
MOST_MEASUREMENTS = 100_000
MOST_ATTEMPTS = 3
REPEAT_S = 10.0
HALF_WIDTH = 0.03
# Of a job in all: the repetitions, the profile, and loading a network of a gigabyte.
JOB_S = 180.0
_LEASE_S = JOB_S + 120.0
_MEMORY_MB, _COPIES_OF_WEIGHTS = 3072, 4
_MEGABYTE = 1e6
_LEAST_BYTES = 1000  # of an answer, for which there is to be room before it is asked for


@dataclass(frozen=True)
class MeasurementReply:
    """The outcome of a wish to measure.

    Attributes:
        waiting: measurements that are waited for now.
        known: those that there were already, with any outcome.
    """

    waiting: tuple[Measurement, ...]
    known: tuple[Measurement, ...]


def ask(
    person: Principal, device: AgentDevice, networks: Sequence[str], threads: Iterable[int], again: bool = False
) -> MeasurementReply:
    """Ask the device's agent to measure networks of the catalogue.

    Args:
        person: who may start runs in the device's project.
        device: the device.
        networks: names in the catalogue.
        threads: numbers of threads, each for every network.
        again: measure what was measured before once more: a next round.

    Raises:
        NotVisible, NotAllowed: `person` may not start runs there.
        ProblemError: a name of no network, one that cannot be run, more threads than cores, or too much that waits.
    """
    require(person, Action.RUN, device)
    counts = thread_counts(device, threads)
    contents = [_content(person, name) for name in networks]
    files = [runnable_file(each, *network_copies(person, [each]).values()) for each in contents]
    return ask_files(person, device, files, counts, again)


def ask_files(
    person: Principal,
    device: AgentDevice,
    files: Sequence[RunnableFile],
    threads: Sequence[int],
    again: bool = False,
    provider: str = CPU_PROVIDER,
) -> MeasurementReply:
    """Ask as `ask` does, for stored files and any provider of the device's runtime.

    Raises:
        LimitReachedError: the project or `person` may store no more.
    """
    require(person, Action.RUN, device)
    _check_room(device, len(files) * len(threads))
    waiting: list[Measurement] = []
    known: list[Measurement] = []
    with transaction.atomic():
        for file in files:
            for count in threads:
                found, new = _wanted(person, device, file, count, again, provider)
                (waiting if new else known).append(found)
        require_room(device.project_id, user_number(person), stored_bytes=_LEAST_BYTES * len(waiting))
    return MeasurementReply(tuple(waiting), tuple(known))


def runnable_file(content: Mapping[str, Any], copy: bytes = b"") -> RunnableFile:
    """Return the file of a network's document, made in a limited process unless there is one.

    Args:
        content: the document.
        copy: copy of the uploaded file, which is then run; without one the file is written of the document.

    Raises:
        ProblemError: it cannot be run; names the operation and what can be.
    """
    digest = hashlib.sha256(f"{VERSION}:{canonical_json(content)}".encode() + copy).hexdigest()
    found = RunnableFile.objects.filter(content_hash=digest).first()
    if found is not None:
        return found
    slug, title = str(content["slug"]), str(content["title"])
    about = dict(read_in_child("runnable", copy, slug, {"network": content}, NETWORK_LIMITS).content)
    values = {
        "slug": slug,
        "title": title,
        "content": content,
        "onnx": base64.b64decode(about.pop("onnx")),
        "about": about,
    }
    return RunnableFile.objects.get_or_create(content_hash=digest, defaults=values)[0]


def take(device: AgentDevice) -> tuple[str, str] | None:
    """Return the next job as the text of its manifest, and its signature; None where nothing waits."""
    job = take_here(device)
    if job is None:
        return None
    text = json.dumps(_manifest(job), sort_keys=True)
    return text, signature(key_of(device.salt), text)


def take_here(device: AgentDevice) -> Measurement | None:
    """Lease a waiting job of a device to the caller and return it; return None without a waiting job.

    Jobs are taken in random order, so that drift over time affects all networks equally. A job whose agent died is taken again, up
    to `MOST_ATTEMPTS` times.
    """
    _give_up(device)
    with transaction.atomic():
        waiting = _eligible(device).select_for_update(skip_locked=True, of=("self",))
        job = cast(Measurement | None, waiting.select_related("network", "device").order_by("?").first())
        if job is None:
            return None
        lease = secrets.token_hex(16)
        taken = _eligible(device).filter(pk=job.pk, attempts=job.attempts).update(
            state=Measurement.State.LEASED, lease=lease, lease_until=from_now(_LEASE_S), attempts=F("attempts") + 1
        )  # fmt: skip
        job.lease = lease
        return job if taken else None


def leased(person: Principal, number: int, lease: str) -> Measurement:
    """Return the job that an agent works on.

    Raises:
        NotVisible: there is none with that lease: it was handed out again, or answered.
        NotAllowed: `person` is not the agent of its device, or that was revoked.
    """
    state = Measurement.State.LEASED
    rows = Measurement.objects.select_related("network", "device__project")
    job = rows.filter(pk=number, state=state, lease=lease).first() if lease else None
    if job is None:
        raise NotVisible(f"Job {number} does not run under this lease. Another agent got it, or it was answered.")
    require(person, Action.MEASURE, job)
    require_own_agent(person, job.device)
    return job


def answer(job: Measurement, *, result: Mapping[str, Any] | None = None, refused: str = "", loaded: str = "") -> None:
    """Store the result of a job, unless the job was assigned again meanwhile.

    Args:
        job: from `leased`.
        result: measured result.
        refused: why it cannot be measured there.
        loaded: that others use the machine: the job waits again, and this is no attempt.
    """
    mine = Measurement.objects.filter(pk=job.pk, state=Measurement.State.LEASED, lease=job.lease)
    if loaded:
        mine.update(state=Measurement.State.WAITING, lease="", attempts=F("attempts") - 1, trouble=loaded[:600])
    elif result is None:
        mine.update(state=Measurement.State.FAILED, lease="", ended=Now(), trouble=refused[:600])
    elif job.kind != job.device.kind:  # another machine registered under this name while this one measured
        mine.update(
            state=Measurement.State.FAILED, lease="", ended=Now(), trouble="Measured on another version of the device."
        )
    else:
        _store(mine, job, result)


def _store(mine: QuerySet[Measurement], job: Measurement, result: Mapping[str, Any]) -> None:
    """Store what was measured: the times of nodes apart, and only of whole networks, as calibrations leave pieces out."""
    told = result["nodes"]
    nodes = [] if job.network.piece else kept_nodes(told)
    found = {name: value for name, value in result.items() if name != "nodes"}
    found |= {"node_count": len(told), "agent": job.device.agent}
    size = len(json.dumps(found)) + len(json.dumps(nodes))
    with transaction.atomic():
        done = mine.update(
            state=Measurement.State.DONE, lease="", ended=Now(), result=found, trouble="", stored_bytes=size
        )
        if done and nodes:
            MeasuredProfile.objects.create(measurement=job, nodes=nodes)


def _eligible(device: AgentDevice) -> Any:
    state = Measurement.State
    waits = Q(state=state.WAITING) | Q(state=state.LEASED, lease_until__lt=Now())
    return device.measurements.filter(waits, kind=device.kind, attempts__lt=MOST_ATTEMPTS)


def _give_up(device: AgentDevice) -> None:
    """Fail jobs that ended their agent as often as they may be tried."""
    bring_back(device.measurements.filter(state=Measurement.State.LEASED), "lease_until", _LEASE_S)
    device.measurements.filter(
        state=Measurement.State.LEASED, lease_until__lt=Now(), attempts__gte=MOST_ATTEMPTS
    ).update(
        state=Measurement.State.FAILED, ended=Now(), lease="",
        trouble=f"Its agent took it {MOST_ATTEMPTS} times and never answered.",
    )  # fmt: skip


def _manifest(job: Measurement) -> dict[str, Any]:
    """Return all that an agent is to know and keep to."""
    weights_mb = float(job.network.about["weights_bytes"]) / _MEGABYTE
    return {
        "job": job.pk,
        "lease": job.lease,
        "network": job.network.slug,
        "threads": job.threads,
        "provider": job.provider,
        "sha256": hashlib.sha256(bytes(job.network.onnx)).hexdigest(),
        "about": job.network.about,
        "memory_mb": round(_MEMORY_MB + _COPIES_OF_WEIGHTS * weights_mb),
        "time_s": JOB_S,
        "repeat_s": REPEAT_S,
        "half_width": HALF_WIDTH,
    }


def _wanted(
    person: Principal, device: AgentDevice, file: RunnableFile, threads: int, again: bool, provider: str
) -> tuple[Measurement, bool]:
    same = device.measurements.filter(network=file, threads=threads, provider=provider, kind=device.kind)
    newest = same.order_by("-round").first()
    open_states = (Measurement.State.WAITING, Measurement.State.LEASED)
    failed = newest is not None and newest.state == Measurement.State.FAILED
    if newest is not None and not failed and (not again or newest.state in open_states):
        return newest, False
    number = (same.aggregate(most=Max("round"))["most"] + 1) if newest is not None else 0
    return Measurement.objects.get_or_create(
        device=device, network=file, threads=threads, provider=provider, kind=device.kind, round=number,
        defaults={"asked_by_id": user_number(person)},
    )  # fmt: skip


def thread_counts(device: AgentDevice, wanted: Iterable[int]) -> list[int]:
    """Return the different numbers of threads, ascending.

    Raises:
        ProblemError: none, or more than the device has cores.
    """
    counts, cores = sorted(set(wanted)), int(device.machine["cores"])
    for count in counts:
        if not 1 <= count <= cores:
            raise ProblemError("threads", count, f"a number from 1 to the {cores} cores of {device.name}")
    if not counts:
        raise ProblemError("threads", "none", "at least one number of threads")
    return counts


def providers_of(device: AgentDevice) -> list[str]:
    """Return the runtime providers that the device's agent reported; the CPU provider by default."""
    return list(device.machine.get("providers") or [CPU_PROVIDER])


def check_provider(device: AgentDevice, provider: str) -> None:
    """Refuse a provider that a device has not.

    Raises:
        ProblemError: names those that it has.
    """
    if provider not in providers_of(device):
        raise ProblemError(
            "provider", provider, f"one of the providers of {device.name}: {', '.join(providers_of(device))}"
        )


def _check_room(device: AgentDevice, more: int) -> None:
    waiting = device.measurements.filter(state=Measurement.State.WAITING).count()
    if waiting + more > MOST_WAITING:
        got = f"{more} more in addition to {waiting} waiting ones"
        ways = ["Wait until the device has measured some."]
        raise ProblemError("networks", got, f"at most {MOST_WAITING} waiting measurements per device", remedies=ways)
    if device.measurements.count() + more > MOST_MEASUREMENTS:
        accepted = f"at most {MOST_MEASUREMENTS:,} measurements per device"
        raise ProblemError("networks", f"{more} more", accepted, remedies=["Register the device under another name."])


def _content(person: Principal, name: str) -> Mapping[str, Any]:
    content = resolve(person, "workload", name, field="networks").content
    if not str(content.get("schema", "")).startswith("network/"):
        raise ProblemError("networks", name, "a network, not a scenario")
    return cast(Mapping[str, Any], json.loads(canonical_json(content)))

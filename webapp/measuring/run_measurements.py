"""Measurements of designs during a search: the options for users, and the path of requests from run to agent."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import Http404

from engines.contract.engine import Engine
from engines.contract.errors import ProblemError
from engines.contract.numeric.numbers import finite_number, whole_number
from engines.running.runner.protocol import MeasureBudget, MeasuredDesign
from engines.running.runner.runnables import content_hash
from webapp.measuring import jobs
from webapp.measuring.designs import MOST_DESIGNS, store_designs
from webapp.measuring.devices import devices_of
from webapp.measuring.measured_designs import MeasuredDesign as Found
from webapp.measuring.measured_designs import measured_designs, predicts
from webapp.measuring.models import AgentDevice, RunDevice, RunnableDesign
from webapp.measuring.places import CPU_PROVIDER, Place
from webapp.runs.inputs.measurement_hooks import FIELD
from webapp.runs.models import Run
from webapp.runs.storage.document_files import copies_of_inputs
from webapp.teams.permissions import Action, NotAllowed, Principal, may

KEYS = ("device", "designs", "threads", "wait_minutes")
WAIT_MINUTES, MOST_WAIT_MINUTES = 10.0, 1440.0
_LOOK_S = 0.5
# The child counts for itself, and its clock begins a moment after this one.
_GRACE_S = 5.0
_TROUBLE_LETTERS = 600


def places_of(person: Principal) -> list[AgentDevice]:
    """Return the devices on which `person` may have designs measured."""
    return [each for each in devices_of(person) if each.revoked is None and may(person, Action.RUN, each)]


class DeviceMeasuring:
    """Measurements of runs by the agents of devices; a `webapp.runs.inputs.measurement_hooks.Measuring`."""

    def read(self, principal: Principal, engine: Engine, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the checked request of a problem document: `device`, `designs`, `threads` and `wait_minutes`; {} for no designs.

        Raises:
            ProblemError: names the field, what was got and what is accepted.
        """
        for key in given:
            if key not in KEYS:
                raise ProblemError(f"{FIELD}.{key}", given[key], f"one of the keys {', '.join(KEYS)}")
        designs = whole_number(given.get("designs", 0))
        if designs is None or not 0 <= designs <= MOST_DESIGNS:
            raise ProblemError(
                f"{FIELD}.designs", given["designs"], f"a whole number of designs from 0 to {MOST_DESIGNS}"
            )
        if not designs:
            return {}
        if engine.measurable is None:
            accepted = "left out"
            raise ProblemError(
                FIELD, engine.title, accepted, reason="Designs of this engine cannot be measured on a device."
            )
        device = _device(principal, given.get("device"))
        threads, wait = whole_number(given.get("threads", 1)), finite_number(given.get("wait_minutes", WAIT_MINUTES))
        cores = int(device.machine["cores"])
        if threads is None or not 1 <= threads <= cores:
            accepted = f"a whole number from 1 to the {cores} cores of {device.name}"
            raise ProblemError(f"{FIELD}.threads", given["threads"], accepted)
        if wait is None or not 0 < wait <= MOST_WAIT_MINUTES:
            accepted = f"a number of minutes above 0 and up to {MOST_WAIT_MINUTES:g}"
            raise ProblemError(f"{FIELD}.wait_minutes", given["wait_minutes"], accepted)
        return {"device": device.pk, "designs": designs, "threads": threads, "wait_minutes": wait}

    def measurer(self, run: Run) -> DeviceMeasurer:
        """Return the measurer of a run that measures."""
        return DeviceMeasurer(run)


class DeviceMeasurer:
    """Has designs of one attempt of a run measured by a device's agent; a `webapp.runs.inputs.measurement_hooks.Measurer`."""

    def __init__(self, run: Run, now: Callable[[], float] = time.monotonic) -> None:
        wish = run.measure
        self._run, self._now = run, now
        self._device = AgentDevice.objects.select_related("project").filter(pk=wish["device"]).first()
        self._threads = int(wish["threads"])
        place = None if self._device is None else Place.of(self._device, self._threads, CPU_PROVIDER)
        where, same = ("a device that is gone", False) if place is None else (place.words, predicts(place, run))
        wait_s, copies = 60.0 * float(wish["wait_minutes"]), copies_of_inputs(run)
        self.budget = MeasureBudget(int(wish["designs"]), where, same, wait_s, copies)
        self._waiting: set[int] = set()
        self._told: list[MeasuredDesign] = []
        self._asked = 0
        self._looked = self._until = 0.0

    @property
    def waits(self) -> bool:
        """Whether an answer is missing that the run still waits for."""
        return bool(self._waiting or self._told) and self._now() < self._until

    def goes_on(self, design_count: int) -> None:
        """Take over what was asked of the first `design_count` designs by the attempt before; it may be repeated."""
        asked = RunnableDesign.objects.filter(run=self._run)
        before = asked.order_by("-attempt").values_list("attempt", flat=True).first()
        if before is not None and before < self._run.attempt:
            asked.filter(attempt=before, number__lt=design_count).update(attempt=self._run.attempt)

    def ask(self, content: bytes) -> None:
        """Queue the files of designs for the agent, in the name of the run's owner."""
        asked = json.loads(content)
        numbers: list[int] = [int(number) for number in asked["numbers"]]
        self._until = self._now() + self.budget.wait_s + _GRACE_S
        try:
            self._queue(numbers, asked)
        except (ProblemError, NotAllowed, Http404) as error:
            self._tell([MeasuredDesign(number, None, trouble=str(error)[:_TROUBLE_LETTERS]) for number in numbers])

    def answers(self) -> Sequence[MeasuredDesign]:
        """Return the answers since the last call."""
        if self._waiting and self._now() - self._looked >= _LOOK_S:
            self._looked = self._now()
            found = [each for each in measured_designs(self._run.owner, self._run) if self._is_due(each)]
            self._tell([_frame(each) for each in found])
        told, self._told = self._told, []
        return told

    def _is_due(self, each: Found) -> bool:
        place = each.place
        here = self._device is not None and place.device == self._device.pk and place.on_processor
        return here and place.threads == self._threads and each.number in self._waiting and each.state != "waiting"

    def _tell(self, frames: Sequence[MeasuredDesign]) -> None:
        if frames:
            self._told += frames
            self._waiting -= {each.number for each in frames}
            self._until = self._now() + self.budget.wait_s + _GRACE_S

    def _queue(self, numbers: Sequence[int], asked: Mapping[str, Any]) -> None:
        if self._device is not None:
            self._device.refresh_from_db()  # the run may have been at work for days
        if self._device is None or self._device.revoked is not None:
            raise ProblemError(f"{FIELD}.device", self.budget.where, "a device whose agent was not revoked")
        if self._asked + len(numbers) > self.budget.designs:
            raise ProblemError(f"{FIELD}.designs", self._asked + len(numbers), f"at most {self.budget.designs}")
        _require_named_by_content(asked["files"])
        # Of an attempt that was killed before its checkpoint the same numbers may be other designs.
        RunnableDesign.objects.filter(run=self._run, attempt=self._run.attempt, number__in=numbers).delete()
        store_designs(self._run, numbers, asked)
        stored = RunnableDesign.objects.filter(run=self._run, attempt=self._run.attempt, number__in=numbers)
        designs = list(stored.prefetch_related("pieces__file"))
        files = {piece.file_id: piece.file for design in designs for piece in design.pieces.all()}
        jobs.ask_files(self._run.owner, self._device, list(files.values()), [self._threads])
        RunDevice.objects.get_or_create(run=self._run, device=self._device)
        self._asked += len(numbers)
        self._waiting |= {each.number for each in designs}


def _frame(found: Found) -> MeasuredDesign:
    known = found.latency
    if known is None:
        return MeasuredDesign(found.number, None, trouble=found.trouble or "It could not be measured.")
    return MeasuredDesign(found.number, known.median_s, known.low_s, known.high_s)


def _require_named_by_content(files: Mapping[str, Mapping[str, Any]]) -> None:
    """Check the hash of each file: files are stored once for all runs by their content, so a run's process is not trusted."""
    for digest, told in files.items():
        if content_hash(told["about"], base64.b64decode(told["onnx"])) != digest:
            raise ProblemError(f"{FIELD}.files", digest, "the hash of the file's own content")


def _device(principal: Principal, number: Any) -> AgentDevice:
    """Return the device of that number.

    Raises:
        ProblemError: `principal` may not measure there, or there is none, or its agent was revoked.
    """
    places = places_of(principal)
    found = [each for each in places if each.pk == number and not isinstance(number, bool)]
    if not found:
        offered = (
            ", ".join(f"{each.pk} ({each.name})" for each in places) or "there is none; the page Devices makes one"
        )
        accepted = f"the number of a device with an agent in a project in which you may start runs: {offered}"
        raise ProblemError(f"{FIELD}.device", number, accepted)
    return found[0]

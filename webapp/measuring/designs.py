"""Designs of a run measured on a device: what of them it runs is asked of the engine once, and queued for the device's agent."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from engines.contract.errors import EngineError, ProblemError
from engines.contract.integer_format import many
from engines.contract.runnable import Measurable
from engines.registry import get_engine
from engines.running.runner.limited_process import ChildLimits
from engines.running.runner.questions import ask_child
from engines.running.runner.runnables import question_of
from webapp.measuring import jobs
from webapp.measuring.models import AgentDevice, DesignPiece, RunDevice, RunnableDesign, RunnableFile
from webapp.measuring.places import CPU_PROVIDER
from webapp.runs.inputs.problems import pinned_problem
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.results.evaluation import memory_of
from webapp.runs.storage.document_files import copies_of_inputs
from webapp.teams.permissions import Action, Principal, require

MOST_DESIGNS = 60
_CPU_S, _TIME_S = 40, 60.0
_TITLE_LETTERS, _REFUSED_LETTERS = 200, 600


@dataclass(frozen=True)
class AskedDesigns:
    """The outcome of a wish to measure designs.

    Attributes:
        waiting: number of files that wait for the device's agent because of it.
        known: number of earlier requests and measurements.
        refused: number of a design -> why nothing of it can be run.
    """

    waiting: int
    known: int
    refused: Mapping[int, str]


def measurable_of(run: Run) -> Measurable | None:
    """Return how devices measure the run's designs; None if the engine does not support it or has another version."""
    try:
        engine = get_engine(run.engine)
    except (EngineError, ImportError):
        return None
    return engine.measurable if engine.version == run.engine_version else None


def ask_designs(
    person: Principal,
    run: Run,
    numbers: Sequence[int],
    device: AgentDevice,
    threads: int | Sequence[int],
    again: bool = False,
    provider: str = CPU_PROVIDER,
) -> AskedDesigns:
    """Ask the agent of a device to measure designs. Existing measurements are not repeated.

    Whoever sees the run sees from now on what the device measured of it.

    Args:
        person: who may start runs in the device's project; sees the run.
        run: whose designs.
        numbers: numbers of the designs.
        device: the device.
        threads: threads of the runtime; several numbers of them are so many measurements of each design.
        again: measure what was measured before once more.
        provider: provider of the runtime, one that the device's agent told of.

    Raises:
        NotVisible, NotAllowed: `person` may not start runs in the device's project.
        ProblemError: no or too many designs, a number that no design has, an engine whose designs machines cannot run, more threads
            than cores, a provider that the device has not, or too much that waits.
        BusyError, UnansweredError: the process that asks the engine could not answer.
    """
    require(person, Action.RUN, device)
    wanted = sorted(set(numbers))
    if not 1 <= len(wanted) <= MOST_DESIGNS:
        raise ProblemError("designs", many(len(wanted), "design"), f"from 1 to {MOST_DESIGNS} designs at a time")
    if wanted[0] < 0 or wanted[-1] >= run.design_count:
        got = wanted[0] if wanted[0] < 0 else wanted[-1]
        raise ProblemError("designs", got, f"numbers of designs, from 0 to {run.design_count - 1}")
    counts = jobs.thread_counts(device, [threads] if isinstance(threads, int) else threads)
    jobs.check_provider(device, provider)
    designs = runnable_designs(run, wanted)
    files = {piece.file_id: piece.file for design in designs for piece in design.pieces.all()}
    asked = jobs.ask_files(person, device, list(files.values()), counts, again, provider)
    RunDevice.objects.get_or_create(run=run, device=device)
    refused = {design.number: design.refused for design in designs if design.refused}
    return AskedDesigns(len(asked.waiting), len(asked.known), refused)


def runnable_designs(run: Run, numbers: Sequence[int]) -> list[RunnableDesign]:
    """Return the designs as files, with their pieces.

    Those that nobody asked for before are made by the engine, in a limited process.

    Raises:
        ProblemError, BusyError, UnansweredError: as `ask_designs`.
    """
    stored = RunnableDesign.objects.filter(run=run, attempt=run.attempt, number__in=numbers)
    missing = sorted(set(numbers) - set(stored.values_list("number", flat=True)))
    if missing:
        store_designs(run, missing, _answer(run, missing))
    return list(stored.all().prefetch_related("pieces__file"))


def _answer(run: Run, numbers: Sequence[int]) -> Mapping[str, Any]:
    decisions = [json.loads(text) for text in readers.decisions_at(run.pk, numbers)]
    limits = ChildLimits(memory_of(run), _CPU_S, _TIME_S)
    told, copies = _figures(run, numbers), copies_of_inputs(run)
    content = question_of(pinned_problem(run), decisions, limits.memory_mb, told, copies)
    found: Mapping[str, Any] = ask_child("runnable", content, "Making designs runnable", limits)
    return found


def _figures(run: Run, numbers: Sequence[int]) -> list[dict[str, float]]:
    """Return the columns of each design that its engine asks for; nothing is read where it asks for none."""
    measurable = measurable_of(run)
    if measurable is None or not measurable.figures:
        return []
    columns = readers.load_designs(run, measurable.figures).columns
    return [{name: float(columns[name][number]) for name in measurable.figures} for number in numbers]


def store_designs(run: Run, numbers: Sequence[int], found: Mapping[str, Any]) -> None:
    """Store designs as files, in the form of `engines.running.runner.runnables.answer`; stored ones stay unchanged."""
    with transaction.atomic():
        files = {digest: _file(digest, each) for digest, each in found["files"].items()}
        for number, told in zip(numbers, found["designs"], strict=True):
            design, new = RunnableDesign.objects.get_or_create(
                run=run, attempt=run.attempt, number=number,
                defaults={
                    "rest_s": told.get("rest_s", 0.0), "rest_words": told.get("rest_words", ""),
                    "refused": told.get("refused", "")[:_REFUSED_LETTERS],
                },
            )  # fmt: skip
            pieces = told.get("pieces", ()) if new else ()
            DesignPiece.objects.bulk_create(
                DesignPiece(
                    design=design, file=files[each["file"]], title=each["title"][:_TITLE_LETTERS], share=each["share"]
                )
                for each in pieces
            )


def _file(digest: str, told: Mapping[str, Any]) -> RunnableFile:
    values = {
        "slug": f"piece-{digest[:12]}",
        "title": "A piece of a design",
        "content": {},
        "piece": True,
        "onnx": base64.b64decode(told["onnx"]),
        "about": told["about"],
    }
    return RunnableFile.objects.get_or_create(content_hash=digest, defaults=values)[0]

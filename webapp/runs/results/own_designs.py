"""Designs made by hand, kept among those of a run: of origin "user", which fronts, best values and studies leave out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import F, Max

from engines.contract.designs import Designs, canonical_json
from engines.contract.errors import ProblemError
from engines.running.runner.frame_parts import pack_designs
from webapp.limits.service import require_room
from webapp.runs.errors import RunStateError
from webapp.runs.models import LogLine, Run
from webapp.runs.results import readers
from webapp.runs.results.design_variants import DesignEdit, Population, try_edit
from webapp.runs.storage.design_chunks import chunk_row
from webapp.runs.storage.json_values import clean
from webapp.teams.visibility import Principal, require_edit

MOST_OWN = 200
NAME = "By hand"


@dataclass(frozen=True)
class KeptDesign:
    """A stored user-made design.

    Attributes:
        number: number of the design in the run.
        label: name of the design.
        created: whether it is new.
        may_begin: whether a new run can take it up.
    """

    number: int
    label: str
    created: bool
    may_begin: bool = False


def may_be_kept(run: Run) -> bool:
    """Return whether designs can be added: a run that may still continue numbers what it finds itself."""
    return run.status == Run.Status.DONE


def keep_edited(
    principal: Principal,
    run: Run,
    number: int,
    moves: Sequence[Sequence[str]],
    population: Callable[[], Population],
) -> KeptDesign:
    """Append the design after the moves to the designs of the run; one that is there already stays the only one.

    Raises:
        NotAllowed: `principal` may not edit the project.
        RunStateError: the run is not done.
        LimitReachedError: the project or the owner has no room.
        LookupError, ProblemError, BusyError, UnansweredError: as `try_edit`; or nothing was moved.
    """
    require_edit(principal, run)
    if not may_be_kept(run):
        raise RunStateError("keep a design of one's own in", run.status, (Run.Status.DONE.value,))
    edited = try_edit(run, number, moves, population)
    if not edited.taken:
        raise ProblemError("moves", list(map(list, moves)), "at least one possible move")
    words = f"Made by hand by {principal.get_username()} from design {number}: {edited.change}"
    with transaction.atomic():
        held = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
        return _store(held, edited, words)


def _store(run: Run, edited: DesignEdit, words: str) -> KeptDesign:
    stored = readers.load_designs(run)
    same = _number_of(run, stored, edited)
    if same is not None:
        return KeptDesign(same, stored.label[same], False, bool(edited.params))
    own = int(stored.of_origin("user").sum())
    if own >= MOST_OWN:
        raise ProblemError(
            "run", f"{own} designs made by hand", f"a run with fewer than {MOST_OWN} designs made by hand"
        )
    label, number = f"{NAME} {own + 1}", run.design_count
    columns = {name: np.array([value]) for name, value in edited.columns.items()}
    (chunk,) = pack_designs(Designs(columns, [edited.decision], label=(label,)))
    size = len(chunk.scalars) + len(chunk.decisions)
    require_room(run.project_id, run.owner_id, stored_bytes=size)
    chunk_row(run.pk, run.step_number, number, chunk).save(force_insert=True)
    Run.objects.filter(pk=run.pk).update(design_count=number + 1, stored_bytes=F("stored_bytes") + size)
    line = (LogLine.objects.filter(run=run).aggregate(last=Max("number"))["last"] or 0) + 1
    text = clean(f"{label} (design {number}). {words}", 2000)
    LogLine.objects.create(run=run, number=line, attempt=run.attempt, level="info", text=text)
    return KeptDesign(number, label, True, bool(edited.params))


def _number_of(run: Run, stored: Designs, edited: DesignEdit) -> int | None:
    """Return the number of the stored design with the same decision; only decisions of equal figures are read."""
    equal = np.ones(len(stored), dtype=bool)
    for name, value in edited.columns.items():
        if name in stored.columns:
            column = stored.columns[name]
            equal &= (column == value) | (np.isnan(column) & np.isnan(value))
    numbers = np.flatnonzero(equal).tolist()
    wanted = canonical_json(edited.decision)
    texts = readers.decisions_at(run.pk, numbers)
    same = (n for n, text in zip(numbers, texts, strict=True) if _canonical(json.loads(text)) == wanted)
    return next(same, None)


def _canonical(decision: Mapping[str, Any]) -> str:
    return canonical_json(decision)

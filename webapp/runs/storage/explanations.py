"""Explanations of a few designs, stored after a run has ended so that its page shows them at once.

Each is a working file of the run: it is counted, copied and deleted with the other files, and not offered for download.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Sum

from engines.contract.results import Result
from engines.running.explained_designs import unpack_explanation
from webapp.runs.models import Run, RunFile
from webapp.runs.storage.files import put_content, read_content

MOST_BYTES = 1_000_000  # of one run
_PLACE = "explanation/"


def store_explanation(run_id: int, attempt: int, number: int, content: bytes) -> bool:
    """Store the explanation of one design; return whether it is stored now.

    Args:
        run_id: of a run that is done; for any other nothing is stored.
        attempt: the one that completed the run.
        number: number of the design.
        content: packed (`engines.running.explained_designs`).
    """
    with transaction.atomic():
        stored = RunFile.objects.filter(run_id=run_id, working=True, name__startswith=_PLACE)
        done = Run.objects.filter(pk=run_id, attempt=attempt, status=Run.Status.DONE)
        if not done.update(stored_bytes=F("stored_bytes") + len(content)):
            return False
        name, total = f"{_PLACE}{number}", stored.aggregate(total=Sum("blob__size"))["total"] or 0
        if total + len(content) > MOST_BYTES or stored.filter(name=name).exists():
            transaction.set_rollback(True)
            return False
        RunFile.objects.create(
            run_id=run_id, working=True, name=name, step_number=0,
            media_type="application/octet-stream", blob_id=put_content(content),
        )  # fmt: skip
    return True


def stored_explanation(run_id: int, number: int) -> tuple[Result, ...] | None:
    """Return the stored explanation of a design; None where there is none that this version can read."""
    stored = RunFile.objects.filter(run_id=run_id, working=True, name=f"{_PLACE}{number}").first()
    try:
        return None if stored is None else unpack_explanation(read_content(stored.blob_id))
    except (KeyError, TypeError, ValueError):  # deleted a moment ago, or of another release
        return None

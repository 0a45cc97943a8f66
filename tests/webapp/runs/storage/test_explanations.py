"""Explanations of a few designs: within their bound, once, and of the attempt that completed the run."""

from __future__ import annotations

import os

import pytest

from engines.contract.results import Note
from engines.running.explained_designs import pack_explanation
from webapp.runs.models import Run
from webapp.runs.storage.explanations import MOST_BYTES, store_explanation, stored_explanation
from webapp.runs.storage.files import list_files
from webapp.runs.storage.stored_bytes import bytes_of


def packed(text: str) -> bytes:
    return pack_explanation([Note("remark", "Remark", text)])


def test_they_are_stored_once_within_a_megabyte_and_counted(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(status="done", attempt=2, stored_bytes=bytes_of(run.pk))
    long = os.urandom(MOST_BYTES // 2).hex()  # packs to about half of it
    assert store_explanation(run.pk, 2, 3, packed("First"))
    assert not store_explanation(run.pk, 2, 3, packed("Second"))
    assert store_explanation(run.pk, 2, 4, packed(long))
    assert not store_explanation(run.pk, 2, 5, packed(long[::-1]))
    assert store_explanation(run.pk, 2, 6, packed("Small"))
    found = stored_explanation(run.pk, 3)
    assert found is not None and found[0] == Note("remark", "Remark", "First")
    assert stored_explanation(run.pk, 5) is None
    run.refresh_from_db()
    assert run.stored_bytes == bytes_of(run.pk)
    assert not [each for each in list_files(run) if "explanation" in each.name]


@pytest.mark.parametrize(("status", "attempt"), [("running", 2), ("done", 1)])
def test_of_another_attempt_and_of_a_run_that_goes_on_none_is_stored(run: Run, status: str, attempt: int) -> None:
    Run.objects.filter(pk=run.pk).update(status=status, attempt=2)
    assert not store_explanation(run.pk, attempt, 3, packed("First"))
    assert stored_explanation(run.pk, 3) is None


def test_what_this_release_cannot_read_is_computed_again(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(status="done", attempt=1)
    assert store_explanation(run.pk, 1, 0, b"of another release")
    assert stored_explanation(run.pk, 0) is None

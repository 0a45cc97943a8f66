"""Rows of notes, tags, stars and notices."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from tests.support.stored_runs import People
from webapp.annotations.models import Favourite, Note, Tag
from webapp.runs.models import Run


def note(people: People, run: Run, text: str = "Look", **given: Any) -> Note:
    values = {"project": people.project, "kind": "run", "number": run.pk, "owner": people.editor, "text": text}
    return Note.objects.create(**values | given)


def test_a_note_is_called_by_its_first_words(people: People, run: Run) -> None:
    assert note(people, run, "Two  lines\nof text").title == "Two lines of text"
    long = note(people, run, "word " * 40).title
    assert len(long) == 60 and long.endswith("…")
    assert str(note(people, run)) == f"note on run {run.pk}"


def test_a_design_has_one_pinned_remark_and_a_deleted_one_gives_way(people: People, run: Run) -> None:
    first = note(people, run, design=3, pinned=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        note(people, run, design=3, pinned=True)
    note(people, run, design=4, pinned=True)
    Note.objects.filter(pk=first.pk).update(deleted=first.created)
    note(people, run, design=3, pinned=True)


@pytest.mark.parametrize("model", [Tag, Favourite])
def test_a_thing_has_a_tag_and_a_persons_star_once(people: People, run: Run, model: Any) -> None:
    values = {"project": people.project, "word": "paper"} if model is Tag else {"user": people.viewer}
    made = model.objects.create(kind="run", number=run.pk, **values)
    assert str(made).endswith(f"on run {run.pk}")
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.create(kind="run", number=run.pk, **values)

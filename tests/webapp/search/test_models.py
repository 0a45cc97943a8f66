"""Rows of the index of words."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from tests.support.stored_runs import make_people
from webapp.search.models import SearchEntry


@pytest.mark.django_db
def test_a_thing_has_one_entry() -> None:
    given = {"project": make_people().project, "words": "run lab zebra", "kind": "run", "number": 7}
    assert str(SearchEntry.objects.create(**given)) == "words of run 7"
    with pytest.raises(IntegrityError), transaction.atomic():
        SearchEntry.objects.create(**given)

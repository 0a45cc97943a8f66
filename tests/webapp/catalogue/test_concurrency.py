"""Two people who store at once get two versions; the same content stored at once is stored once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from tests.support.databases import LiveDatabase
from tests.support.stored_runs import make_people
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import copy_of, store_version

WRITERS = 6


@pytest.mark.parametrize(("different", "versions"), [(True, WRITERS), (False, 1)])
def test_it_numbers_versions_one_by_one(live_database: LiveDatabase, different: bool, versions: int) -> None:
    people = make_people()
    package = copy_of(people.owner, "hardware", "simba-3x3-nvdla")

    def store(number: int) -> int:
        content: dict[str, Any] = {**package, "title": f"Title {number}" if different else "Title"}
        try:
            return store_version(people.owner, people.project, "hardware", content).number
        finally:
            connections.close_all()

    with ThreadPoolExecutor(WRITERS) as pool:
        numbers = sorted(pool.map(store, range(WRITERS)))
    assert numbers == (list(range(1, WRITERS + 1)) if different else [1] * WRITERS)
    assert DocumentVersion.objects.count() == versions

"""Both databases give back exactly what was stored."""

from __future__ import annotations

from tests.support.databases import LiveDatabase
from tests.support.stored_runs import make_people
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import copy_of, resolve, store_version


def test_it_comes_back_with_the_same_hash(live_database: LiveDatabase) -> None:
    people = make_people()
    package = copy_of(people.owner, "hardware", "simba-3x3-het-sides")
    package["clock_mhz"] = 500.0
    package["off_chip_memory"] = {**package["off_chip_memory"], "latency_ns": 2.5e-7}
    stored = store_version(people.owner, people.project, "hardware", package)
    read = DocumentVersion.objects.get(pk=stored.pk)
    assert read.content == stored.content
    assert resolve(people.viewer, "hardware", package["slug"]).content_hash() == stored.content_hash
    assert store_version(people.owner, people.project, "hardware", package).pk == stored.pk

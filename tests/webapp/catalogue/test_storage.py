"""Both databases give back exactly what was stored."""

from __future__ import annotations

from engines.contract.designs import ordered_json
from engines.contract.encoding.document_text import to_yaml
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


def test_its_keys_keep_the_order_of_the_text(live_database: LiveDatabase) -> None:
    people = make_people()
    board = {**copy_of(people.owner, "hardware", "jetson-agx-xavier"), "slug": "board"}
    assert list(board["units"]) == ["cpu", "gpu", "dla"]  # neither by length nor by letter
    stored = store_version(people.owner, people.project, "hardware", to_yaml(board))
    read = DocumentVersion.objects.get(pk=stored.pk)
    assert ordered_json(read.content["units"]) == ordered_json(board["units"])
    with_titles = DocumentVersion.objects.filter(pk=stored.pk).values_list("content__title", flat=True)
    assert list(with_titles) == [board["title"]]

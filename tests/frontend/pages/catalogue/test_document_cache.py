from __future__ import annotations

from frontend.pages.catalogue.document_cache import loaded
from tests.support.stored_runs import People
from webapp.catalogue.service import copy_of, get_entry, store_version


def test_another_document_of_the_same_name_is_read_anew(people: People) -> None:
    content = copy_of(people.owner, "hardware", "simba-3x3-nvdla")
    store_version(people.owner, people.project, "hardware", content)
    first = loaded(get_entry(people.owner, "hardware", content["slug"]))
    store_version(people.owner, people.project, "hardware", {**content, "clock_mhz": 250})
    assert loaded(get_entry(people.owner, "hardware", content["slug"])).clock_hz == 250e6
    assert loaded(get_entry(people.owner, "hardware", content["slug"], 1)) is first

"""What a copy starts from."""

from __future__ import annotations

from typing import Any

from tests.support.stored_runs import People
from webapp.catalogue.copies import copy_of
from webapp.catalogue.names import get_entry
from webapp.catalogue.service import store_version


def test_it_copies_under_a_free_name(people: People, package: dict[str, Any]) -> None:
    assert package["slug"] == "simba-3x3-nvdla-copy"
    store_version(people.owner, people.project, "hardware", package)
    again = copy_of(people.owner, "hardware", "simba-3x3-nvdla")
    assert again["slug"] == "simba-3x3-nvdla-copy-2"
    assert package["title"].endswith(" (copy)") and again["title"] == package["title"].replace("(copy)", "(copy 2)")
    assert copy_of(people.owner, "hardware", package["slug"])["title"] == again["title"]  # no copy of a copy
    assert get_entry(people.owner, "hardware", package["slug"]).summary.startswith("3 × 3: 9 nvdla")

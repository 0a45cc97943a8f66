"""What the pages of documents share, and the page of hardware."""

from __future__ import annotations

from typing import Any

from frontend.pages.catalogue.document.frame import DocumentView, explore_href, find, head, rail_entries
from tests.support.stored_runs import People
from webapp.catalogue.service import DocumentEntry


def test_a_foreign_document_is_the_same_as_none(people: People, stored: dict[str, Any]) -> None:
    assert find(people.viewer, "hardware", f"lab/{stored['slug']}") is not None
    for name in (f"lab/{stored['slug']}", stored["slug"], "lab/none", "none", "", "a/b/c", "@", "²"):
        assert find(people.stranger, "hardware", name) is None
    assert find(people.owner, "hardware", stored["slug"], "9") is None


def test_an_older_version_is_pinned_where_one_explores_with_it(people: People, stored: dict[str, Any]) -> None:
    newest, first = (find(people.owner, "hardware", stored["slug"], version) for version in ("", "1"))
    assert newest is not None and first is not None and newest.current and not first.current
    assert explore_href(newest) == f"/new?engine=scar&hardware=lab/{stored['slug']}"
    assert explore_href(first) == f"/new?engine=scar&hardware=lab/{stored['slug']}@1"


def test_the_list_filters(people: People) -> None:
    found = rail_entries(people.owner, "hardware", "jetson-tx2", "jetson")
    assert "jetson-tx2" in str(found) and "simba" not in str(found)
    assert "Nothing matches" in str(rail_entries(people.owner, "hardware", "", "zebra"))


def test_a_document_that_was_read_in_another_way_offers_to_import_it_again() -> None:
    tracks = [{"title": "t", "times_s": [0, 1], "columns": {"rate": [1, 2]}}]
    content = {
        "schema": "recording/1",
        "slug": "a",
        "title": "A",
        "source": "file a.csv",
        "units": {"rate": "Mbps"},
        "tracks": tracks,
    }
    for reader, offered in (({}, True), ({"reader": 2}, False)):
        entry = DocumentEntry("data", "a", 1, "A", "one track", True, {**content, **reader})
        assert ("Import again" in str(head(DocumentView(entry, ()), "Recordings"))) is offered

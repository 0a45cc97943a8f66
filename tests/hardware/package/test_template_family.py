"""Families of templates."""

from __future__ import annotations

from hardware.package.template_family import expand

FAMILY = {
    "schema": "chiplet-package/1",
    "clock_mhz": 500,
    "sources": {"clock_mhz": "a"},
    "sizes": [{}, {"slug": "-fast", "title": " (fast)", "clock_mhz": 900, "sources": {"clock_mhz": "b"}}],
    "packages": [
        {"slug": "one", "title": "One", "package": {"rows": 1}},
        {"slug": "two", "title": "Two", "summary": "Both.", "package": {"rows": 2}, "sources": {"package": "c"}},
    ],
}


def test_every_package_comes_in_every_size_with_texts_appended() -> None:
    documents = list(expand(FAMILY))
    assert [document["slug"] for document in documents] == ["one", "one-fast", "two", "two-fast"]
    assert documents[3] == {
        "schema": "chiplet-package/1",
        "slug": "two-fast",
        "title": "Two (fast)",
        "summary": "Both.",
        "package": {"rows": 2},
        "clock_mhz": 900,
        "sources": {"clock_mhz": "b", "package": "c"},
    }
    assert list(documents[3])[:4] == ["schema", "slug", "title", "summary"]


def test_packages_do_not_share_what_is_their_own() -> None:
    first, _, second, _ = expand(FAMILY)
    assert first["sources"] == {"clock_mhz": "a"} and "summary" not in first
    assert second["sources"] == {"clock_mhz": "a", "package": "c"}


def test_without_sizes_every_package_comes_once() -> None:
    family = {key: value for key, value in FAMILY.items() if key != "sizes"}
    assert [document["slug"] for document in expand(family)] == ["one", "two"]


def test_a_document_that_is_no_family_comes_back_alone() -> None:
    assert list(expand({"slug": "single", "clock_mhz": 1})) == [{"slug": "single", "clock_mhz": 1}]

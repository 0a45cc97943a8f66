from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from frontend.components.shell.search_hits import Hit, find_documents, find_engines, find_runs, hit_rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(django_user_model):
    return django_user_model.objects.create_user("ann", password="a-long-enough-word")


def test_it_finds_documents_by_every_word(ann):
    hits = find_documents(ann, "hardware", "simba checkerboard")
    assert hits and all("checkerboard" in hit.note for hit in hits)
    assert hits[0].href == f"/catalogue/hardware/{hits[0].note}"
    assert find_documents(ann, "hardware", "simba zebra") == []


def test_it_shows_a_stranger_no_runs():
    assert find_runs(AnonymousUser(), "scar") == []


@pytest.mark.parametrize("query", ["", "'; DROP TABLE", "9" * 40, "%", "\u2009"])
def test_it_takes_any_query(ann, query):
    assert find_runs(ann, query) == []


def test_it_finds_engines_by_name_and_title():
    assert [hit.href for hit in find_engines("scar")] == ["/new?engine=scar"]
    assert find_engines("") == find_engines("zebra") == []


def test_the_number_of_a_run_is_never_cut_and_a_long_title_is_told_on_approach():
    run, document = hit_rows(
        "cpu", [Hit("One of two long titles", "0012", "/runs/12", "done"), Hit("T", "slug", "/c/t")]
    )
    title, number, slug = run.children[1], run.children[2], document.children[2]
    assert title.title == "One of two long titles" and number.children == "0012"
    assert "el" not in number.className.split() and "el" in slug.className.split()

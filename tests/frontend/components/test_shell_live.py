from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from frontend.components.shell_live import Hit, find_documents, find_runs, hit_rows, workers_words
from webapp.runs.workers import WorkerSummary

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


@pytest.mark.parametrize(
    ("summary", "words", "tone"),
    [
        (WorkerSummary(2, 2, 2, 1), "2 of 2 workers", "good"),
        (WorkerSummary(0, 1, 0, 0), "0 of 1 worker", "bad"),
        (WorkerSummary(0, 0, 0, 0), "no workers", "bad"),
    ],
)
def test_it_says_how_many_workers_live(summary, words, tone):
    dot, text = workers_words(summary)
    assert text.children == words and tone in dot.className


def test_the_number_of_a_run_is_never_cut_and_a_long_title_is_told_on_approach():
    run, document = hit_rows(
        "cpu", [Hit("One of two long titles", "0012", "/runs/12", "done"), Hit("T", "slug", "/c/t")]
    )
    title, number, slug = run.children[1], run.children[2], document.children[2]
    assert title.title == "One of two long titles" and number.children == "0012"
    assert "el" not in number.className.split() and "el" in slug.className.split()

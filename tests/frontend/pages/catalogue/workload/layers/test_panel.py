from __future__ import annotations

from frontend.pages.catalogue.workload.view import page
from tests.frontend.pages.catalogue.workload.cases import found
from tests.support.stored_runs import People
from tests.support.work import calls_of


def test_a_page_of_two_hundred_layers_takes_little_work(people: People) -> None:
    shown = found(people, "gpt2-large-128")
    page(people.owner, shown, {})
    assert calls_of(lambda: page(people.owner, shown, {}).to_plotly_json()) < 600_000

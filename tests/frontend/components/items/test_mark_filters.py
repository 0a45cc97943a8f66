"""Tags and stars in lists, and the links that show only some."""

from __future__ import annotations

from typing import Any

import pytest

from frontend.components.items.mark_filters import mark_filters, read_marks
from frontend.components.static_html import static_html
from frontend.pages.home.data import AskedRuns, home_view
from frontend.pages.study.listing_data import list_view
from tests.support.stored_runs import People, finished_run
from webapp.annotations.marks import AskedMarks, set_star, set_tags
from webapp.runs.models import Run
from webapp.studies import service as studies


def test_an_address_asks_for_a_tag_and_a_star() -> None:
    assert read_marks({"tag": "Paper", "star": "1"}) == AskedMarks("paper", True)
    assert read_marks({"tag": "a\0b", "star": "yes"}) == AskedMarks() == read_marks({})


def test_what_is_chosen_leads_back_to_all() -> None:
    assert mark_filters("run", [], AskedMarks(), False) is None
    links: Any = mark_filters("study", [("paper", 2), ("r&d", 1)], AskedMarks("paper"), True)
    assert [each.href for each in links.children] == ["/studies?star=1", "/studies", "/studies?tag=r%26d"]
    many = [(f"tag {number:02d}", number) for number in range(30)]
    shown: Any = mark_filters("run", many, AskedMarks("rare"), False)
    assert len(shown.children) == 13 and "rare" in static_html(shown.children[-1].children)


@pytest.mark.django_db
def test_lists_show_what_has_the_tag_or_the_star_and_stars_first(people: People, run: Run) -> None:
    newer = finished_run(people)
    study = studies.create(people.owner, {"engine": "toy", "seeds": [1]}, project=people.project)
    set_tags(people.editor, "run", run.pk, ["paper"])
    set_tags(people.editor, "study", study.pk, ["thesis"])
    set_star(people.viewer, "run", run.pk, True)
    view = home_view(people.viewer)
    assert view.rows[0]["id"] == str(run.pk) and view.rows[0]["star"] and view.rows[0]["tags"] == ["paper"]
    assert view.tags == (("paper", 1),)
    assert home_view(people.editor).rows[-1]["id"] == str(run.pk), "a star is one's own"
    for asked in (AskedMarks("paper"), AskedMarks(star=True)):
        assert [row["id"] for row in home_view(people.viewer, AskedRuns(marks=asked)).rows] == [str(run.pk)]
    assert home_view(people.viewer, AskedRuns(marks=AskedMarks("none"))).rows == ()
    assert str(newer.pk) in [row["id"] for row in view.rows]
    assert [row["tags"] for row in list_view(people.viewer, asked=AskedMarks("thesis")).rows] == [["thesis"]]
    assert list_view(people.viewer, asked=AskedMarks(star=True)).rows == ()
    assert home_view(people.stranger, AskedRuns(marks=AskedMarks("paper"))).rows == ()

"""Remarks on the designs that a comparison looks at."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People
from webapp.annotations.notes import write
from webapp.comparisons.service import entries_of
from webapp.runs.models import Run

pytestmark = pytest.mark.django_db


def test_the_remark_of_the_design_that_is_looked_at_is_shown(
    people: People, run: Run, django_assert_num_queries: Any
) -> None:
    from frontend.components.static_html import static_html
    from frontend.pages.compare.data import sides_of
    from frontend.pages.compare.remarks import remark_lines

    write(people.editor, "run", run.pk, "Too **hot** & <wide>", design=2, pinned=True)
    sides = sides_of(entries_of(people.viewer, [{"run": run.pk, "design": 2}]))
    with django_assert_num_queries(1):
        shown = static_html(remark_lines(sides))
    assert "eve: Too hot &amp; &lt;wide&gt;" in shown and "Design 0002" in shown
    assert remark_lines(sides_of(entries_of(people.viewer, [{"run": run.pk, "design": 1}]))) is None

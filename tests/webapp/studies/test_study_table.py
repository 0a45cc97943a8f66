from __future__ import annotations

from typing import Any

from tests.support.live import LiveSite
from tests.webapp.studies.tables_for_tests import GRID, do
from webapp.studies import service
from webapp.studies.study_table import printed_table
from webapp.studies.tables import study_table


def test_it_prints_medians_and_of_how_many_where_some_are_missing(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, GRID)
    do(study.runs.order_by("pk")[0])
    printed = printed_table(study_table(study))
    shown: list[Any] = [list(column.cells) for column in printed.columns]
    assert shown[0] == ["1", "3"] and shown[1][0].endswith("s (1 of 3)") and shown[1][1] == "-"

from __future__ import annotations

from dataclasses import replace

from engines.contract.results import Lane
from frontend.figures.schedule.schedule import lane_count
from frontend.results.schedule import VIEW
from frontend.results.view import FigureQuery
from tests.frontend.figures.samples import sample_schedule

SCHEDULE = sample_schedule()


def test_lanes_decide_the_height_on_paper() -> None:
    assert VIEW.paper is not None
    many = replace(SCHEDULE, lanes=tuple(Lane(f"C{number}", f"C{number}", "nvdla", 0.5) for number in range(16)))
    heights = [VIEW.paper(each, 300, FigureQuery()).layout.height for each in (SCHEDULE, many)]
    assert heights == [52 + 26 * 9, 52 + 16 * 16]
    by_model = VIEW.paper(SCHEDULE, 300, FigureQuery(by="models"))
    assert by_model is not None and by_model.layout.height == 52 + 16 * lane_count(SCHEDULE, "models")


def test_a_common_end_stretches_the_axis() -> None:
    assert VIEW.paper is not None
    ends = [VIEW.paper(SCHEDULE, 300, FigureQuery(end_s=end)).layout.xaxis.range[1] for end in (None, 100.0)]
    assert ends[1] > ends[0]

from __future__ import annotations

from frontend.designs.run_designs import Region
from frontend.pages.run.front.choices import Choices
from frontend.pages.run.front.query import FrontQuery


def test_a_kept_view_belongs_to_axes_and_scales_and_to_nothing_else() -> None:
    def asked(choices: Choices, region: Region | None = None) -> FrontQuery:
        return FrontQuery(choices, {}, region, "light", None, {}, None, {})

    first = asked(Choices("2d", "latency_s", "energy_j", "latency_s"))
    assert first.axes == asked(Choices("2d", "latency_s", "energy_j", "area_mm2", colour="area_mm2")).axes
    assert first.axes != asked(Choices("2d", "energy_j", "latency_s", "latency_s")).axes
    assert first.axes != asked(Choices("2d", "latency_s", "energy_j", "latency_s", log="x")).axes

from __future__ import annotations

from itertools import pairwise

import plotly.graph_objects as go
import pytest

from frontend.figures.hardware.roofline import roofline_figure, roofline_sentence, rooflines
from tests.frontend.figures.samples import SOCS

ORIN = SOCS["jetson-agx-orin"]


def test_a_roof_is_the_lower_of_bandwidth_and_peak() -> None:
    for trace, roof in zip(roofline_figure(ORIN, None, "dark").data, rooflines(ORIN), strict=True):
        assert trace.y[0] == pytest.approx(trace.x[0] * 204.8e9 / 1e12)  # below the ridge
        assert trace.y[1] == pytest.approx(trace.y[2]) == pytest.approx(roof.operations_per_s / 1e12)
        assert trace.x[1] == pytest.approx(roof.operations_per_s / 204.8e9)


def test_bit_widths_of_the_same_rate_share_a_roof_and_all_units_count() -> None:
    roofs = {roof.label: roof.operations_per_s for roof in rooflines(ORIN)}
    assert roofs["GPU fp16, bf16"] == pytest.approx(42.615e12) and roofs["2 DLA int8"] == pytest.approx(52.5e12)


def test_a_power_mode_lowers_peaks_and_bandwidth() -> None:
    roofs = {roof.label: roof for roof in rooflines(ORIN, "mode-15w")}
    assert roofs["GPU int8"].operations_per_s == pytest.approx(10.0e12, rel=0.005)
    assert roofs["GPU int8"].bytes_per_s == 2133e6 * 64
    assert "in the mode mode-15w: 2 DLA int8 20.2" in roofline_sentence(ORIN, "mode-15w")


@pytest.mark.parametrize("slug", [slug for slug, soc in SOCS.items() if rooflines(soc)])
def test_names_at_the_right_do_not_cover_each_other(slug: str) -> None:
    drawn = roofline_figure(SOCS[slug], None, "light")
    go.Figure(drawn.to_dict())
    heights = [note.y for note in drawn.layout.annotations if note.x == 1]
    assert len(heights) == len(drawn.data)
    assert all(upper - lower > 0.05 for upper, lower in pairwise(heights))


def test_without_bandwidth_or_peak_there_is_no_roof() -> None:
    assert rooflines(SOCS["hailo-8"]) == rooflines(SOCS["apple-m1"]) == ()
    assert roofline_sentence(SOCS["hailo-8"], None) == ""

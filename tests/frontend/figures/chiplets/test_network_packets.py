"""Packets on a network's picture at a moment."""

import plotly.graph_objects as go
import pytest

from engines.contract.results import NetworkPicture
from frontend.figures.chiplets.network_packets import packets_sentence
from frontend.figures.chiplets.network_picture import height_px, network_picture_figure
from tests.frontend.figures.samples import RESULTS

PICTURE = next(result for result in RESULTS if isinstance(result, NetworkPicture))


def test_a_packet_stands_where_it_is_at_the_first_moment() -> None:
    drawn = network_picture_figure(PICTURE, 0, "light", width=612, height=height_px(PICTURE), packets=True)
    go.Figure(drawn)  # validates
    marks, facts = drawn.data[-1], drawn.layout.meta["packets"]
    # 600 pixels for the three steps from -0.5 to 2.5; a quarter of 2 us is half of its way from 0.5 to 1.5.
    assert list(marks.x) == pytest.approx([6 + 1.5 * 200]) and facts["trace"] == len(drawn.data) - 1
    assert facts["ways"][0][0][0] == 206 and facts["unit"] == "µs"
    assert not network_picture_figure(PICTURE, 1, "dark", width=612, height=200, packets=True).data[-1].x
    assert packets_sentence(PICTURE) == "Packets that start within 2.00\u00a0µs: 1 direct, 0 buffer."


def test_a_picture_that_does_not_move_has_none() -> None:
    assert network_picture_figure(PICTURE, 0, "light", width=612, height=200).layout.meta is None

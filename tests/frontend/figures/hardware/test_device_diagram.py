"""Pictures of sensor nodes, radios and batteries, of all that ship with the product."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from frontend.figures.hardware.device_diagram import (
    battery_lines,
    node_figure,
    node_sentence,
    radio_curve,
    radio_figure,
)
from frontend.theme import SCHEMES
from hardware.battery.model import EnergyStore
from hardware.radio.model import Radio
from hardware.sensor_node.model import SensorNode
from tests.frontend.figures.samples import VALUES, words_of


@pytest.mark.parametrize("node", [v for v in VALUES if isinstance(v, SensorNode)], ids=lambda node: node.slug)
def test_a_node_shows_its_sensors_processor_and_battery(node: SensorNode) -> None:
    for scheme in SCHEMES:
        figure = node_figure(node, scheme, width_px=640)
        go.Figure(figure.to_dict())  # plotly's own validation
    words = words_of(figure)
    assert "PROCESSOR" in words and ("BATTERY" in words) == (node.battery is not None)
    assert words.count("<b>") == 2 + len(node.steady_sensors) + (node.battery is not None) + (
        node.transfer_j_per_bit is not None
    )
    assert node.title in node_sentence(node)


@pytest.mark.parametrize("radio", [v for v in VALUES if isinstance(v, Radio)], ids=lambda radio: radio.slug)
def test_a_radio_has_a_line_for_each_direction_that_is_known(radio: Radio) -> None:
    curve = radio_curve(radio)
    known = [slope for slope in (radio.uplink_j_per_bit, radio.downlink_j_per_bit) if slope is not None]
    assert len(curve.series) == max(1, len(known))
    assert all(series.y[0] == radio.base_power_w for series in curve.series)
    assert np.all(np.diff(curve.x) > 0)
    go.Figure(radio_figure(radio, "dark").to_dict())


def test_a_battery_by_hand() -> None:
    assert battery_lines(EnergyStore(36_000, 3.7, 0.2)) == [
        "10.0\u00a0Wh",
        "3.7 V",
        "8.00\u00a0Wh of it above 20\u00a0%",
    ]

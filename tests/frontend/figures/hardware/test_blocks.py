from __future__ import annotations

import plotly.graph_objects as go
import pytest

from frontend.figures.hardware.device_diagram import battery_figure
from hardware.battery.model import Battery
from tests.frontend.figures.samples import VALUES, words_of


@pytest.mark.parametrize("battery", [v for v in VALUES if isinstance(v, Battery)], ids=lambda battery: battery.slug)
def test_a_battery_says_what_is_in_it(battery: Battery) -> None:
    figure = battery_figure(battery, battery.title, "light", width_px=600, height_px=290)
    go.Figure(figure.to_dict())
    assert "Wh" in words_of(figure)

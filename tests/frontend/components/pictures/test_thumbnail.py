from __future__ import annotations

import re

from frontend.components.pictures.thumbnail import mini_grid, window_picker
from tests.frontend.figures.samples import sample_grid


def test_thumbnails_colour_the_chiplets_of_each_model():
    def painted(window: int) -> list[str]:
        return re.findall(r"var\((--[a-z0-9-]+)\)", mini_grid(sample_grid(), window).style["background"])[:9]

    assert painted(1) == [f"--model-{number}" for number in (3, 0, 0, 0, 0, 1, 1, 1, 1)]
    assert painted(0)[4] == "--p-sunken"


def test_the_window_picker_has_a_button_per_window():
    buttons = window_picker(sample_grid(), 2, "window").children
    assert [b.id["index"] for b in buttons] == [0, 1, 2, 3, 4]
    assert [getattr(b, "aria-pressed") for b in buttons] == ["false", "false", "true", "false", "false"]

"""Small pictures of hardware."""

from __future__ import annotations

import re

from dash import html

from frontend.components.pictures.hardware_thumbnail import hardware_thumbnail


def squares(drawn: html.Div) -> list[str]:
    """Return the text of each square."""
    return re.findall(r"<span[^>]*>", getattr(drawn, "data-html"))


def test_every_chiplet_is_a_square_in_its_finish() -> None:
    drawn = hardware_thumbnail((("nvdla", "shi-diannao"), ("gpu", "unheard-of")))
    names = [re.findall('class="([^"]*)"', square) for square in squares(drawn)]
    assert names == [["sw pat-nvdla"], ["sw pat-shi-diannao"], ["sw pat-gpu"], ["sw pat-dram"]]
    assert drawn.style["gridTemplateColumns"] == "repeat(2, 16px)"


def test_many_chiplets_are_small_and_none_is_nothing() -> None:
    sixteen = squares(hardware_thumbnail((("nvdla",) * 16,) * 16))
    width = re.findall(r"width:([\d.]+)px", sixteen[0])
    assert len(sixteen) == 256 and float(width[0]) < 4
    assert squares(hardware_thumbnail(())) == []

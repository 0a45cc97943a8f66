"""Pictures of systems on a chip, of every device that ships with the product."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from frontend.figures.hardware.soc_diagram import soc_figure, soc_sentence, unit_lines
from frontend.theme import SCHEMES
from hardware.soc.loader import builtin_socs
from tests.frontend.figures.samples import SOCS
from tests.support.sampling import covering


def words_of(figure: go.Figure) -> str:
    return " | ".join(str(text) for trace in figure.data if trace.mode == "text" for text in trace.text)


@pytest.mark.parametrize("width", [420, 980])
@pytest.mark.parametrize("slug", covering(builtin_socs()))
def test_every_device_can_be_drawn(slug: str, width: int) -> None:
    soc = SOCS[slug]
    for scheme in SCHEMES:
        figure = soc_figure(soc, scheme, width_px=width)
        go.Figure(figure.to_dict())  # plotly's own validation
        assert words_of(figure)
    assert soc.title in soc_sentence(soc)


def test_every_unit_is_a_block_and_two_of_a_kind_are_two() -> None:
    words = words_of(soc_figure(SOCS["jetson-agx-xavier"], "light", width_px=1000))
    assert "<b>DLA 0</b>" in words and "<b>DLA 1</b>" in words and "<b>CPU</b>" in words
    assert "137\u00a0GB/s" in words and "16 GiB or 32 GiB" in words


def test_what_is_not_known_of_a_unit_is_left_out() -> None:
    xavier = SOCS["jetson-agx-xavier"]
    assert unit_lines(xavier.units["gpu"])[0].startswith("22.6\u00a0TOP/s int8")
    assert all(line for soc in SOCS.values() for unit in soc.units.values() for line in unit_lines(unit))


def test_a_wide_line_is_broken_at_its_second_thing() -> None:
    words = words_of(soc_figure(SOCS["jetson-agx-xavier"], "light", width_px=430, height_px=252))
    assert "29 steps | 115–2" in words and "22.6\u00a0TOP/s int8 | 11.3\u00a0TOP/s" in words

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from frontend.figures.hardware.frequency_ladder import frequency_ladder
from hardware.soc.loader import builtin_socs
from hardware.soc.model import Soc
from tests.frontend.figures.samples import SOCS
from tests.support.sampling import covering

CLOCKED = {slug for slug, soc in SOCS.items() if any(unit.known_clocks_hz for unit in soc.units.values())}


@pytest.mark.parametrize(
    "slug", covering({slug: content for slug, content in builtin_socs().items() if slug in CLOCKED})
)
def test_a_ladder_shows_every_step_once(slug: str) -> None:
    soc: Soc = SOCS[slug]
    steps = sum(len(unit.known_clocks_hz) for unit in soc.units.values())
    steps += len(soc.memory.known_clocks_hz) if soc.memory else 0
    for mode in (None, *soc.power_modes):
        figure = frequency_ladder(soc, mode, "dark")
        go.Figure(figure.to_dict())
        assert sum(len(trace.x) for trace in figure.data) == steps


def test_a_mode_leaves_only_its_steps() -> None:
    figure = frequency_ladder(SOCS["jetson-tx2"], "maxq", "light")
    beyond, within = figure.data
    assert max(within.x) <= 1331.2 and max(beyond.x) == 2035.2
    # The Denver cores are off in this mode.
    assert figure.layout.annotations[0].text == "off"

"""Figures of a conversation: traces that the browser finds by name, and axes that name their unit."""

from __future__ import annotations

import re
from collections.abc import Callable

import plotly.graph_objects as go
import pytest

from engines.contract.certainty import LADDER
from frontend.figures.hardware.conversation import (
    conversation_front,
    layer_roofline,
    memory_by_context,
    token_timeline,
)
from frontend.theme import Scheme
from tests.support.site import ROOT

SCRIPT = (ROOT / "frontend" / "assets" / "conversation.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("draw", [conversation_front, layer_roofline, memory_by_context, token_timeline])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_browser_fills_every_trace_of_a_valid_figure(draw: Callable[[Scheme], go.Figure], scheme: Scheme) -> None:
    drawn = draw(scheme)
    go.Figure(drawn.to_dict())
    for trace in drawn.data:
        named = trace.name.removeprefix("prefill ").removeprefix("decode ")
        assert re.search(rf"[ \".\[]{re.escape(named)}\b", SCRIPT), trace.name
    titles = [drawn.layout.xaxis.title.text, *(note.text for note in drawn.layout.annotations)]
    assert sum(bool(re.search(r"\(.+\)$", title)) for title in titles) == 2, titles


def test_the_front_has_a_mark_for_every_certainty() -> None:
    assert set(LADDER) <= {trace.name for trace in conversation_front("light").data}

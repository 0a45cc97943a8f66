"""A page as one file."""

from __future__ import annotations

import plotly.graph_objects as go

from frontend.components.html_file import FileFigures, html_file
from frontend.components.static_html import static_html


def test_figures_are_in_the_file_and_end_no_script() -> None:
    figures = FileFigures()
    place = figures.drawn(go.Figure(layout={"title": {"text": "</script><b>"}}), 200, group="time")
    text = html_file("A < B", static_html(place), figures, ".own { color: red; }")
    assert "<title>A &lt; B</title>" in text and 'id="figure-1"' in text and ".own { color: red; }" in text
    assert "</script><b>" not in text and '"group":"time"' in text
    assert "http://" not in text.split("<script>")[0] and " src=" not in text.split("<script>")[0]

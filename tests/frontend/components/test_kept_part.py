"""Parts that are turned into JSON once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from dash import html
from plotly.io.json import to_json_plotly

from frontend.components.kept_part import kept_part


def part() -> html.Div:
    """Return a part with a child, a list, a text, an address of a control and a property of ARIA."""
    inner = [html.Span("1", id={"type": "x", "number": 1}), "text", None, html.B(["a", html.I("b")])]
    return html.Div(inner, className="c", style={"width": 3.5}, **{"aria-label": "words"})


def test_a_kept_part_has_the_same_json() -> None:
    assert to_json_plotly(html.P(kept_part(part()))) == to_json_plotly(html.P(part()))


def test_threads_read_a_kept_part_at_once() -> None:
    kept = kept_part(part())
    with ThreadPoolExecutor(8) as pool:
        texts = set(pool.map(lambda _: to_json_plotly(html.P(kept)), range(200)))
    assert texts == {to_json_plotly(html.P(part()))}

"""Parts that go to the browser as text."""

from __future__ import annotations

from dash import html

from frontend.components.static_part import static_part


def test_a_part_is_one_component_however_much_stands_in_it() -> None:
    table = html.Table([html.Tr([html.Td("<b>")]) for _ in range(50)])
    part = static_part(table, id="here")
    assert getattr(part, "children", None) is None
    assert getattr(part, "data-html").count("&lt;b&gt;") == 50, "and its words are no HTML"

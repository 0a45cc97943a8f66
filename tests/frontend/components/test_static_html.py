from __future__ import annotations

import pytest
from dash import dcc, html

from frontend.components.static_html import static_html


def test_texts_and_attributes_cannot_become_tags() -> None:
    part = html.P(["a < b & c", html.Span(title='"><script>')], className="x")
    assert static_html(part) == '<p class="x">a &lt; b &amp; c<span title="&quot;&gt;&lt;script&gt;"></span></p>'


def test_styles_have_pixels_where_numbers_are_lengths() -> None:
    assert static_html(html.Div(style={"width": 4, "flexGrow": 1, "--share": 2})) == (
        '<div style="width:4px;flex-grow:1;--share:2"></div>'
    )


def test_buttons_stay_only_where_a_callback_answers_them() -> None:
    button = html.Button("Stop", id={"type": "stop", "index": 1})
    assert static_html(button) == ""
    assert (
        static_html(button, True)
        == '<button id="{&quot;index&quot;:1,&quot;type&quot;:&quot;stop&quot;}">Stop</button>'
    )


def test_what_is_no_plain_html_is_refused() -> None:
    with pytest.raises(TypeError, match="Got Graph"):
        static_html(html.Div(dcc.Graph()))

"""Parts of pages that are equal for everyone: made and turned into JSON once."""

from __future__ import annotations

from typing import Any

from dash.development.base_component import Component


def kept_part(part: Component) -> Component:
    """Return `part` with its JSON precomputed, for a cache: neither it nor its children may be changed afterwards."""
    content = _plain(part)
    # The encoder of Dash asks the component itself; going through its properties takes longer than writing them.
    part.__dict__["to_plotly_json"] = lambda: content
    return part


def _plain(value: Any) -> Any:
    if isinstance(value, Component):
        return _plain(value.to_plotly_json())
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value

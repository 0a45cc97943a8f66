"""Callbacks of pages as a browser asks for them, in one process: through Django's middleware and Dash."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.test import Client

from frontend.request import CALLBACKS


def is_pattern(given: Any) -> bool:
    """Whether an id of the callback map is a pattern, as JSON."""
    return isinstance(given, str) and given.startswith("{")


def key_of(given: Mapping[str, Any], prop: str) -> str:
    """What Dash calls a property of a component with a pattern-matching id."""
    return f"{json.dumps(given, sort_keys=True, separators=(',', ':'))}.{prop}"


def ask(
    client: Client,
    output: str,
    values: Mapping[str, Any],
    patterns: Mapping[str, list[tuple[dict[str, Any], Any]]],
    changed: str,
) -> Any:
    """The answer to a callback.

    Args:
        client: signed in, or not.
        output: the callback's key in the map.
        values: "id.property" -> value; None where left out.
        patterns: type of a pattern-matching id and property ("team-action.n_clicks") -> ids of the components with their values.
        changed: "id.property" of what was used.
    """
    return client.post(
        CALLBACKS, json.dumps(body_of(output, values, patterns, changed)), content_type="application/json"
    )


def body_of(
    output: str, values: Mapping[str, Any], patterns: Mapping[str, list[tuple[dict[str, Any], Any]]], changed: str
) -> dict[str, Any]:
    """Return what a browser sends to ask for a callback; arguments as for `ask`."""
    from frontend.bridge import get_app

    declared = get_app().callback_map[output]
    return {
        "output": output,
        "outputs": _outputs(output),
        "inputs": [_given(each, values, patterns) for each in declared["inputs"]],
        "state": [_given(each, values, patterns) for each in declared["state"]],
        "changedPropIds": [changed],
    }


def page_at(client: Client, path: str, search: str = "") -> Any:
    """The answer that puts the page at a path into the frame."""
    from frontend.bridge import get_app

    app = get_app()
    if not any("_pages_content.children" in output for output in app.callback_map):
        client.get("/_dash-layout")  # with the first, Dash registers what turns addresses into pages
    router = next(output for output in app.callback_map if "_pages_content.children" in output)
    values = {"_pages_location.pathname": path, "_pages_location.search": search}
    return ask(client, router, values, {}, "_pages_location.pathname")


def _given(declared: Mapping[str, Any], values: Mapping[str, Any], patterns: Mapping[str, Any]) -> Any:
    name, prop = declared["id"], declared["property"]
    if not is_pattern(name):
        return {"id": name, "property": prop, "value": values.get(f"{name}.{prop}")}
    kind = json.loads(name).get("type")
    return [{"id": given, "property": prop, "value": value} for given, value in patterns.get(f"{kind}.{prop}", [])]


def _outputs(output: str) -> Any:
    """Ids and properties, as the browser names them; those of patterns as if one component were there."""
    several = output.startswith("..")
    found = [_output(part) for part in (output.strip(".").split("...") if several else [output])]
    return found if several else found[0]


def _output(part: str) -> dict[str, Any]:
    name, _, prop = part.rpartition(".")
    return {"id": json.loads(name) if is_pattern(name) else name, "property": prop.partition("@")[0]}

"""Addresses of pages, and whether the item at an address exists for the user.

Dash answers every address with the same frame and fills it later; the status of that answer is decided here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import dash
from django.conf import settings
from werkzeug.exceptions import HTTPException

from webapp.teams.visibility import NotVisible, Principal

# What Dash calls its own rules for the frame.
_FRAME = ("/", "/<path:path>")
# Of the last part of an address and its query, for one person.
Exists = Callable[[Principal, str, Mapping[str, str]], bool]


def visible_at(get: Callable[[Principal, Any], Any]) -> Exists:
    """Return whether `get` finds the item of an address; `get` raises `NotVisible` if it does not."""

    def found(principal: Principal, name: str, _query: Mapping[str, str]) -> bool:
        try:
            get(principal, name)
        except NotVisible:
            return False
        return True

    return found


@cache
def _own_addresses() -> re.Pattern[bytes]:
    """Return the pattern of the site's addresses in JSON: texts, or attributes within texts, that begin with a known part."""
    pages = {str(page["path_template"] or page["path"]).split("/")[1] for page in dash.page_registry.values()} - {""}
    parts = "|".join(map(re.escape, sorted(pages | {"api", "accounts", "admin", "assets", "_paper-figure"})))
    slash = r"(?:/|\\u002f)"  # plotly's encoder writes the latter
    named = r'"(?:href|src|action)": ?"|(?:href|src|action)=\\"'
    return re.compile(rf'"(?={slash}(?:{parts})[/?#"\\])|(?:{named})(?={slash}["\\?#])'.encode())


def below_path(text: bytes) -> bytes:
    """Return an answer of Dash in JSON with the site's path before each address of the site."""
    prefix = settings.PARETOSCOPE_PREFIX.encode()
    return _own_addresses().sub(lambda found: found[0] + prefix, text)


def is_page(app: dash.Dash, path: str) -> bool:
    """Return whether Dash answers this path with its frame; else it is a file or a callback."""
    try:
        endpoint, _ = app.server.url_map.bind("").match(path)
    except HTTPException:
        return False
    return endpoint in _FRAME


def leads_somewhere(principal: Principal, path: str, query: Mapping[str, str]) -> bool:
    """Return whether there is a page at `path`, and what it is to show exists for `principal`."""
    place = f"/{path.strip('/')}"
    pages: list[dict[str, Any]] = list(dash.page_registry.values())
    if any(place == page["path"] and not page["path_template"] for page in pages):
        return True
    for page in pages:
        prefix, variable, _ = (page["path_template"] or "").partition("<")
        if variable and place.startswith(prefix) and len(place) > len(prefix):
            exists: Exists = page["exists"]
            return exists(principal, place[len(prefix) :], query)
    return False

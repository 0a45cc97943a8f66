"""Limits as the interface shows them."""

from __future__ import annotations

from webapp.api.shapes.limits import Use
from webapp.limits import usage


def test_what_is_left_is_shown_with_its_limit() -> None:
    shown = Use.model_validate(usage.Use("stored_mb", "project", 1.5, 1))
    assert (shown.used, shown.limit, shown.left) == (1.5, 1, 0.0)

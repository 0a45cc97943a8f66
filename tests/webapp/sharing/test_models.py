"""Rows of read-only links."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from webapp.sharing.models import ShareLink


@pytest.mark.parametrize(("minutes", "longer_ago"), [(None, True), (5, True), (0.5, False)])
def test_when_it_was_opened_is_asked_in_whole_minutes(minutes: float | None, longer_ago: bool) -> None:
    opened = None if minutes is None else timezone.now() - timedelta(minutes=minutes)
    link = ShareLink(kind="run", number=3, opened=opened)
    assert link.opened_before(timedelta(minutes=1)) == longer_ago
    assert str(link) == "link to run 3"

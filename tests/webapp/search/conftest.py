"""What tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.databases import LiveDatabase
from tests.support.stored_runs import People, make_people
from tests.support.toy_engine import toys_offered


@pytest.fixture
def people(live_database: LiveDatabase) -> Iterator[People]:
    """On both databases, where commits are commits."""
    with toys_offered():
        yield make_people()

"""A project with everybody around it, made for each test."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, make_people


@pytest.fixture
def people(db: Any) -> People:
    return make_people()

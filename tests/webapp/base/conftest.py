"""What tests of this folder share."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, make_people


@pytest.fixture
def people(db: Any, toys: None) -> People:
    return make_people()

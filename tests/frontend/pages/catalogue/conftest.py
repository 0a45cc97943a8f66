from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People
from webapp.catalogue.service import copy_of, store_version


@pytest.fixture
def stored(people: People) -> dict[str, Any]:
    """A document of the project in two versions."""
    content = copy_of(people.owner, "hardware", "simba-3x3-nvdla")
    store_version(people.owner, people.project, "hardware", content)
    store_version(people.owner, people.project, "hardware", {**content, "clock_mhz": 250})
    return content

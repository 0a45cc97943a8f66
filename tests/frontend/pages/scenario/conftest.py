from __future__ import annotations

import pytest

from frontend.pages.scenario.data import Form, opened, seeds_of
from tests.frontend.pages.scenario.cases import TWO
from tests.support.stored_runs import People


@pytest.fixture
def two(people: People) -> Form:
    return opened(seeds_of(TWO), people.editor)

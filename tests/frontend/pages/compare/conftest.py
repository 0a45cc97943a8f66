from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, finished_run


@pytest.fixture
def runs(people: People) -> list[Any]:
    return [finished_run(people, steps=steps, designs_per_step=6) for steps in (3, 5)]

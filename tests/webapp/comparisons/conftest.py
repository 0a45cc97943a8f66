from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, finished_run, make_people


@pytest.fixture
def people(db: Any, toys: None) -> People:
    return make_people()


@pytest.fixture
def runs(people: People) -> list[Any]:
    return [finished_run(people, steps=steps, designs_per_step=4) for steps in (2, 3)]

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People
from tests.webapp.comparisons.cases import entries
from webapp.comparisons import service
from webapp.comparisons.errors import ComparisonError


def test_what_cannot_be_kept_is_named(people: People, runs: list[Any]) -> None:
    with pytest.raises(ComparisonError, match="title: must be a question or a name"):
        service.keep(people.owner, "   ", entries(people, *runs), {})
    with pytest.raises(ComparisonError, match=r"runs: must be 2 to 6 runs .* Got 1"):
        service.keep(people.owner, "One", entries(people, runs[0]), {})

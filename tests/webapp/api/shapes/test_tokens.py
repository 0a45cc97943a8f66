"""Tokens as the interface takes them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from webapp.api.shapes.tokens import NewToken


def test_a_token_reads_everything_of_yours_for_ever_unless_it_is_said() -> None:
    made = NewToken.model_validate({"name": "Laptop"})
    assert (made.scope, made.project, made.expires) == ("read", None, None)
    timed = NewToken.model_validate({"name": "Laptop", "expires": "2030-01-31T01:00:00+01:00"})
    assert timed.expires == datetime(2030, 1, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    "given", [{}, {"name": 3}, {"name": "x", "scope": "all"}, {"name": "x", "expires": "2030-01-31T00:00:00"}]
)
def test_what_cannot_be_taken_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        NewToken.model_validate(given)

from __future__ import annotations

import pytest

from frontend.components.time_limit import field_class, limit_error, read_limit


@pytest.mark.parametrize(("typed", "minutes"), [("", None), ("12", 12), ("1.5", 1.5)])
def test_minutes_are_read_and_an_empty_field_is_no_limit(typed: str, minutes: float | None) -> None:
    assert read_limit(typed) == minutes and limit_error(read_limit(typed)) == ""


@pytest.mark.parametrize("typed", ["soon", "-1", "0"])
def test_what_is_no_number_of_minutes_is_named(typed: str) -> None:
    wrong = limit_error(read_limit(typed))
    assert wrong.startswith("Must be ") and wrong.endswith(f"Got {typed} instead")
    assert "invalid" in field_class(wrong) and "invalid" not in field_class("")

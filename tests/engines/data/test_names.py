"""Lists of names in sentences."""

from __future__ import annotations

from engines.data.names import first_names


def test_the_first_of_many_names_are_shown_in_characters_that_can_be_written() -> None:
    assert first_names(["a", "b"]) == "a, b" and first_names([]) == ""
    assert first_names(dict.fromkeys("abcdef")) == "a, b, c, d, e, …"
    assert first_names(["\udce9", "é"]) == "\\udce9, é"

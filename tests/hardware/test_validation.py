"""Findings of the schema in the words of the product."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hardware.validation import describe, figures_of, foremost


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    size_mm: float = Field(gt=0, title="Size", description="Of one.", json_schema_extra={"unit": "mm"})
    words: str | list[str] = Field(default="", description="One word or several.")


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field(min_length=1)
    parts: dict[str, Inner] = Field(default={})
    rows: list[Inner] = Field(default=[], max_length=2)


def told(content: object) -> tuple[str, object, str]:
    with pytest.raises(ValidationError) as caught:
        Outer.model_validate(content)
    return describe(foremost(caught.value), Outer)


@pytest.mark.parametrize(
    ("content", "key", "got", "accepted"),
    [
        ({}, "name", None, "text"),
        ({"name": ""}, "name", "", "not empty"),
        ({"name": "a", "parts": {"x": {}}}, "parts.x.size_mm", None, "a number in mm (Size: Of one)"),
        ({"name": "a", "rows": [{"size_mm": 0}]}, "rows.0.size_mm", 0, "a number greater than 0"),
        ({"name": "a", "rows": [{"size_mm": 1, "words": 3}]}, "rows.0.words", 3, "as described: One word or several"),
        ({"name": "a", "parts": {"x": 4}}, "parts.x", 4, "a mapping of keys to values"),
        ({"name": "a", "rows": "abc"}, "rows", "abc", "a list"),
        (
            {"nam": "a"},
            "nam",
            "a",
            "left out, as this key is unknown. Known here: name, parts, rows (did you mean name?)",
        ),
        ("text", "document", "text", "a mapping of keys to values"),
    ],
)
def test_it_says_key_value_and_what_is_accepted(content: object, key: str, got: object, accepted: str) -> None:
    assert told(content) == (key, got, accepted)


def test_figures_are_the_leaves_and_lists_count_as_one() -> None:
    content = {"a": {"b": 1, "c": [1, 2]}, "d": 3, "e": 4}
    assert figures_of(content, ("a", "d")) == ["a.b", "a.c", "d"]

"""What all kinds of hardware documents share when they are read."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field

from hardware.errors import HardwareError
from hardware.reading import check_ascending, document_loader, located, name_of, read_text, validated


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    size_mm: float = Field(gt=0)


def refuse() -> None:
    raise HardwareError("mine.yaml", "parts.a.size_mm", 0, "above 0")


def test_a_document_is_called_by_its_file_or_its_slug() -> None:
    assert [name_of({"slug": "board"}, "x.yaml"), name_of({"slug": "board"}, None), name_of({}, None)] == [
        "x.yaml",
        "board",
        "hardware",
    ]


@pytest.mark.parametrize(
    ("lines", "line"), [({"parts.a": 7, "parts": 3}, 7), ({"parts": 3}, 3), ({}, None), (None, None)]
)
def test_an_error_gets_the_line_of_its_key_or_of_what_is_around_it(
    lines: dict[str, int] | None, line: int | None
) -> None:
    with pytest.raises(HardwareError) as caught:
        located(lines, refuse)
    assert (caught.value.line, caught.value.key, caught.value.got) == (line, "parts.a.size_mm", 0)


def test_what_loads_comes_back() -> None:
    assert located({}, lambda: 5) == 5
    assert validated(Part, {"size_mm": 2.0}, "mine.yaml").size_mm == 2.0


def test_a_typing_mistake_is_told_before_the_key_that_is_missing_for_it() -> None:
    with pytest.raises(HardwareError, match="did you mean size_mm") as caught:
        validated(Part, {"siz_mm": 2.0}, "mine.yaml")
    assert (caught.value.file, caught.value.key) == ("mine.yaml", "siz_mm")


def test_a_file_reads_like_its_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("a: 1\nb: 2\n", encoding="utf-8")
    read = read_text(path, path.name)
    assert (read, read.lines) == (read_text("a: 1\nb: 2\n", "mine.yaml"), {"a": 1, "b": 2})
    with pytest.raises(HardwareError, match="valid YAML") as caught:
        read_text("a: [", "mine.yaml")
    assert caught.value.key == "document"


@document_loader
def load_part(content: Mapping[str, Any], file: str) -> float:
    """The size of a part."""
    return validated(Part, {key: value for key, value in content.items() if key != "slug"}, file).size_mm


def test_a_loader_names_its_file_and_the_line_in_errors() -> None:
    assert load_part({"size_mm": 2.0}) == 2.0
    with pytest.raises(HardwareError) as caught:
        load_part({"slug": "bolt", "size_mm": 0.0}, lines={"size_mm": 4})
    assert (caught.value.file, caught.value.key, caught.value.line) == ("bolt", "size_mm", 4)
    with pytest.raises(HardwareError) as caught:
        load_part({"slug": "bolt", "size_mm": 0.0}, "bolt.yaml")
    assert (caught.value.file, caught.value.line) == ("bolt.yaml", None)


def test_a_loader_says_what_it_takes() -> None:
    assert load_part.__doc__ == "The size of a part."
    assert list(inspect.signature(load_part).parameters) == ["content", "file", "lines"]


def test_the_first_value_that_does_not_ascend_is_named() -> None:
    check_ascending([], "clocks", "mine.yaml", "clocks ascend")
    check_ascending([1.0, 2.0], "clocks", "mine.yaml", "clocks ascend")
    with pytest.raises(HardwareError, match="above 2: clocks ascend") as caught:
        check_ascending([1.0, 2.0, 2.0, 1.0], "clocks", "mine.yaml", "clocks ascend")
    assert (caught.value.key, caught.value.got) == ("clocks.2", 2.0)

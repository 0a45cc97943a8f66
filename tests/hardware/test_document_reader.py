"""What all kinds of hardware documents share when they are read."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from hardware.document_reader import check_ascending, located, name_of, read_text, validated
from hardware.errors import HardwareError
from tests.hardware.readings_for_tests import Part, load_part


def test_a_document_is_called_by_its_file_or_its_slug() -> None:
    assert [name_of({"slug": "board"}, "x.yaml"), name_of({"slug": "board"}, None), name_of({}, None)] == [
        "x.yaml",
        "board",
        "hardware",
    ]


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


def test_a_loader_says_what_it_takes() -> None:
    assert load_part.__doc__ == "The size of a part."
    assert list(inspect.signature(load_part).parameters) == ["content", "file", "lines"]


def test_the_first_value_that_does_not_ascend_is_named() -> None:
    check_ascending([], "clocks", "mine.yaml", "clocks ascend")
    check_ascending([1.0, 2.0], "clocks", "mine.yaml", "clocks ascend")
    with pytest.raises(HardwareError, match="above 2: clocks ascend") as caught:
        check_ascending([1.0, 2.0, 2.0, 1.0], "clocks", "mine.yaml", "clocks ascend")
    assert (caught.value.key, caught.value.got) == ("clocks.2", 2.0)

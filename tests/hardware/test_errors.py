from __future__ import annotations

import pytest

from hardware.document_reader import located
from hardware.errors import HardwareError
from tests.hardware.readings_for_tests import load_part


def refuse() -> None:
    raise HardwareError("mine.yaml", "parts.a.size_mm", 0, "above 0")


@pytest.mark.parametrize(
    ("lines", "line"), [({"parts.a": 7, "parts": 3}, 7), ({"parts": 3}, 3), ({}, None), (None, None)]
)
def test_an_error_gets_the_line_of_its_key_or_of_what_is_around_it(
    lines: dict[str, int] | None, line: int | None
) -> None:
    with pytest.raises(HardwareError) as caught:
        located(lines, refuse)
    assert (caught.value.line, caught.value.key, caught.value.got) == (line, "parts.a.size_mm", 0)


def test_a_loader_names_its_file_and_the_line_in_errors() -> None:
    assert load_part({"size_mm": 2.0}) == 2.0
    with pytest.raises(HardwareError) as caught:
        load_part({"slug": "bolt", "size_mm": 0.0}, lines={"size_mm": 4})
    assert (caught.value.file, caught.value.key, caught.value.line) == ("bolt", "size_mm", 4)
    with pytest.raises(HardwareError) as caught:
        load_part({"slug": "bolt", "size_mm": 0.0}, "bolt.yaml")
    assert (caught.value.file, caught.value.line) == ("bolt.yaml", None)

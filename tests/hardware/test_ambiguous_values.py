"""Values without quotes that YAML 1.1, YAML 1.2 and people read differently."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from hardware.documents import DocumentSyntaxError, dump_yaml, parse_document, parse_value

COLONS = "a number without colons"
AMBIGUOUS = [
    ("010", "10", "8"), ("-010", "-10", "-8"), ("+010", "10", "8"), ("055", "55", "45"), ("00", "0", "0"), ("08", "8", "text"),
    ("0o10", "8", "text"), ("0O10", "8", "text"), ("0x10", "16", "16"), ("0XfF", "255", "text"), ("0b101", "5", "5"),
    ("1_000", "1000", "1000"), ("1_000.5", "1000.5", "1000.5"), ("0_7", "7", "7"), ("1_0e3", "10e3", "text"),
    ("6:00", COLONS, "360"), ("06:00", COLONS, "text"), ("190:20:30", COLONS, "685230"),
    ("-1:30", COLONS, "-90"), ("1:30.5", COLONS, "90.5"),
    *((word, "true", "true") for word in ("yes", "Yes", "YES", "on", "On", "ON")),
    *((word, "false", "false") for word in ("no", "No", "NO", "off", "Off", "OFF")),
    ("2026-05-01", "", "a date"),
    ("2026-05-01T10:00:00Z", "", "a date"), ("2026-05-01 10:00:00", "", "a date"), ("2026-99-01", "", "text"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "way", "read"), AMBIGUOUS)
def test_it_is_refused_with_line_key_value_and_a_way_on(written: str, way: str, read: str) -> None:
    forms = (f"a: 1\nb:\n  c: {written}\n", f"a: 1\nb:\n- 1\n- {written}\n", f"a: 1\nb:\n  {{c: [[2, {written}]]}}\n")
    for text, key, line in zip(forms, ("b.c", "b.1", "b.c.0.1"), (3, 4, 3), strict=True):
        with pytest.raises(DocumentSyntaxError) as caught:
            parse_document(text, "mine.yaml")
        error = caught.value
        assert (error.key, error.got, error.line, error.file) == (key, written, line, "mine.yaml")
        assert error.accepted.startswith(way) and f'"{written}" in quotes' in error.accepted
        assert error.accepted.endswith(f"(YAML 1.1 reads {read})")
        assert all(part in str(error) for part in ("mine.yaml", f"line {line}", key, written))


def test_an_item_of_a_list_alone_has_its_number() -> None:
    with pytest.raises(DocumentSyntaxError) as caught:
        parse_value("[1, 010]")
    assert caught.value.key == "1"


@pytest.mark.parametrize("key", ["on", "No", "010", "1_0", "6:00", "2026-05-01"])
def test_keys_are_values_too(key: str) -> None:
    with pytest.raises(DocumentSyntaxError) as caught:
        parse_document(f"a:\n  {key}: 1\n")
    assert (caught.value.key, caught.value.line) == (f"a.{key}", 2)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1e3", 1000.0), ("1.0e3", 1000.0), ("1.5E-3", 0.0015), ("-1e+3", -1000.0), ("2E5", 200_000.0), ("-.5", -0.5), (".5", 0.5),
        ("1.", 1.0), ("0.5", 0.5), ("00.5", 0.5), ("0", 0), ("-0", 0), ("+7", 7), ("10", 10), ("true", True), ("False", False),
        ("~", None), ("Null", None), ("", None), ("y", "y"), ("N", "N"), ("007-board", "007-board"), ("1.2.3", "1.2.3"),
        ("0x", "0x"), ("0bed", "0bed"), ("12:99", "12:99"), ("a:b", "a:b"), ("1 000", "1 000"), ("yes please", "yes please"),
        ("oN", "oN"), ("_1", "_1"), ('"010"', "010"), ("'on'", "on"), ("'6:00'", "6:00"), ("3-1", "3-1"),
        ("=", "="), ("!!int 010", 10),
    ],
)  # fmt: skip
def test_what_has_one_reading_is_read(written: str, value: object) -> None:
    read = parse_document(f"a: {written}\n").content["a"]
    assert read == value and type(read) is type(value)
    assert parse_value(written) == value


@pytest.mark.parametrize(
    "text", [each[0] for each in AMBIGUOUS] + ["1e3", "-.5", "12", "true", "", "~", "null", "<<", "2.5", ".inf"]
)
def test_text_is_written_so_that_it_is_read_as_text(text: str) -> None:
    content: dict[str, Any] = {"a": text, "b": [text], text: 1}
    assert parse_document(dump_yaml(content)).content == content
    assert yaml.safe_load(dump_yaml({"a": text, "b": 1e22, "c": [True, None, 7, 2.5]})) == {
        "a": text,
        "b": 1e22,
        "c": [True, None, 7, 2.5],
    }


def test_json_is_read_as_it_is() -> None:
    text = '{"a": [1e3, 1E-2, -0.0, 0, 10], "on": "off", "b": {"010": "6:00", "c": "2026-05-01"}}'
    assert parse_document(text).content == {
        "a": [1000.0, 0.01, 0.0, 0, 10],
        "on": "off",
        "b": {"010": "6:00", "c": "2026-05-01"},
    }

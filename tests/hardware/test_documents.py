"""Documents as YAML, with the lines of their keys."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hardware.documents import DocumentSyntaxError, line_of, load_yaml, merge, parse_document, read_document

KEYS = st.text("abcdef_", min_size=1, max_size=6)
VALUES = st.recursive(
    st.integers(-1000, 1000) | st.booleans() | st.text("xyz ", max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def test_it_notes_the_line_of_every_key() -> None:
    document = parse_document("a: 1\nb:\n  c: 2\n  d:\n    - x\n    - {e: 3}\n")
    assert document.content == {"a": 1, "b": {"c": 2, "d": ["x", {"e": 3}]}}
    assert document.lines == {"a": 1, "b": 2, "b.c": 3, "b.d": 4, "b.d.0": 5, "b.d.1": 6, "b.d.1.e": 6}


def test_the_line_of_a_missing_key_is_that_of_the_section_around_it() -> None:
    lines = parse_document("a:\n  b:\n    c: 1\n").lines
    assert line_of(lines, "a.b.missing") == 2
    assert line_of(lines, "missing") is None


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_it_reads_what_yaml_wrote(content: dict[str, object]) -> None:
    assert parse_document(yaml.safe_dump(content)).content == content


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a: 1\nb: [1, 2\n", "expected", 3),
        ("a: 1\na: 2\n", "'a' occurs twice", 2),
        ("- 1\n- 2\n", "mapping", None),
        ("", "mapping", None),
        ("a: &x [*x]\n", "nests at most", 1),
        ("a: !!python/object:os.system {}\n", "constructor", 1),
        ("a: \0\n", "not YAML", None),
        pytest.param(f"a: 1\nb: {'9' * 5000}\n", "at most 4,300 digits", 2, id="many digits"),
        pytest.param(f"a: 1\nb: 0x{'f' * 5000}\n", "a decimal number, or text in quotes", 2, id="many of another base"),
        ("a: 1\nb: 0x_\n", '"0x_" in quotes', 2),
    ],
)
def test_it_refuses_what_is_no_document(text: str, message: str, line: int | None) -> None:
    with pytest.raises(DocumentSyntaxError, match=message) as caught:
        parse_document(text, "mine.yaml")
    assert caught.value.file == "mine.yaml"
    assert caught.value.line == line


def test_a_short_text_cannot_stand_for_a_huge_document() -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(DocumentSyntaxError, match="keys"):
        parse_document("\n".join(lines))


def test_a_file_is_named_in_messages(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("a: 1\na: 2\n", encoding="utf-8")
    with pytest.raises(DocumentSyntaxError, match=r"mine\.yaml, line 2"):
        read_document(path)


def test_a_trusted_file_must_hold_a_mapping_too(tmp_path: Path) -> None:
    path = tmp_path / "list.yaml"
    path.write_text("- 1\n", encoding="utf-8")
    with pytest.raises(DocumentSyntaxError, match="mapping"):
        load_yaml(path)


def test_merge_lays_mappings_over_each_other_and_replaces_lists() -> None:
    base = {"a": {"b": 1, "c": [1, 2]}, "d": 4}
    assert merge(base, {"a": {"c": [3]}, "e": 5}) == {"a": {"b": 1, "c": [3]}, "d": 4, "e": 5}
    assert base == {"a": {"b": 1, "c": [1, 2]}, "d": 4}

"""YAML in and out, and the limits that keep hostile input harmless."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.designs import canonical_json
from engines.contract.encoding.document_text import MAX_CONTENT_BYTES, MAX_DEPTH, as_content, read_yaml, to_yaml
from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.documents.builtin import builtin_documents
from hardware.family import DocumentKind

_BOMB = "a: &a [x, x]\n" + "\n".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a: &x [1]\nb: *x", "line 2, document: must be YAML without anchors"),
        (_BOMB, "line 2, document: must be YAML without anchors"),
        ("a: 1\na: 2", "appears twice"),
        ("- 1", "a mapping"),
        ("", "a mapping"),
        ("a: [", "YAML"),
        ("a: 1\n\tb: 2", "line 2, document: must be a mapping written in valid YAML. Got 'found a tab"),
        ("[" * 100_000, "levels"),
        ("a: 2026-01-01", 'line 1, a: must be "2026-01-01" in quotes'),
        ("a: 1\nb:\n- c: 010", 'line 3, b.0.c: must be 10, or "010" in quotes for text (YAML 1.1 reads it as 8)'),
        ("a: {1: 2}", "keys are text"),
        ("a: .nan", "a finite number"),
        ("a: -.inf", "a finite number"),
        ('a: "\\0"', "NUL"),
        ("a: !!python/object/apply:os.getcwd []", "YAML"),
        ("a: x" + "x" * MAX_CONTENT_BYTES, "bytes"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_it_refuses(text: str, part: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_yaml(text.encode())
    assert part in str(caught.value)
    assert len(str(caught.value)) < 3_000_000


def test_it_refuses_what_is_too_deep() -> None:
    value: Any = 1
    for _ in range(MAX_DEPTH + 2):
        value = [value]
    with pytest.raises(ProblemError, match="levels"):
        as_content({"a": value})


def test_it_keeps_large_numbers_as_postgresql_does() -> None:
    content = as_content({"a": 1e22, "b": 1.5, "c": 1e-7, "d": True, "e": None, "f": (1, 2)})
    assert content == {"a": 10**22, "b": 1.5, "c": 1e-7, "d": True, "e": None, "f": [1, 2]}
    assert type(content["a"]) is int and type(content["b"]) is float


def test_it_puts_first_what_identifies() -> None:
    text = to_yaml({"x": 1, "title": "T", "slug": "s", "schema": "network/1"})
    assert text.splitlines() == ["schema: network/1", "slug: s", "title: T", "x: 1"]


_TEXT = st.text(st.characters(exclude_characters="\x00", exclude_categories=("Cs", "Cc")), max_size=12)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(_TEXT, _VALUES, max_size=4))
def test_it_reads_what_it_writes(value: dict[str, Any]) -> None:
    content = as_content(value)
    assert canonical_json(read_yaml(to_yaml(content).encode()).content) == canonical_json(content)


def _comes_back(documents: Iterable[Document]) -> None:
    for document in documents:
        assert read_yaml(to_yaml(document.content).encode()).content == document.content, document.slug


@pytest.mark.parametrize(("kind", "every"), [("hardware", 1), ("workload", 12)])
def test_it_reads_what_it_writes_of_built_ins(kind: DocumentKind, every: int) -> None:
    _comes_back(list(builtin_documents(kind).values())[::every])


@pytest.mark.long
def test_it_reads_what_it_writes_of_every_built_in_workload() -> None:
    _comes_back(builtin_documents("workload").values())

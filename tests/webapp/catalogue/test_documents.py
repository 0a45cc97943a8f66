"""YAML that people hand in is read in a process of its own."""

from __future__ import annotations

import pytest

from engines.contract.encoding.document_text import MAX_CONTENT_BYTES
from engines.contract.errors import ProblemError
from webapp.catalogue.documents import from_yaml


def test_it_reads_a_text_with_its_lines_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.contract.encoding.document_text.read_yaml", None)  # here it is never called
    read = from_yaml("a: 1.0e+22\nb:\n  c: [1, 2]\n")
    assert read.content == {"a": 10**22, "b": {"c": [1, 2]}}
    assert read.lines["b.c"] == 3


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a: [", "YAML"),
        ("a: &x [1]\nb: *x", "line 2.*an alias"),
        (b"\xff", "UTF-8"),
        ("\ud800", "a mapping"),
        ("[" * 1_900_000, "levels"),
        ("a: x" + "x" * MAX_CONTENT_BYTES, "bytes"),
    ],
    ids=lambda value: str(value)[:10],
)
def test_it_refuses_with_the_reason(text: str | bytes, part: str) -> None:
    with pytest.raises(ProblemError, match=part):
        from_yaml(text)

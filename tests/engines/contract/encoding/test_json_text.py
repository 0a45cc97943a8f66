"""Plain JSON: every form of a number, and no key twice."""

from __future__ import annotations

import pytest

from engines.contract.encoding.document_text import read_yaml
from engines.contract.encoding.json_text import read_json
from engines.contract.errors import ProblemError


def test_numbers_of_every_form_are_numbers() -> None:
    assert read_json('{"a": [1e-05, 5E-5, 1e3, -2.5e+1]}') == {"a": [0.00001, 0.00005, 1000.0, -25.0]}


@pytest.mark.parametrize(
    ("text", "words"), [('{"a": 1, "a": 2}', "twice"), ('{"a": 1', "delimiter"), ("[" * 100_000, "deep")]
)
def test_other_texts_are_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_json(text)


def test_a_document_in_a_json_file_is_read_as_json() -> None:
    """YAML 1.1 reads 1e-05 as text, and knows neither tabs nor surrogates in escapes."""
    found = read_yaml(b'{\n\t"a": {"b": 1e-05},\n\t"c": "\\ud83d\\ude00"\n}', "x.json")
    assert found.content == {"a": {"b": 0.00001}, "c": "\U0001f600"}
    assert read_yaml(b'{\n"a": {\n"b": 1e-05}}', "x.JSON").lines == {"a": 2, "a.b": 3}


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [("{\n,}", "property name", 2), ('{"a": 1, "a": 2}', "'a' appears twice", None), ('{"a": NaN}', "finite", None)],
)
def test_a_wrong_json_file_is_refused(text: str, words: str, line: int | None) -> None:
    with pytest.raises(ProblemError, match=words) as caught:
        read_yaml(text.encode(), "x.json")
    assert caught.value.line == line


def test_many_keys_with_one_twice_are_refused_at_once() -> None:
    keys = [*(f"k{number}" for number in range(100_000)), "k99999"]
    with pytest.raises(ValueError, match="'k99999' appears twice"):
        read_json("{" + ", ".join(f'"{key}": 1' for key in keys) + "}")

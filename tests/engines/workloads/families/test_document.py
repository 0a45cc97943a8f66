"""Documents whose operations are made when they are wanted."""

from __future__ import annotations

import json

import pytest

from engines.contract.designs import canonical_json
from engines.workloads.families.document import drawn_network
from engines.workloads.families.network_builder import Row


def test_operations_are_drawn_once_and_last() -> None:
    drawn: list[int] = []

    def draw() -> list[Row]:
        drawn.append(1)
        return [{"name": "only", "kind": "gemm", "k": 2, "c": 3}]

    document = drawn_network("a", "A", "A", "words", "a test", draw)
    assert list(document) == ["schema", "slug", "title", "short_title", "summary", "source", "operations"]
    assert len(document) == 7 and "operations" in document and "table" not in document
    assert document["title"] == "A" and document.get("table") is None
    assert (drawn, document.drawn) == ([], False)
    assert document["operations"] is document["operations"]
    assert (drawn, document.drawn) == ([1], True)
    assert len(document) == len(list(document)) == 7
    assert json.loads(canonical_json(document)) == dict(document)
    with pytest.raises(KeyError):
        document["table"]

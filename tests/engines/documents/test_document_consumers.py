"""Engines that take a document, in the order in which they are offered."""

from __future__ import annotations

import pytest

from engines.documents.document_consumers import takers_of
from engines.registry import engine_names, installed_engines


def test_engines_of_a_higher_precedence_come_first_and_others_by_name() -> None:
    found = installed_engines()
    assert {engine.name for engine in found} == set(engine_names())
    assert [engine.name for engine in found[:2]] == ["scar", "soc-mapping"]
    rest = [engine.name for engine in found if not engine.precedence]
    assert rest == sorted(rest)


@pytest.mark.parametrize(
    ("kind", "schema", "first"),
    [
        ("hardware", "chiplet-package/1", ("scar", "hardware")),
        ("hardware", "soc/1", ("soc-mapping", "hardware")),
        ("calibration", "soc-calibration/1", ("soc-mapping", "calibration")),
        ("weights", "supernet-weights/1", ("magnas", "weights")),
    ],
)
def test_a_document_is_offered_to_the_first_of_the_engines_that_take_it(
    kind: str, schema: str, first: tuple[str, str]
) -> None:
    found = takers_of(kind, schema)
    assert found[0] == first and len(found) == len({engine for engine, _ in found})


def test_no_engine_takes_what_none_declares() -> None:
    assert takers_of("hardware", "unheard-of/1") == []

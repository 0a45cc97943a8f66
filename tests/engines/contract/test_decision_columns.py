"""Decisions as columns: what an engine declares, and what is told of one that declares nothing."""

from __future__ import annotations

import pytest

from engines.contract.decision_columns import Cell, DecisionColumn, cell_words, decided_cells, decision_columns

MAPPING = (DecisionColumn("units", "Unit of each block"), DecisionColumn("clocks_mhz", "Clock", "MHz"))
DECISIONS = (
    {"units": ["gpu", "gpu", "dla"], "clocks_mhz": {"gpu": 1377, "dla": 550.5}},
    {"units": ["dla", "dla", "dla"], "clocks_mhz": {"gpu": 1377, "dla": "off"}},
)


def test_declared_columns_expand_mappings_and_say_what_varies() -> None:
    columns = decision_columns(MAPPING, DECISIONS)
    assert [(c.name, c.title, c.kind, c.unit, c.varies) for c in columns] == [
        ("units", "Unit of each block", "sequence", "", True),
        ("clocks_mhz.gpu", "Clock: gpu", "number", "MHz", False),
        ("clocks_mhz.dla", "Clock: dla", "number", "MHz", True),
    ]


def test_without_a_declaration_every_entry_is_a_column() -> None:
    columns = decision_columns((), [{"split_bottom": True, "top_layers": 2}, {"top_layers": 2, "layers": None}])
    assert [(c.name, c.title, c.kind, c.varies) for c in columns] == [
        ("split_bottom", "Split bottom", "category", True),
        ("top_layers", "Top layers", "number", False),
    ]


def test_what_a_decision_does_not_hold_is_not_decided() -> None:
    missing = DecisionColumn("package", "Package", read=lambda decision: decision["package"]["goal"])
    assert decided_cells((missing,), {"units": []}) == {"package": None}


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (None, ""),
        (1395.2, "1395.2"),
        ("yes", "yes"),
        (("dla", "dla", "gpu"), "dla × 2, gpu"),
        ((), "none"),
        (("a" * 300,), "a" * 239 + "…"),
    ],
)
def test_words_are_short(cell: Cell, words: str) -> None:
    assert cell_words(cell) == words

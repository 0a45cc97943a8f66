from __future__ import annotations

import pytest

from engines.methods.scar.params import ScarParams
from engines.methods.scar.stated_model import choices_table, proven_label, stated_model


def test_a_proof_names_the_choices_that_it_holds_for() -> None:
    text = stated_model(ScarParams(n_splits=3, node_rule="free", packing="uniform"))
    assert "window boundaries: 3" in text
    assert "chiplets per model: Any number" in text
    assert "layers to windows: Equal numbers of layers" in text


def test_a_proof_says_how_equation_42_is_read() -> None:
    assert "summed over layers" in stated_model(ScarParams())
    assert "eq 4.2 as a sum over layers" in proven_label(ScarParams())
    assert "cost model ideal-array" in proven_label(ScarParams(cost_model="ideal-array"))
    assert "cost model" not in proven_label(ScarParams())
    assert "eq 4.2" not in proven_label(ScarParams(node_rule="free"))


@pytest.mark.parametrize(
    "change",
    [
        {"root_rule": "free"},
        {"latency_reading": "end_to_end"},
        {"output_stationary_mapping": "yxp_os"},
        {"mini_batch": 2},
        {"cost_model": "ideal-array"},
    ],
    ids=str,
)
def test_models_that_differ_are_told_apart(change) -> None:
    assert stated_model(ScarParams(**change)) != stated_model(ScarParams())


def test_what_only_changes_the_search_is_no_part_of_the_model() -> None:
    assert stated_model(ScarParams(search="greedy", top_k=9, evaluations=500)) == stated_model(ScarParams())


def test_the_table_of_choices() -> None:
    table = choices_table(ScarParams(), "energy-delay product", 4)
    named, values = (column.values for column in table.table_columns)
    found = dict(zip(named, values, strict=True))
    assert found["Objective"] == "energy-delay product"
    assert found["Mapping of Shi-diannao chiplets"] == "ykp_os"

"""The table of all designs, sorted and filtered on the server."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.decision_columns import TableColumn
from engines.contract.decision_values import DecidedValues
from engines.contract.quantities import Quantity
from frontend.designs.run_decisions import RunDecisions
from frontend.designs.run_designs import RunDesigns
from frontend.pages.run.tabs.table import column_definitions, ordered_numbers, table_page

QUANTITIES = (
    Quantity("latency_s", "Latency", "s", "minimise", "objective"),
    Quantity("energy_j", "Energy", "J", "minimise", "objective"),
    Quantity("windows", "Windows"),
)
DESIGNS = RunDesigns(
    QUANTITIES,
    "latency_s",
    {
        "latency_s": np.array([0.4, 0.2, np.nan, 0.1]),
        "energy_j": np.array([1.0, 2.0, 3.0, 4.0]),
        "windows": np.array([5.0, 5.0, 1.0, 5.0]),
    },
    np.array([1, 2, 3, 4]),
    np.array(["search", "search", "baseline", "search"]),
    np.array(["", "", "Simba NVDLA", ""]),
)


@pytest.mark.parametrize(("direction", "numbers"), [("asc", [3, 1, 0, 2]), ("desc", [0, 1, 3, 2])])
def test_missing_values_come_last_either_way(direction: str, numbers: list[int]) -> None:
    assert ordered_numbers(DESIGNS, [{"colId": "latency_s", "sort": direction}], {}).tolist() == numbers


def test_filters_are_in_the_unit_that_is_shown() -> None:
    assert "Latency (ms)" in [column["headerName"] for column in column_definitions(DESIGNS)]
    below = {"latency_s": {"type": "lessThanOrEqual", "filter": 200}}
    assert ordered_numbers(DESIGNS, [], below).tolist() == [1, 3]
    both = {"latency_s": {"operator": "OR", "conditions": [{"type": "equals", "filter": 400}, {"type": "blank"}]}}
    assert ordered_numbers(DESIGNS, [], both).tolist() == [0, 2]
    assert ordered_numbers(DESIGNS, [], {"kind": {"type": "contains", "filter": "simba"}}).tolist() == [2]


def test_kinds_are_sorted_by_their_words_and_found_by_any_part_of_them() -> None:
    origin = np.array(["search", "user", "baseline", "search"])
    named = replace(DESIGNS, origin=origin, label=np.array(["", "Apart", "Simba NVDLA", ""]))
    for direction, numbers in (("asc", [1, 2, 0, 3]), ("desc", [0, 3, 2, 1])):
        order = [{"colId": "kind", "sort": direction}]
        assert ordered_numbers(named, order, {}).tolist() == numbers
    words = [row["kind"] for row in table_page(named, {"sortModel": order})["rowData"]]
    assert words == ["front", "front", "Simba NVDLA", "Apart"]
    assert ordered_numbers(named, [], {"kind": {"type": "contains", "filter": "A"}}).tolist() == [1, 2]


def test_a_page_of_rows_with_baselines_named_and_gaps_shown() -> None:
    page = table_page(DESIGNS, {"startRow": 1, "endRow": 3})
    assert page["rowCount"] == 4
    assert [row["number"] for row in page["rowData"]] == [1, 2]
    assert page["rowData"][1]["kind"] == "Simba NVDLA"
    assert page["rowData"][1]["latency_s"] == "–"
    assert {row["mark"] for row in page["rowData"]} == {"front", "baseline"}


@pytest.mark.parametrize(
    ("condition", "numbers"),
    [
        ({"type": "notContains", "filter": "simba"}, [0, 1, 3]),
        ({"type": "equals", "filter": "Front"}, [0, 1, 3]),
        ({"type": "equals", "filter": "fron"}, []),
        ({"type": "notEqual", "filter": "front"}, [2]),
        ({"type": "startsWith", "filter": "nvdla"}, []),
        ({"type": "endsWith", "filter": "nvdla"}, [2]),
        ({"type": "blank"}, []),
        ({"type": "notBlank"}, [0, 1, 2, 3]),
    ],
)
def test_kinds_are_filtered_by_every_condition_that_the_table_offers(
    condition: dict[str, str], numbers: list[int]
) -> None:
    assert ordered_numbers(DESIGNS, [], {"kind": condition}).tolist() == numbers


def test_columns_begin_with_the_sort_that_is_asked_for_and_tell_their_factor() -> None:
    columns = {each["field"]: each for each in column_definitions(DESIGNS, [{"colId": "energy_j", "sort": "desc"}])}
    assert columns["energy_j"]["initialSort"] == "desc"
    assert "initialSort" not in columns["latency_s"]
    assert columns["latency_s"]["context"] == {"factor": 1000.0}


def decided() -> RunDecisions:
    """Units and a clock of the four designs."""
    columns = (TableColumn("units", "Units", "sequence"), TableColumn("clock", "Clock", "number", "MHz"))
    values = {
        "units": DecidedValues(("gpu", "dla × 2", ""), np.array([0, 1, 2, 0]), np.full(4, np.nan)),
        "clock": DecidedValues(("500", "900", ""), np.array([0, 1, 2, 0]), np.array([500.0, 900.0, np.nan, 500.0])),
    }
    texts = ['{"units":"gpu","clock":500}'] * 4
    return RunDecisions(columns, (), lambda numbers: [texts[number] for number in numbers], values.__getitem__)


def test_decisions_are_sorted_and_filtered_beside_figures() -> None:
    decisions = decided()
    heads = {
        column["field"]: column["headerName"] for column in column_definitions(DESIGNS, (), decisions, {"energy_j"})
    }
    assert (heads["decision.units"], heads["decision.clock"]) == ("Units", "Clock (MHz)")
    for field, numbers in (("decision.units", [1, 0, 3, 2]), ("decision.clock", [0, 3, 1, 2])):
        assert ordered_numbers(DESIGNS, [{"colId": field, "sort": "asc"}], {}, decisions).tolist() == numbers
    above = {"decision.clock": {"type": "greaterThan", "filter": 600}}
    assert ordered_numbers(DESIGNS, [], above, decisions).tolist() == [1]
    for condition, numbers in (({"type": "contains", "filter": "DLA"}, [1]), ({"type": "blank"}, [2])):
        assert ordered_numbers(DESIGNS, [], {"decision.units": condition}, decisions).tolist() == numbers
    assert table_page(DESIGNS, {"endRow": 1}, decisions=decisions)["rowData"][0]["decision.clock"] == "500"

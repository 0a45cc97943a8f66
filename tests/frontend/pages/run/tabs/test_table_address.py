"""Sort and filters of the table of designs in an address."""

from __future__ import annotations

import pytest

from frontend.pages.run.tabs.table import ordered_numbers
from frontend.pages.run.tabs.table_address import read_filters, read_sort
from tests.frontend.pages.run.tabs.test_table import DESIGNS, decided


def test_an_address_sorts_by_the_columns_that_there_are() -> None:
    assert read_sort("latency_s:asc,found:desc", DESIGNS) == [
        {"colId": "latency_s", "sort": "asc"},
        {"colId": "found", "sort": "desc"},
    ]
    assert read_sort("gone_s:asc,latency_s:up,latency_s:desc,latency_s:asc", DESIGNS) == [
        {"colId": "latency_s", "sort": "desc"}
    ]
    assert read_sort("", DESIGNS) == []


def test_figures_of_an_address_are_in_the_stored_unit_and_shown_in_that_of_the_column() -> None:
    model = read_filters("latency_s:lessThanOrEqual,0.2", DESIGNS)
    assert model == {"latency_s": {"filterType": "number", "type": "lessThanOrEqual", "filter": 200.0}}
    assert ordered_numbers(DESIGNS, [], model).tolist() == [1, 3]
    ranged = read_filters("latency_s:inRange,0.15,0.25;energy_j:lessThan,2|greaterThan,3.5", DESIGNS)
    assert ordered_numbers(DESIGNS, [], {"latency_s": ranged["latency_s"]}).tolist() == [1]
    assert ordered_numbers(DESIGNS, [], {"energy_j": ranged["energy_j"]}).tolist() == [0, 3]
    both = read_filters("energy_j:greaterThan,1&lessThan,4", DESIGNS)["energy_j"]
    assert (both["operator"], ordered_numbers(DESIGNS, [], {"energy_j": both}).tolist()) == ("AND", [1, 2])


def test_texts_of_an_address_may_hold_what_parts_are_joined_with() -> None:
    model = read_filters("kind:contains,Simba%20NV;number:blank", DESIGNS)
    assert model["kind"]["filter"] == "Simba NV"
    assert model["number"] == {"filterType": "number", "type": "blank"}
    assert read_filters("kind:contains,a%2Cb%3B%7C", DESIGNS)["kind"]["filter"] == "a,b;|"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gone_s:lessThan,1",
        "latency_s:lessThan,nan",
        "latency_s:lessThan,fast",
        "latency_s:lessThan",
        "latency_s:inRange,1",
        "latency_s:contains,1",
        "kind:lessThan,1",
        "latency_s:lessThan,1&lessThan,2&lessThan,3",
        "latency_s",
        ";;:",
    ],
)
def test_what_cannot_be_read_filters_nothing(text: str) -> None:
    assert read_filters(text, DESIGNS) == {}


def test_decisions_are_texts_or_numbers_by_their_kind() -> None:
    model = read_filters(
        "decision.units:contains,dla;decision.clock:greaterThan,600;decision.no:blank", DESIGNS, decided()
    )
    assert model == {
        "decision.units": {"filterType": "text", "type": "contains", "filter": "dla"},
        "decision.clock": {"filterType": "number", "type": "greaterThan", "filter": 600.0},
    }
    assert read_sort("decision.clock:desc", DESIGNS, decided()) == [{"colId": "decision.clock", "sort": "desc"}]

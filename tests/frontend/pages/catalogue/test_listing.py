"""The list of the catalogue as drawn."""

from __future__ import annotations

import json

from engines.documents.builtin import builtin_documents
from frontend.pages.catalogue.listing import page, results
from tests.frontend.pages.catalogue.cases import parts
from tests.support.stored_runs import People


def test_every_hardware_document_is_a_card_that_leads_to_its_page(people: People) -> None:
    drawn = page(people.owner, "hardware", "", {})
    cards = [link for link in parts(drawn, "Link") if "catalogue-card" in (link.className or "")]
    assert {card.href for card in cards} == {f"/catalogue/hardware/{slug}" for slug in builtin_documents("hardware")}


def test_every_workload_is_a_row(people: People) -> None:
    (table,) = parts(page(people.owner, "workload", "", {}), "AgGrid")
    assert {row["name"] for row in table.rowData} == set(builtin_documents("workload"))
    assert all(row["href"] == f"/catalogue/workload/{row['name']}" for row in table.rowData)
    json.dumps(table.rowData)


def test_the_address_filters_and_nonsense_in_it_does_not(people: People) -> None:
    drawn = page(people.owner, "workload", "resnet-50", {"task": "Image classification", "work": "nonsense", "x": "y"})
    (table,) = parts(drawn, "AgGrid")
    assert "resnet50" in {row["name"] for row in table.rowData}
    chosen = {select.id["name"]: select.value for select in parts(drawn, "Select")}
    assert chosen == {"group": None, "task": "Image classification", "work": None}


def test_where_nothing_matches_it_says_so(people: People) -> None:
    for kind in ("hardware", "workload"):
        found, count = results(people.owner, kind, "zebra", {})
        assert "Nothing matches" in str(found) and count.startswith("0 of ")

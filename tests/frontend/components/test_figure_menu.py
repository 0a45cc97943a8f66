from __future__ import annotations

from frontend.components.figure_menu import data_item, data_link, figure_menu


def test_the_menu_offers_both_pictures_and_then_the_data() -> None:
    menu = figure_menu(data_link("Designs as CSV", "/api/v1/runs/7/designs.csv"), data_item("Table", {"type": "csv"}))
    entries = menu.children[1].children
    assert [entry.to_plotly_json()["props"].get("data-save") for entry in entries] == [
        "png",
        "svg",
        None,
        None,
        None,
        None,
    ]
    assert [entry.to_plotly_json()["props"].get("data-paper") for entry in entries][2:4] == ["3.5", "7.16"]
    assert entries[4].href == "/api/v1/runs/7/designs.csv"
    assert entries[5].id == {"type": "csv"}


def test_the_menu_stays_within_its_card_because_it_saves_the_plot_of_that_card() -> None:
    assert figure_menu().withinPortal is False

from __future__ import annotations

from frontend.components.pictures.figure_menu import data_item, data_link, figure_menu, picture_menu


def test_the_menu_offers_both_pictures_and_then_the_data() -> None:
    menu = figure_menu(data_link("Designs as CSV", "/api/v1/runs/7/designs.csv"), data_item("Table", {"type": "csv"}))
    entries = menu.children[1].children
    assert [entry.to_plotly_json()["props"].get("data-save") for entry in entries] == [
        None,
        "png",
        "svg",
        None,
        None,
        None,
        None,
    ]
    assert [entry.to_plotly_json()["props"].get("data-paper") for entry in entries][3:5] == ["3.5", "7.16"]
    assert entries[5].href == "/api/v1/runs/7/designs.csv"
    assert entries[6].id == {"type": "csv"}


def test_the_menu_stays_within_its_card_because_it_saves_the_plot_of_that_card() -> None:
    assert figure_menu().withinPortal is False


def test_the_menu_offers_a_table_where_there_is_none_beside_the_figure() -> None:
    def tables(**given: bool) -> list[str]:
        entries = figure_menu(figure_data="run:curve", **given).children[1].children
        told = [entry.to_plotly_json()["props"] for entry in entries]
        return [each["data-from"] for each in told if "data-table" in each]

    assert tables() == ["run:curve"]
    assert tables(table=False) == []
    assert "data-with-table" in picture_menu(table=True).children.to_plotly_json()["props"]
    assert "data-with-table" not in picture_menu().children.to_plotly_json()["props"]

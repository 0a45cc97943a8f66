from __future__ import annotations

import re

import numpy as np
import pytest

from engines.contract.engine import Infeasibility
from engines.contract.results import Table, TableColumn
from frontend.components.button import button, icon_button, link_button, segmented
from frontend.components.chip import estimator_chip, status_chip
from frontend.components.figure import plot
from frontend.components.kpi import kpi_si
from frontend.components.legend import hardware_legend, model_legend
from frontend.components.spark import spark
from frontend.components.states import failed_state, infeasible_state
from frontend.components.table import Column, grid_options, plain_table
from frontend.components.thumbnail import mini_grid, window_picker
from frontend.results.table import result_table
from tests.frontend.figures.samples import sample_grid


def words(part) -> str:
    """All text of a component, in reading order."""
    if part is None:
        return ""
    if isinstance(part, str | int | float):
        return str(part)
    if isinstance(part, list | tuple):
        return " ".join(filter(None, (words(child) for child in part)))
    return words(getattr(part, "children", None))


def test_an_infeasible_run_tells_limit_need_bound_gap_and_remedies():
    infeasible = Infeasibility("Chiplets in window 1", 5, 4, "chiplets", 1, (("a larger package", "hardware"),))
    text = words(infeasible_state(infeasible, "run 0401")).replace("\u00a0", " ")
    for part in (
        "Infeasible",
        "Chiplets in window 1",
        "5 chiplets",
        "4 chiplets",
        "a larger package",
        "hardware",
    ):
        assert part in text


def test_a_failed_run_tells_what_is_kept_and_offers_to_continue_first():
    state = failed_state(
        "The worker stopped.", "On edge-2.", "17 200 designs are stored.", "MemoryError", [button("Continue")]
    )
    text = words(state)
    assert text.index("stopped") < text.index("stored") < text.index("MemoryError") < text.index("Continue")


@pytest.mark.parametrize(
    ("status", "outcome", "shown"),
    [
        ("running", "", "Running"),
        ("done", "feasible", "Done"),
        ("done", "infeasible", "Infeasible"),
        ("lost", "", "lost"),
    ],
)
def test_a_status_is_said_in_words(status, outcome, shown):
    assert shown in words(status_chip(status, outcome))


def test_a_fitted_figure_warns_and_a_predicted_one_does_not():
    assert "warn" in estimator_chip("MAESTRO", "fitted").className
    assert "warn" not in estimator_chip("MAESTRO", "predicted").className


def test_an_icon_button_has_a_name():
    assert getattr(icon_button("sun", "Light or dark"), "aria-label") == "Light or dark"


def test_links_to_downloads_leave_the_explorer():
    assert link_button("CSV", "/api/v1/runs/1/designs.csv").__class__.__name__ == "A"
    assert link_button("New", "/new").__class__.__name__ == "Link"


def test_a_segmented_choice_says_what_is_chosen():
    pressed = [getattr(b, "aria-pressed") for b in segmented([("a", "A"), ("b", "B")], "b", "kind").children]
    assert pressed == ["false", "true"]


def test_a_key_figure_keeps_the_exact_value_for_hover():
    assert kpi_si("EDP", 4.798963, "J·s").title == "EDP: 4.798963 J·s"
    assert "–" in words(kpi_si("EDP", None, "J·s"))


def test_a_plot_has_a_role_and_a_sentence():
    part = plot(None, summary="81 designs on the front.")
    assert part.role == "img" and getattr(part, "aria-label") == "81 designs on the front."


def test_a_table_has_one_unit_and_equal_decimals_per_column():
    table = Table(
        "t", "T", (TableColumn("Name", ("a", "b", "c")), TableColumn("Latency", np.array([0.1005, 0.25, np.nan]), "s"))
    )
    text = words(result_table(table))
    assert "ms" in text and "100.5" in text and "250.0" in text and "–" in text


def test_a_selected_row_is_marked_and_rows_with_ids_are_clickable():
    table = plain_table([Column("A")], [["x"], ["y"]], selected=1, row_ids=[{"i": 0}, {"i": 1}])
    assert [row.className for row in table.children[1].children] == ["click", "sel click"]


def test_grids_take_the_tokens_and_further_options():
    options = grid_options(rowSelection="single")
    assert "var(--p-surface)" in options["theme"]["function"] and options["rowSelection"] == "single"


def test_thumbnails_colour_the_chiplets_of_each_model():
    def painted(window: int) -> list[str]:
        return re.findall(r"var\((--[a-z0-9-]+)\)", mini_grid(sample_grid(), window).style["background"])[:9]

    assert painted(1) == [f"--model-{number}" for number in (3, 0, 0, 0, 0, 1, 1, 1, 1)]
    assert painted(0)[4] == "--p-sunken"


def test_the_window_picker_has_a_button_per_window():
    buttons = window_picker(sample_grid(), 2, "window").children
    assert [b.id["index"] for b in buttons] == [0, 1, 2, 3, 4]
    assert [getattr(b, "aria-pressed") for b in buttons] == ["false", "false", "true", "false", "false"]


def test_legends_name_each_kind_once():
    assert words(hardware_legend(["nvdla", "shi-diannao", "nvdla"])).split() == ["NVDLA-like", "Shi-diannao-like"]
    assert words(model_legend(["GPT-L", "hand"])) == "GPTL GPT-L hand"


def test_a_sparkline_without_values_is_a_dash():
    assert words(spark([float("nan")], summary="nothing yet")) == "–"
    assert spark([1.0, 2.0], summary="rising").role == "img"


def test_rows_with_units_of_their_own_show_them_beside_their_values():
    values = TableColumn("Value", np.array([0.5141, 96.74e6, 5.0]))
    units = TableColumn("In", ("s", "B", ""), row_units=True)
    table = Table("totals", "Totals", (TableColumn("Quantity", ("Latency", "Busiest link", "Windows")), values, units))
    text = words(result_table(table)).replace("\u00a0", " ")
    assert "Latency 514.1 ms" in text and "Busiest link 96.74 MB" in text and "Windows 5" in text
    assert "Unit" not in text and "5.0" not in text

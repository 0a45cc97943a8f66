from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.contract.results import Breakdown, LayerGraph, LayerNode
from frontend.pages.run.tabs.results import OF_DESIGN, OF_RUN, figure_cards, overview_figures, result_csv, results_tab
from tests.frontend.figures.samples import sample_grid, sample_schedule
from tests.frontend.pages.run.tabs.cases import NOTE, TABLE
from tests.frontend.words import words

VIEWPORT = {"width": 1280, "height": 800}
BARS = Breakdown("energy", "Energy by model", ("U-Net",), ("Compute", "Off-chip"), np.array([[1.0, 2.0]]), "J")


def test_both_groups_show_everything_but_grid_and_schedule() -> None:
    of_design = (sample_grid(), sample_schedule(), BARS)
    tab = results_tab({"remark": NOTE, "comparison": TABLE}, of_design, "Design 0008", "light", 1200, False)
    text = words(tab)
    for part in ("The run", "Cut short.", "Baselines", "Design 0008", "Energy by model"):
        assert part in text
    headings = {
        part
        for part in ("Baselines", "Energy by model", sample_grid().title, sample_schedule().title)
        if f"'{part}'" in str(tab)
    }
    assert headings == {"Baselines", "Energy by model"}
    shown = str(tab)
    assert f"'of': '{OF_RUN}', 'name': 'comparison'" in shown and f"'of': '{OF_DESIGN}', 'name': 'energy'" in shown


def test_figures_stand_on_the_overview_but_for_those_on_its_cards() -> None:
    others = tuple(replace(BARS, name=f"bars-{number}") for number in range(6))
    of_run = {
        "energy": replace(BARS, role="progress"),
        "own": replace(BARS, name="own"),
        "bars-0": others[0],
        "table": TABLE,
    }
    design, own = overview_figures(of_run, (sample_grid(), sample_schedule(), NOTE, *others), VIEWPORT)
    assert [each.name for each in design] == ["bars-0", "bars-1", "bars-2", "bars-3"]
    assert [each.name for each in own] == ["own"]
    design, _ = overview_figures({}, others, VIEWPORT)  # without a grid two of them are on the card
    assert [each.name for each in design] == ["bars-2", "bars-3", "bars-4", "bars-5"]
    assert "Energy by model" in str(figure_cards(design, OF_DESIGN, "light", VIEWPORT))


def test_a_graph_of_many_layers_takes_the_whole_width() -> None:
    nodes = tuple(LayerNode(str(at), f"Layer {at}") for at in range(50))
    edges = tuple((str(at), str(at + 1)) for at in range(49))
    graph = LayerGraph("graph", "Layers", nodes, edges)
    narrow = str(figure_cards((replace(graph, nodes=nodes[:9], edges=edges[:8]), BARS), OF_DESIGN, "light", VIEWPORT))
    assert "card wide" not in narrow
    assert "card wide" in str(figure_cards((graph, BARS), OF_DESIGN, "light", VIEWPORT))


def test_what_run_and_design_both_say_is_shown_once() -> None:
    other = replace(BARS, values=2 * BARS.values)
    assert str(results_tab({"energy": BARS}, (BARS,), "Design 0008", "light", 1200, False)).count("'energy'") == 1
    assert str(results_tab({"energy": BARS}, (other,), "Design 0008", "light", 1200, False)).count("'energy'") == 2


@pytest.mark.parametrize(("live", "said"), [(True, "appear here"), (False, "reported none")])
def test_without_results_it_says_whether_any_will_come(live: bool, said: str) -> None:
    assert said in words(results_tab({}, (sample_grid(),), "Design 0001", "dark", 1200, live))


def test_a_group_without_results_has_no_heading() -> None:
    assert "Design" not in words(results_tab({"remark": NOTE}, (), "", "light", 900, True))


def test_the_csv_has_every_digit() -> None:
    lines = result_csv((NOTE, TABLE), "comparison").decode().splitlines()
    assert lines[0] == '"Name","Latency [s]"'
    assert float(lines[2].split(",")[1]) == 1 / 3


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(LookupError, match=r"comparison.*'other'"):
        result_csv((TABLE,), "other")

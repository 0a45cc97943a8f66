from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import Breakdown, Note, Table, TableColumn
from frontend.pages.run.tabs.results import OF_DESIGN, OF_RUN, result_csv, results_tab
from tests.frontend.figures.samples import sample_grid, sample_schedule
from tests.frontend.words import words

NOTE = Note("remark", "Search", "Cut short.", "warning")
TABLE = Table(
    "comparison",
    "Baselines",
    (TableColumn("Name", ("a", "b")), TableColumn("Latency", np.array([0.1, 1 / 3]), "s")),
)
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


@pytest.mark.parametrize(("live", "said"), [(True, "appear here"), (False, "reported none")])
def test_without_results_it_says_whether_any_will_come(live: bool, said: str) -> None:
    assert said in words(results_tab({}, (sample_grid(),), "Design 0001", "dark", 1200, live))


def test_a_text_of_several_lines_keeps_them_in_a_card_of_its_own() -> None:
    document = Note("package.yaml", "Package as YAML", "rows: 3\nchiplets:\n  N: nvdla\n", role="document")
    tab = str(results_tab({"package.yaml": document, "remark": NOTE}, (), "", "light", 1200, False))
    assert "Pre(children='rows: 3\\nchiplets:\\n  N: nvdla\\n'" in tab and "Package as YAML" in tab
    assert "Pre(children='Cut short.'" not in tab


def test_a_table_of_many_columns_takes_the_whole_width() -> None:
    many = Table("many", "Packages", tuple(TableColumn(f"Column {i}", ("a",)) for i in range(11)))
    assert "className='card wide'" in str(results_tab({"many": many}, (), "", "light", 1200, False))
    assert "wide" not in str(results_tab({"few": TABLE}, (), "", "light", 1200, False))


def test_a_short_table_is_text_and_a_long_one_a_grid() -> None:
    long = Table("long", "All", (TableColumn("Value", np.arange(1000.0)),))
    short, grid = (results_tab({"t": table}, (), "", "light", 1200, False) for table in (TABLE, long))
    assert "data-html" in str(short) and "<td" in str(short) and "Td(" not in str(short)
    assert "AgGrid(" in str(grid) and "data-html" not in str(grid)


def test_a_group_without_results_has_no_heading() -> None:
    assert "Design" not in words(results_tab({"remark": NOTE}, (), "", "light", 900, True))


def test_the_csv_has_every_digit() -> None:
    lines = result_csv((NOTE, TABLE), "comparison").decode().splitlines()
    assert lines[0] == '"Name","Latency [s]"'
    assert float(lines[2].split(",")[1]) == 1 / 3


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(LookupError, match=r"comparison.*'other'"):
        result_csv((TABLE,), "other")

from __future__ import annotations

import numpy as np

from engines.contract.results import Sensitivity
from frontend.results.sensitivity import VIEW, table_of
from tests.frontend.figures.samples import RESULTS

SAMPLE = next(result for result in RESULTS if isinstance(result, Sensitivity))


def test_the_table_has_every_figure_with_both_ends_and_its_swing() -> None:
    table = table_of(SAMPLE)
    columns = {column.title: column for column in table.table_columns}
    tried = [cell.replace("\u00a0", " ").replace("\u2009", " ") for cell in columns["Less, given, more"].values]
    assert tried[0] == "1 600 1/m² / 2 000 1/m² / 2 400 1/m²"
    np.testing.assert_allclose(np.asarray(columns["Swing"].values, np.float64), [5.0, 0.5])
    assert columns["Cost with less"].unit == "USD"


def test_the_picture_comes_with_its_table_folded() -> None:
    drawn = VIEW.component(SAMPLE, "light", 800)
    assert "Show as table" in str(drawn.to_plotly_json())
    assert VIEW.wide(SAMPLE) and VIEW.card is None

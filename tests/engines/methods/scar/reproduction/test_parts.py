from __future__ import annotations

import pytest

from engines.methods.scar.reproduction import _ARTICLE, _part
from engines.methods.scar.reproduction.ablation_tables import article
from engines.methods.scar.reproduction.rows import ANY_NUMBER, DEFAULT_READING
from engines.methods.scar.reproduction.windows import window_table


@pytest.mark.parametrize(
    ("reading", "title", "quick"),
    [(DEFAULT_READING, "Table 4.3", True), (DEFAULT_READING, _ARTICLE, False), (ANY_NUMBER, "Table 4.3", False)],
)
def test_the_thesis_under_the_default_reading_is_quick(reading: str, title: str, quick: bool) -> None:
    assert _part(reading, title, article if title == _ARTICLE else window_table).quick is quick

from __future__ import annotations

from frontend.components.pictures.kpi import kpi_si
from tests.frontend.words import words


def test_a_key_figure_keeps_the_exact_value_for_hover():
    assert kpi_si("EDP", 4.798963, "J·s").title == "EDP: 4.798963 J·s"
    assert "–" in words(kpi_si("EDP", None, "J·s"))

from __future__ import annotations

from frontend.components.pictures.spark import spark
from tests.frontend.words import words


def test_a_sparkline_without_values_is_a_dash():
    assert words(spark([float("nan")], summary="nothing yet")) == "–"
    assert spark([1.0, 2.0], summary="rising").role == "img"

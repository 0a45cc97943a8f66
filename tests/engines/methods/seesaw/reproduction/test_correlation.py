from __future__ import annotations

import numpy as np
import pytest

from engines.methods.seesaw.reproduction.correlation import agriculture, cross_validation
from engines.methods.seesaw.reproduction.rows import NOISY, PUBLICATION, SHARES, SQUARE, SQUARED, TOLERANCES, TRACKER
from tests.engines.methods.seesaw.reproduction.cases import rows_of


def test_cross_validation_by_hand() -> None:
    # True data 0.2; the least of partly random data 0.3: 1.5 times as much, squared 2.25 times.
    errors = np.array([0.2, 0.3, 0.5, 0.4, 0.6])
    rows = rows_of(cross_validation(lambda case: errors if case.device == TRACKER else errors[::-1]))
    true, least = (next(name for name, _ in rows if name.startswith(start)) for start in ("Cross", "Randomised"))
    assert "tracker" in true and "tracker" in least
    assert rows[true, SHARES].ours == pytest.approx(0.2) and rows[true, SQUARE].ours == pytest.approx(0.04)
    assert rows[least, SHARES].ours == pytest.approx(1.5) and rows[least, SQUARE].ours == pytest.approx(2.25)
    assert rows[least, SHARES].ordering is True and "25%, 50%, 75%, 100% random" in least
    assert (rows[true, SHARES].why, rows[true, SQUARE].why) == (NOISY, SQUARED)
    even = rows_of(cross_validation(lambda case: np.full(5, 0.2) if case.device == TRACKER else errors))
    assert even[least, SHARES].ordering is False
    assert rows[least.replace("tracker", "camera"), SHARES].ordering is False  # 0.2 of 0.6


def test_rain_by_hand() -> None:
    errors = {"temperature": {5: 6.0, 10: 3.0, 20: 4.0}, "humidity": {5: 3.0, 10: 6.0, 20: 4.0}}
    rows = rows_of(agriculture(lambda case: errors[case.sensor][case.tolerance_percent]))
    name = "Rain: cross-validation error of temperature over that of humidity, tolerance {} %"
    found = [rows[name.format(tolerance), ""] for tolerance in TOLERANCES]
    assert [(each.ours, each.ordering) for each in found] == [(2.0, True), (0.5, False), (1.0, False)]
    temperature, humidity = (PUBLICATION.value(f"table3.1.{each}.tol5") for each in ("temperature", "humidity"))
    assert found[0].published == temperature / humidity

from __future__ import annotations

import pytest

from engines.methods.sbrs.mission import DATA_DRIVEN, SBRS, STATIC
from engines.methods.sbrs.reproduction.published_tables import Flight, compare_flight
from engines.methods.sbrs.reproduction.runs import drawn_application, figure_8, flights, value


def test_delays_of_figure_8_count_from_the_request() -> None:
    # Old 1 + 2 + 2 + 1 + 1 = 7 ms, new 1 + 2 + 4 + 2 + 1 + 1 = 11 ms; the request comes 0.5 ms after the old one began.
    without, planned, _ = figure_8()
    assert without == 7 + 11 - 0.5 and planned == 12.5  # as printed


def test_networks_that_are_drawn_are_of_the_size_of_the_printed_ones() -> None:
    found = drawn_application("pamap2", 0)
    assert 1 / 3 < found.naive_mb / value("table10.pamap2.A_IO.M_naive") < 3
    assert 1 < found.naive_ms < 10  # 2.71 ms follow from Table 8
    assert found.delay_ms["A_IO"] < found.delay_ms["A_IOpar"] < found.naive_ms
    assert found.shared_mb["A_IOpar"] < found.shared_mb["A_IO"] <= found.naive_mb


def test_charge_and_accuracy_at_the_end_of_the_flight() -> None:
    # 55.7 Wh. Static: 11.2 W for two hours. SBRS: 31 W in the 1.4 calm hours. By inputs: 31 W in two of the eight quarter-hours.
    watt_hours = {STATIC: 11.2 * 2, SBRS: 31.0 * 1.4 + 11.2 * 0.6, DATA_DRIVEN: 31.0 * 0.5 + 11.2 * 1.5}
    left = Flight().run()
    assert left == pytest.approx({policy: 100 * (1 - used / 55.7) for policy, used in watt_hours.items()}, rel=1e-9)
    rows = [each.ours for each in compare_flight(left)]
    assert rows == pytest.approx([left[STATIC], left[STATIC] - left[SBRS]])
    accuracies = {policy: each.mean_accuracy_percent for policy, each in flights().items()}
    assert accuracies[STATIC] == pytest.approx(82.0) and accuracies[SBRS] == pytest.approx(89.0 * 0.7 + 82.0 * 0.3)

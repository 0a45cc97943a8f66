from __future__ import annotations

from engines.methods.sbrs.reproduction.runs import drawn_application, figure_8, value


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

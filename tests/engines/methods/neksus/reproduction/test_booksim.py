"""BookSim's points: counted by what is shown, each in one band, and none made up beyond saturation."""

from functools import cache
from math import isnan

from engines.methods.neksus.reproduction.booksim import Latency, booksim
from engines.reproduction.comparisons import Comparison
from engines.reproduction.reproductions import listed, shipped_of


@cache
def shipped() -> tuple[Comparison, ...]:
    found = shipped_of("neksus")
    assert found
    return found.filled(listed("neksus"))


def test_every_point_is_counted_once_and_by_its_own_row() -> None:
    rows = [row for row in shipped() if row.anchor.startswith("booksim")]
    counts = [row for row in rows if row.unit == "points"]
    points = {row.sources[0]: row for row in rows if row.unit != "points"}
    assert sorted(name for row in counts for name in row.sources) == sorted(points)
    for row in counts:
        assert row.published == len(row.sources)
        assert row.ours == sum(abs(points[name].ratio - 1) <= 0.03 for name in row.sources)


def test_nothing_is_counted_before_anything_is_computed() -> None:
    assert all(isnan(row.ours) for row in booksim(lambda case: case.blank()))


def test_a_load_beyond_saturation_has_no_latency() -> None:
    assert isnan(Latency("crossbar", 4, 0.9).run())
    assert 8 < Latency("crossbar", 4, 0.05).run() < 10

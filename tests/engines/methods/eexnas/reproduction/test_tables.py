"""What follows from the published tables alone, and what bits need."""

from engines.methods.eexnas.reproduction.tables import PUBLICATION, Ratios, arithmetic


def test_gains_follow_from_the_tables() -> None:
    rows = list(arithmetic())
    assert [round(row.ours, 3) for row in rows] == [78.985, 47.076, 0.584]
    assert all(abs(row.ours - row.published) < 1e-3 for row in rows)
    assert PUBLICATION.value("best_mi_accuracy") == [96.5, 98.54]


def test_bits_need_less_of_everything() -> None:
    ram, energy = Ratios().run()
    assert 0 < ram < 0.5 and 0 < energy < ram

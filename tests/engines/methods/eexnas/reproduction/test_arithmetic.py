"""What follows from the published tables alone."""

from engines.methods.eexnas.reproduction.arithmetic import PUBLICATION, arithmetic


def test_gains_follow_from_the_tables() -> None:
    rows = list(arithmetic())
    assert [round(row.ours, 3) for row in rows] == [78.985, 47.076, 0.584]
    assert all(abs(row.ours - row.published) < 1e-3 for row in rows)
    assert PUBLICATION.value("best_mi_accuracy") == [96.5, 98.54]

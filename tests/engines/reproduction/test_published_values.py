from __future__ import annotations

import pytest

from engines.reproduction.published_values import PublishedValue
from engines.reproduction.reproductions import listed, not_compared_of, published_of, reproducible_engines, uncovered_of


@pytest.mark.parametrize("engine", reproducible_engines())
def test_every_published_value_has_a_row_or_a_reason_why_not(engine: str) -> None:
    assert uncovered_of(engine) == ()
    every, rows = published_of(engine), listed(engine)
    assert len({(each.anchor, each.name) for each in every}) == len(every) > 60
    told = [each for entry in not_compared_of(engine) for each in entry.values]
    assert len(told) == len(set(told))
    for entry in not_compared_of(engine):
        assert entry.because and entry.values, entry
    known = {name for each in every for name in each.names}
    assert all((row.anchor, name) in known for row in rows for name in (*row.sources, *row.inputs))


def test_a_value_without_row_and_reason_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = PublishedValue("odema-2024", "fig4.99", 1.0, "x", "Figure 4.99")
    monkeypatch.setattr("engines.reproduction.reproductions.published_of", lambda _: (*published_values, missing))
    published_values = published_of("scar")
    assert uncovered_of("scar") == (missing,)

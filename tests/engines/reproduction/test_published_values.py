from __future__ import annotations

import pytest

from engines.reproduction.reproductions import listed, not_compared_of, published_of, reproducible_engines


@pytest.mark.parametrize("engine", reproducible_engines())
def test_every_published_value_has_a_row_or_a_reason_why_not(engine: str) -> None:
    every, rows = published_of(engine), listed(engine)
    shown = {(row.anchor, name) for row in rows for name in row.sources}
    assert len({(each.anchor, each.name) for each in every}) == len(every) > 60
    told = [each for entry in not_compared_of(engine) for each in entry.values]
    assert len(told) == len(set(told))
    assert [each for each in every if each not in told and not each.names & shown] == []
    for entry in not_compared_of(engine):
        assert entry.because and entry.values, entry
    known = {name for each in every for name in each.names}
    assert all((row.anchor, name) in known for row in rows for name in (*row.sources, *row.inputs))

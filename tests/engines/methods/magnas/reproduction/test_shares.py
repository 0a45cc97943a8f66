from __future__ import annotations

from typing import Any

from engines.methods.magnas.reproduction import searches
from engines.methods.magnas.reproduction import shares as shares_of


def test_rows_of_searches_stand_beside_what_they_searched() -> None:
    for rows in (shares_of.engine_rows, shares_of.accelerator_rows, shares_of.block_rows):
        asked: list[Any] = []

        def note(case: Any, asked: list[Any] = asked) -> float:
            asked.append(case)
            return float(len(asked))

        found = list(rows(note))
        assert [row.ours for row in found] == [*range(1, len(set(asked)) + 1)]
        for row, case in zip(found, asked, strict=True):
            assert row.name.endswith(searches.METHODS[case.method])
    for words, case, evaluations in shares_of._cases():
        said = [f"{each:g}" for name, each in case.params if not isinstance(each, str)]
        assert all(each in words.split() for each in said) and f"{evaluations:,}" in words

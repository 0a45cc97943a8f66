"""What was computed at release: it is there, of the installed versions, whole, and comes out again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from engines.reproduction.comparisons import Comparison
from engines.reproduction.release_values import FILE, read_shipped, shipped_text
from engines.reproduction.reproductions import (
    comparisons_of,
    listed,
    reproducible_engines,
    shipped_of,
    versions_of,
)

# As far as the file keeps digits; both may be missing.
AS_STORED: Mapping[str, Any] = {"rel": 1e-9, "abs": 0.0, "nan_ok": True}


def a_row(
    name: str, reading: str, ours: float, ordering: bool | None, sources: tuple[str, ...] = ("t1.a",)
) -> Comparison:
    return Comparison(
        name, reading, 2.0, ours, "x", "predicted", "a-2024", "Table 1", ordering, group="T", sources=sources
    )


def text_of(rows: list[Comparison]) -> str:
    return shipped_text("do it", date(2024, 2, 1), {"toy": 3}, {"quick": 0.26, "all": 1.25}, rows)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    rows = [
        a_row("A: one, two", "first", 1 / 3, True),
        a_row("A: one, two", "second", -1e-12, False),
        a_row("B", "", math.nan, None, sources=()),
        a_row("B", "", 1e20, None, sources=("t1.a", "t1.b[0]")),
    ]
    assert read_shipped(tmp_path) is None
    read_shipped.cache_clear()
    (tmp_path / FILE).write_text(text_of(rows))
    shipped = read_shipped(tmp_path)
    assert shipped is not None
    assert (shipped.command, shipped.computed, shipped.engines) == ("do it", date(2024, 2, 1), {"toy": 3})
    assert shipped.processor_s == {"quick": 0.3, "all": 1.2}
    blank = [a_row("C", "", 0.0, None), *rows]
    back = shipped.filled(blank)
    assert [(row.key, row.ordering) for row in back] == [(row.key, row.ordering) for row in rows]
    assert [row.ours for row in back] == pytest.approx([row.ours for row in rows], **AS_STORED)


def test_two_rows_in_one_place_are_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        text_of([a_row("A", "", 1.0, None), a_row("A", "ours", 2.0, None)])


@pytest.mark.parametrize("engine", reproducible_engines())
def test_what_is_shipped_is_whole_and_of_the_installed_versions(engine: str) -> None:
    shipped = shipped_of(engine)
    again = f"`manage.py reproduce {engine} --write` writes it again"
    assert shipped is not None, again
    assert shipped.engines == versions_of(engine), again
    assert 0 <= shipped.processor_s["quick"] <= shipped.processor_s["all"]
    rows = listed(engine)
    assert [row.key for row in shipped.filled(rows)] == [row.key for row in rows], again
    assert len(shipped.ours) == len(rows), again
    assert shipped.command == f"manage.py reproduce {engine} --write"


@pytest.mark.long
@pytest.mark.timeout(1800)  # SCAR's takes three minutes of one core
@pytest.mark.parametrize("engine", reproducible_engines())
def test_what_is_shipped_comes_out_again(engine: str) -> None:
    shipped = shipped_of(engine)
    assert shipped is not None
    computed = {row.key: row for row in comparisons_of(engine)}
    stored = shipped.filled(listed(engine))
    assert [row.key for row in stored] == list(computed)
    assert not [
        (row.key, row.ours, computed[row.key].ours) for row in stored if not comes_again(row, computed[row.key])
    ]
    # What a row says without being computed is what it says when it is.
    assert [row.reason for row in stored] == [row.reason for row in computed.values()]


def comes_again(stored: Comparison, computed: Comparison) -> bool:
    """Digit for digit with the same winner; of a training within what the row says, whoever wins then."""
    if stored.elsewhere:
        return abs(computed.ours - stored.ours) <= stored.elsewhere
    return bool(computed.ours == pytest.approx(stored.ours, **AS_STORED)) and computed.ordering == stored.ordering


def test_only_what_was_trained_may_come_out_otherwise() -> None:
    whole = a_row("A", "", 0.5, True)
    assert comes_again(whole, whole)
    assert not comes_again(whole, replace(whole, ours=0.5001)) and not comes_again(
        whole, replace(whole, ordering=False)
    )
    trained = replace(whole, elsewhere=0.1)
    assert comes_again(trained, replace(trained, ours=0.58, ordering=False))
    assert not comes_again(trained, replace(trained, ours=0.61))

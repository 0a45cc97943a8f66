"""The short list: designs that read the same share a row."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from frontend.components.static_html import static_html
from frontend.designs.run_designs import RunDesigns
from frontend.pages.run.front.short_list import Ranking, short_list
from tests.frontend.designs.samples import QUANTITIES, table


def shown(designs: RunDesigns, selected: int | None = None) -> str:
    return static_html(short_list(designs, {}, None, Ranking("edp_js"), selected), answered=True)


@pytest.fixture
def alike() -> RunDesigns:
    return RunDesigns.empty(QUANTITIES, "edp_js").extended(table([1.0, 1.0, 2.0, 1.0], [4.0, 4.0, 3.0, 4.0]))


def test_designs_alike_share_a_row_and_are_told_apart_by_what_differs(alike: RunDesigns) -> None:
    rows = shown(alike, 1)
    assert rows.count("<tr id=") == 2 and 'title="Design 0, 1, 3"' in rows and 'title="Design 2"' in rows
    assert 'class="click sel"' in rows.partition('title="Design 0, 1, 3"')[0].rpartition("<tr")[2]
    # Of all columns the share of busy chiplets differs.
    assert "3 designs alike: chiplets busy" in rows
    assert [part.partition('"')[0] for part in rows.split('data-design="')[1:]] == ["0", "1", "3"]


def test_designs_that_differ_in_nothing_are_told_by_their_numbers(alike: RunDesigns) -> None:
    same = dataclasses.replace(alike, columns=alike.columns | {"busy": np.ones(4)})
    assert "3 designs alike: no." in shown(same)


def test_the_head_names_the_columns_and_the_unit_of_the_last(alike: RunDesigns) -> None:
    head = shown(alike).partition("</thead>")[0]
    assert "Latency" in head and "Energy" in head and ">J·s<" in head

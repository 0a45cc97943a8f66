from __future__ import annotations

import numpy as np
import pytest

from engines.chiplets.costs.buffers import buffer_needs, buffer_words, segment_table
from engines.chiplets.costs.scoring import COLUMNS, Scorer
from engines.chiplets.problem.decision import PackageSchedule, Placement
from tests.engines.chiplets.cases import package, tables

MODELS = {"a": [[3, 5, 2], [6, 6, 4]]}
SCHEDULE = PackageSchedule(((Placement(0, 0, (1, 3), (0, 1)),),))


def built(buffer: int, **params):
    return tables(MODELS, params, on=package(buffer=buffer), batch=4)


def test_needs_by_hand() -> None:
    # 10 B of weights per layer, 20 B of input and output per layer and sample; mini-batches of 2.
    first, second = buffer_needs(built(55, mini_batch=2), SCHEDULE.windows[0][0])
    assert (first.weight_bytes, first.activation_bytes, first.excess_bytes) == (10, 40, 0)
    assert (second.weight_bytes, second.activation_bytes, second.excess_bytes) == (20, 40, 5)
    assert (second.first, second.end, second.chiplet) == (1, 3, 1)


def test_every_segment_is_listed_and_flagged() -> None:
    case = built(55, mini_batch=2)
    columns = {column.title: column.values for column in segment_table(case, SCHEDULE).table_columns}
    assert columns["Fits"] == ("yes", "no")
    assert columns["Chiplet"] == ("C0", "C1")
    assert columns["Last layer"].tolist() == [0, 2]
    assert columns["Exceeds by"] == pytest.approx(np.array([0, 5e-6]))
    excess = dict(zip(COLUMNS, Scorer(case).score(SCHEDULE), strict=True))["buffer_excess_mb"]
    assert excess == pytest.approx(columns["Exceeds by"].max())


def test_words_count_what_does_not_fit() -> None:
    assert buffer_words(built(1000), SCHEDULE) == ""
    words = buffer_words(built(55, mini_batch=2), SCHEDULE)
    assert words.startswith("1 of 2 segments do not fit") and "loading weights again" in words
    assert "loading weights again" not in buffer_words(built(5, weight_loading="every_mini_batch"), SCHEDULE)

"""What a query of one design is made of, step by step."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.results import Schedule
from engines.methods.duet.engine import DuetEngine
from engines.methods.duet.explain import explain_design
from engines.methods.duet.scoring import Scorer
from engines.why.composition import parts_of
from tests.engines.methods.duet.problems import instance

BY_LANE = DuetEngine.breakdowns[0]


def schedule(latency_ms: float, servers: int) -> tuple[Schedule, Scorer, np.ndarray]:
    """The schedule of the first published split of RM3, with a round trip and a number of servers."""
    ready = instance(model="rm3", delay_ms=latency_ms)
    scorer = Scorer(ready)
    genes = scorer.published[:1].copy()
    genes[0, 8] = servers
    found = explain_design(scorer, genes[0].tolist())
    return next(each for each in found if isinstance(each, Schedule)), scorer, genes


def test_the_round_trip_is_time_of_the_link_and_no_waiting() -> None:
    shown, scorer, genes = schedule(30.0, 0)
    end = float(scorer.columns(genes)["latency_s"][0])
    radio = shown.lanes[1]
    assert radio.busy_fraction * end >= 0.030 and "wait" not in shown.kinds
    assert parts_of(BY_LANE, (shown,))[radio.title] >= 0.030


def test_designs_with_other_numbers_of_servers_have_the_same_parts() -> None:
    one, several = schedule(30.0, 0)[0], schedule(30.0, 1)[0]
    assert parts_of(BY_LANE, (one,)).keys() == parts_of(BY_LANE, (several,)).keys()


def test_a_server_that_waits_for_the_upload_is_idle_and_the_upload_decides() -> None:
    shown, scorer, genes = schedule(0.0, 0)
    row = genes[0].tolist()
    user, item = scorer.user_part(row), scorer.datacentre_part(row)
    before_s = float(item.seconds[0]) - float(item.combined_s[0])
    latency_s = float(scorer.columns(genes)["latency_s"][0])
    parts = parts_of(BY_LANE, (shown,))
    assert sum(parts.values()) == pytest.approx(latency_s)
    if user.seconds + user.upload_s > before_s:  # pragma: no branch
        assert parts["Server"] == pytest.approx(float(item.combined_s[0]))

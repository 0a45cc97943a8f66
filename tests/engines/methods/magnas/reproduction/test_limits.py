from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.methods.magnas.reproduction.common import BEST, BUDGETS_W, MEAN, NETWORKS, SLACKS
from engines.methods.magnas.reproduction.limits import budget_case, table_4, table_5
from engines.methods.magnas.reproduction.runs import NOTHING, Case, Outcome
from tests.engines.methods.magnas.reproduction.cases import Known, no_scores


def limited(
    latency_s: Sequence[float], energy_j: Sequence[float], share: Sequence[float], dla_s: float = 6.0
) -> Outcome:
    """Mappings within a limit."""
    return replace(NOTHING, latency_s=np.array(latency_s), energy_j=np.array(energy_j), gpu_share=np.array(share),
                   gpu=(2.0, 5.0), dla=(dla_s, 1.0))  # fmt: skip


def of_networks(params: tuple[tuple[str, Any], ...], usual: Outcome, odd: Outcome) -> dict[Case, Outcome]:
    """Runs of the five networks: `odd` of b1, `usual` of the others."""
    return {Case(network, params): odd if name == "b1" else usual for name, network in NETWORKS.items()}


def test_table_4_by_hand() -> None:
    # At 5 %: shares 0.2, 0.6 and 0.7, mean 0.5; by equation 13 the second (2 x 3 < 1 x 8, 3 x 6) is first. Powers 8, 1.5 and 2 W:
    # the median is 2 W, of the first by equation 13 1.5 W. At 100 %: powers 0.5, 0.25, 1 W, median 0.5 W, first 0.5 W.
    # b1 has nothing on the GPU, so that means over the five are 4/5.
    tight, loose = ([1.0, 2.0, 3.0], [8.0, 3.0, 6.0]), ([4.0, 6.0, 8.0], [2.0, 1.5, 8.0])
    runs = of_networks((), limited(*tight, [1, 1, 1]), limited(*tight, [1, 1, 1], dla_s=14.0))
    for slack in SLACKS:
        points, shares = (tight, [0.2, 0.6, 0.7]) if slack == 5 else (loose, [0.1, 0.3, 0.8])
        runs |= of_networks((("latency_slack_percent", slack),), limited(*points, shares), limited(*points, [0.0] * 3))
    for reading, at_5, at_100, power in ((MEAN, 0.5, 0.4, 4.0), (BEST, 0.6, 0.1, 3.0)):
        rows = {each.name: each for each in table_4(Known(runs, no_scores), reading)}
        assert rows["Latency at most 5 % above GPU alone"].ours == pytest.approx(0.8 * at_5), reading
        assert rows["Latency at most 100 % above GPU alone"].ours == pytest.approx(0.8 * at_100), reading
        assert rows["Latency at most 5 % above GPU alone"].baseline == 1  # all blocks on the GPU
        ratio = rows["Average power at 5 % over that at 100 %, median"]
        assert ratio.ours == pytest.approx(power) and ratio.ordering is True
        assert ("Latency on DLA over GPU, mean of b0 to b3" in rows) is (reading == MEAN)
        if reading == MEAN:  # 6 s over 2 s three times, 14 s over 2 s once
            assert rows["Latency on DLA over GPU, mean of b0 to b3"].ours == pytest.approx(4.0)


def test_power_that_falls_by_a_third_is_ahead() -> None:
    runs = of_networks((), limited([1.0], [1.0], [1.0]), limited([1.0], [1.0], [1.0]))
    for slack in SLACKS:
        found = limited([1.0], [1.5 if slack == 5 else 1.0], [1.0])
        runs |= of_networks((("latency_slack_percent", slack),), found, found)
    rows = {each.name: each for each in table_4(Known(runs, no_scores), MEAN)}
    ratio = rows["Average power at 5 % over that at 100 %, median"]
    assert ratio.ours == pytest.approx(1.5) and ratio.ordering is True


def test_power_that_does_not_fall_is_not_ahead() -> None:
    same = limited([1.0], [1.0], [1.0])
    runs = of_networks((), same, same)
    for slack in SLACKS:
        runs |= of_networks((("latency_slack_percent", slack),), same, same)
    for budget in BUDGETS_W:
        runs |= {budget_case(network, budget): same for network in NETWORKS.values()}
    rows = {each.name: each for group in (table_4, table_5) for each in group(Known(runs, no_scores), MEAN)}
    assert rows["Average power at 5 % over that at 100 %, median"].ordering is False
    assert rows["The same over that at 30 W"].ordering is False


def test_table_5_by_hand() -> None:
    # Within 10 W: latencies 2, 4 and 9 ms, within 30 W half of them; shares 0.3, 0.6 and 0.9, none of b1.
    runs = {
        budget_case(network, budget): limited(
            [scale * each for each in (0.002, 0.004, 0.009)],
            [1.0, 1.0, 1.0],
            [0.0] * 3 if name == "b1" else [0.3, 0.6, 0.9],
        )
        for name, network in NETWORKS.items()
        for budget, scale in zip(BUDGETS_W, (1.0, 0.9, 0.8, 0.7, 0.5), strict=True)
    }
    for reading, share, latency_ms in ((MEAN, 0.6, 4.0), (BEST, 0.3, 2.0)):
        rows = {each.name: each for each in table_5(Known(runs, no_scores), reading)}
        assert rows["At most 10 W"].ours == pytest.approx(0.8 * share)
        assert rows["At most 10 W"].baseline == 1  # all blocks on the GPU
        latency = rows["Median latency at 10 W"]
        assert latency.ours == pytest.approx(latency_ms)
        assert ("of the fastest" in latency.why) is (reading == BEST)
        ratio = rows["The same over that at 30 W"]
        assert ratio.ours == pytest.approx(2.0) and ratio.ordering is (True if reading == MEAN else None)
    assert dict(budget_case("n", 10).params)["power_limit_w"] == 10

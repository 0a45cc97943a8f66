from __future__ import annotations

from dataclasses import replace

import pytest

from engines.methods.magnas.reproduction import accelerators, searches
from engines.methods.magnas.reproduction.common import MEAN


def test_figures_9_and_10_by_hand() -> None:
    shares = {pair: 60.0 + place for place, pair in enumerate(accelerators.PAIRS)}
    found = replace(
        accelerators.BLANK, gain=1.3, blocks_over_layers=1.2, k_over_d=1.5, d_dominates_k=True,
        mappings={"blocks": 7, "layers": 9},
    )  # fmt: skip
    rows = {each.name: each for each in accelerators.figures_9_and_10(MEAN, found, shares)}
    assert rows["Energy of DSA-y over the least at its latency, blocks"].ours == 1.3
    ratio = rows["Energy by blocks over that by layers, as fast as the fastest by blocks"]
    assert (ratio.ours, ratio.ordering) == (1.2, True) and ratio.published == pytest.approx(31.9 / 28.6)
    assert (
        rows["Energy of DSA-k over DSA-d, alone"].ours == 1.5
        and rows["Energy of DSA-k over DSA-d, alone"].ordering is True
    )
    hardly = {
        each.name: each
        for each in accelerators.figures_9_and_10(MEAN, replace(found, blocks_over_layers=1.003), shares)
    }
    assert hardly[ratio.name].ordering is False, "no more than the printed digits tell"
    assert rows["Mappings on the exact front, layers"].ours == 9
    for (granularity, method), share in shares.items():
        row = rows[f"{searches.METHODS[method]}, {granularity}"]
        assert row.ours == share and row.published == (92 if method == "nsga2_published" else 75)

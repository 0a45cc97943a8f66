from __future__ import annotations

from dataclasses import replace
from typing import Any

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
    for value in (1.003, 1.005):
        hardly = accelerators.figures_9_and_10(MEAN, replace(found, blocks_over_layers=value), shares)
        (row,) = (each for each in hardly if each.name == ratio.name)
        assert row.ordering is False, "no more than the printed digits tell"
    assert rows["Mappings on the exact front, layers"].ours == 9
    for (granularity, method), share in shares.items():
        row = rows[f"{searches.METHODS[method]}, {granularity}"]
        assert row.ours == share and row.published == (92 if method == "nsga2_published" else 75)
        assert row.baseline == 100  # % of the exact hypervolume
        assert row.kind == ("predicted" if granularity == "blocks" else "repeated")  # one share is printed for both


def test_every_share_of_figure_10_is_that_of_its_search() -> None:
    def look(case: Any) -> Any:
        if isinstance(case, accelerators.Accelerators):
            return accelerators.BLANK
        assert case.evaluations == 5000  # section 5.7.3
        return {"blocks": 10.0, "layers": 20.0}[case.granularity] + {"nsga2_published": 1.0, "random": 2.0}[case.method]

    rows = {each.name: each.ours for each in accelerators.part(MEAN).rows(look)}
    evolution, random = searches.METHODS["nsga2_published"], searches.METHODS["random"]
    assert (rows[f"{evolution}, blocks"], rows[f"{random}, blocks"]) == (11.0, 12.0)
    assert (rows[f"{evolution}, layers"], rows[f"{random}, layers"]) == (21.0, 22.0)

"""Designs of an exact front that another one beats but for the last digit of a sum (jump-dev/MultiObjectiveAlgorithms.jl#118)."""

from __future__ import annotations

import numpy as np
import pytest

from engines import explore
from engines.contract.designs import Designs
from tests.frontend.designs.samples import QUANTITIES


def beaten_but_for_rounding(latency: np.ndarray, energy: np.ndarray) -> int:
    """How many another one is better than by a real amount in one and worse than by less than 1e-12 in the other."""
    kept = 0
    for own_s, own_j in zip(latency, energy, strict=True):
        no_worse = (latency <= own_s * (1 + 1e-12)) & (energy <= own_j * (1 + 1e-12))
        better = (latency < own_s * (1 - 1e-9)) | (energy < own_j * (1 - 1e-9))
        kept += bool((no_worse & better).any())
    return kept


@pytest.mark.parametrize(
    ("workload", "right"),
    [pytest.param("magnas-vig-s-gin", 222, marks=pytest.mark.long), ("resnet50", 669), ("vgg16", 857)],
)
def test_no_mapping_stays_on_the_front_by_rounding(workload: str, right: int) -> None:
    params = {"unmeasured": "datasheet", "baselines": False}
    found = explore("soc-mapping", hardware="jetson-agx-xavier", workload=workload, params=params)
    rows = found.front_indices()
    latency, energy = (found.designs.columns[name][rows] for name in ("latency_s", "energy_j"))
    assert (beaten_but_for_rounding(latency, energy), len(rows)) == (0, right)


def test_the_first_pair_that_was_found() -> None:
    columns = {"latency_s": [0.023966581342298926, 0.02396658134229893], "energy_j": [0.436079, 0.435994]}
    designs = Designs({name: np.array(values) for name, values in columns.items()}, [{}, {}], origin=("search",) * 2)
    assert designs.front(QUANTITIES[:2]).tolist() == [1]

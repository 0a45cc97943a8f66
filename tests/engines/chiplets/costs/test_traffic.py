from __future__ import annotations

import pytest

from engines.chiplets.costs.scoring import COLUMNS, MEMORY, Scorer
from engines.chiplets.costs.traffic import link_bytes, transfers
from engines.chiplets.problem.decision import PackageSchedule, Placement
from tests.engines.chiplets.cases import package, tables
from tests.engines.chiplets.costs.cases import ONE, THREE


def test_link_bytes_and_buffer_by_hand() -> None:
    built = tables(ONE, on=package(buffer=25), batch=2)
    placement = Placement(0, 0, (1, 2), (0, 1))
    names = built.package_model.links
    moved = [(t.kind, t.size_bytes, [names[i] for i in t.links]) for t in transfers(built, placement, MEMORY)]
    assert moved == [
        ("input", 20.0, [("DRAM left 0", "C0")]),
        ("weights", 10.0, [("DRAM left 0", "C0")]),
        ("output", 20.0, [("C0", "C1")]),
        ("weights", 10.0, [("DRAM left 0", "C0"), ("C0", "C1")]),
        ("output", 40.0, [("C1", "C0"), ("C0", "DRAM left 0")]),
    ]
    values = dict(zip(COLUMNS, Scorer(built).score(PackageSchedule(((placement,),))), strict=True))
    assert values["link_peak_bytes"] == 40
    # 10 B of weights and 20 B of activations of one sample against 25 B.
    assert values["buffer_excess_mb"] == pytest.approx(5e-6)


def loads_of(built, placement: Placement, source: int = MEMORY) -> dict[tuple[str, str], float]:
    names = built.package_model.links
    return {names[link]: size for link, size in enumerate(link_bytes(built, placement, source)) if size}


def test_bytes_over_every_link_by_hand() -> None:
    placement = Placement(0, 0, (1, 2), (0, 1))
    own, to_memory = ("DRAM left 0", "C0"), ("C0", "DRAM left 0")
    # Two samples: 20 B in; 10 B of weights for each chiplet; 20 B on; 40 B out.
    once = loads_of(tables(ONE, batch=2), placement)
    assert once == {own: 40, ("C0", "C1"): 30, ("C1", "C0"): 40, to_memory: 40}
    every = loads_of(tables(ONE, {"weight_loading": "every_mini_batch"}, batch=2), placement)
    assert every == {own: 60, ("C0", "C1"): 40, ("C1", "C0"): 40, to_memory: 40}


def test_what_moves_nowhere_is_no_transfer() -> None:
    placement = Placement(0, 0, (1, 2, 3), (0, 1, 4))
    built = tables(THREE, weights=[0.0, 1.0, 10.0])
    names = built.package_model.links
    moved = {(t.kind, t.segment): (t.size_bytes, [names[i] for i in t.links]) for t in transfers(built, placement, 0)}
    assert ("input", 0) not in moved, "it is there already"
    assert ("weights", 0) not in moved and moved["weights", 1][0] == 1.0
    assert moved["output", 0] == (10.0, [("C0", "C1")]) and moved["output", 1] == (10.0, [("C1", "C4")])

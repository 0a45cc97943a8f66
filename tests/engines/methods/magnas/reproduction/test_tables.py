from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.methods.magnas.reproduction.common import A3_SHAPE, EXACT_LIMITED, NETWORKS, TABLE_3, published_units
from engines.methods.magnas.reproduction.published import value
from engines.methods.magnas.reproduction.runs import NOTHING, Case
from engines.methods.magnas.reproduction.tables import percent_more, table_2, table_3
from tests.engines.methods.magnas.reproduction.cases import Known, front, known


def test_table_2_by_hand() -> None:
    alone = {name: front([(1.0, 1.0)], (0.001 * place, 0.01 * place), (0.002 * place, 0.03 * place))
             for place, name in enumerate(("b0", "b1", "b2", "b3"), start=1)}  # fmt: skip
    rows = {each.name: each for each in table_2(known(**alone))}
    found = {name: row.ours for name, row in rows.items()}
    assert found["b2 (gin) on GPU, latency"] == pytest.approx(3.0)  # ms
    assert found["b2 (gin) on GPU, energy"] == pytest.approx(30.0)  # mJ
    assert found["b3 (sage) on DLA, latency"] == pytest.approx(8.0)
    assert found["b3 (sage) on DLA, energy"] == pytest.approx(120.0)
    # The publication averages its own sixteen models: 1.57x and 3.38x over b0 on the GPU.
    for words, key in (("speed-up", "latency_speedup"), ("energy gain", "energy_gain")):
        row = rows[f"Mean {words} over b0 on GPU"]
        assert row.published == value(f"avg_{key}_vs_b0_gpu") and row.ours == pytest.approx(row.published, rel=0.002)


def test_what_the_text_says_of_table_2_follows_from_its_rows() -> None:
    rows = {each.name: each.ours for each in table_2(known(**dict.fromkeys(("b0", "b1", "b2", "b3"), NOTHING)))}
    columns = {"CIFAR-10": "acc_C10", "CIFAR-100": "acc_C100", "Oxford-Flowers": "acc_F", "Tiny-ImageNet": "acc_Ti"}
    lost = [
        value(f"table3.3.baselines.b0.{column}") - value(f"table3.3.{data}.a{number}.top1")
        for data, column in columns.items()
        for number in range(4)
    ]
    assert rows["Mean accuracy below b0, points"] == pytest.approx(sum(lost) / 16)
    name = "Oxford-Flowers: accuracy with {} max-relative, relative"
    edge, gin, plain = (value(f"table3.3.baselines.{each}.acc_F") for each in ("b1", "b2", "b0"))
    assert rows[name.format("EdgeConv above")] == pytest.approx(100 * (edge - plain) / plain) and edge > plain
    assert rows[name.format("GIN below")] == pytest.approx(100 * (plain - gin) / plain) and gin < plain


def test_table_3_by_hand() -> None:
    # The searched mapping takes 0.02 s and 0.22 J; at its latency least energy is 0.2 J, with at most 2, 1, 0 changes
    # 0.21, 0.25 and 0.3 J.
    order = {tuple(published_units(name)): place for place, name in enumerate(TABLE_3)}

    def scored(network: str, decision: Mapping[str, Any]) -> tuple[float, float]:
        assert network == NETWORKS["a3"]
        place = order[tuple(decision["units"])]
        return (0.02, 0.22) if TABLE_3[place] == "Ours_IOE" else (0.001 * place, 0.01 * place)

    published = tuple(published_units("Ours_IOE"))
    runs = {
        Case(NETWORKS["a3"], more, no_slower_than=published): front([(0.01, energy + 1), (0.02, energy)], (1.0, 1.0))
        for more, energy in (
            ((), 0.2), ((("transition_limit", 0),), 0.3), ((("transition_limit", 1),), 0.25), ((("transition_limit", 2),), 0.21)
        )
    }  # fmt: skip
    rows = {each.name: each for each in table_3(Known(runs, scored))}
    assert rows["Searched mapping: latency"].ours == pytest.approx(20.0)  # ms
    assert rows["Searched mapping: energy"].ours == pytest.approx(220.0)  # mJ
    assert rows["GPU only: latency"].ours == pytest.approx(1.0 * TABLE_3.index("GPU-only"))
    assert rows["GPU only: unit transitions"].ours == 0
    units = published_units("Ours_IOE")
    for unit in ("gpu", "dla"):
        used = rows[f"Searched mapping: blocks on the {unit.upper()}"]
        assert used.ours == pytest.approx(100 * units.count(unit) / len(units)) and 0 < used.ours < 100
    assert rows["No change: energy above that with any number"].ours == pytest.approx(50.0)  # 0.3 over 0.2
    assert rows["At most 1 change: energy above that with any number"].ours == pytest.approx(25.0)
    assert rows["At most 2 changes: energy above that with any number"].ours == pytest.approx(5.0)
    free = value("table3.4.Ours_IOE.energy")
    for limit, words in ((1, "At most 1 change"), (2, "At most 2 changes")):
        row = rows[f"{words}: energy above that with any number"]
        least = min(value(f"table3.4.constr-transit{limit}.{each}.energy") for each in "ab")
        assert row.published == pytest.approx(percent_more(least, free)) and row.why in ("", EXACT_LIMITED)
    assert rows["At most 1 change: energy above that with any number"].why == EXACT_LIMITED
    assert rows["No change: energy above that with any number"].why == A3_SHAPE
    assert {"One change, a: energy", "Two changes, b: energy", "DLA only: energy"} <= set(rows)
    gap = rows["Energy of the published mapping over the least at its latency"]
    assert gap.ours == pytest.approx(1.1)  # 0.22 over 0.2


def test_per_cent_more() -> None:
    assert percent_more(5.0, 4.0) == 25.0

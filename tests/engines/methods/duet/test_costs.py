"""RM1 by hand: widths, sizes, latency and energy of the published split."""

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.duet.costs import Edge, Server, item_part, monolithic
from engines.methods.duet.outcome import handed_over_j, stacked
from engines.methods.duet.recommender import BUILT_IN, built_in
from engines.methods.duet.scoring import Scorer, battery_life_h
from tests.engines.methods.duet.problems import SMALL, instance

SIZES_KIB = {"rm1": 60, "rm2": 720, "rm3": 17.5, "rm4": 17.5, "rm5": 28.1953125}


@pytest.mark.parametrize("name", BUILT_IN)
def test_scratchpads_are_those_of_table_5_4(name: str) -> None:
    assert built_in(name).scratchpad_bytes / 1024 == SIZES_KIB[name]


def test_latency_and_energy_of_rm1_by_hand() -> None:
    scorer = Scorer(instance(edge_energy="computed", delay_ms=2.0))
    columns = scorer.columns(scorer.published)
    lookup_s = 24e-9 + 128 / 80e9
    server = 0.25 * 4262.4e9
    item_s = 160 * 1024 * lookup_s + 2 * (64 * 57 + 57 * 14) * 1024 / server
    combined_s = 2 * 64 * 1024 / server
    edge = (480 * 128 / (32 * 2.8e9), (16 * 8 + 8 * 4) * 4 / 34.128e9, (224 * 199 + 199 * 50) / 34.128e9)
    upload_s = 8 * 50 / 24e6
    assert columns["edge_s"][0] == pytest.approx(sum(edge) + upload_s, rel=1e-9)
    assert columns["latency_s"][0] == pytest.approx(2e-3 + item_s + combined_s, rel=1e-9)
    upload_j = (0.6 + 58e-9 * 24e6) * upload_s
    assert columns["edge_energy_j"][0] == pytest.approx(3.5 * sum(edge) + upload_j, rel=1e-9)
    assert columns["datacentre_energy_j"][0] == pytest.approx(150 * (item_s + combined_s), rel=1e-9)
    alone = 640 * 1024 * lookup_s + 2 * (128 * 64 + 64 * 32 + 288 * 256 + 256 * 64 + 64) * 1024 / server
    assert scorer.alone_s == pytest.approx(2e-3 + alone, rel=1e-9)
    seconds, joules = stacked(scorer, scorer.published[0].tolist())
    assert seconds.sum() == pytest.approx(columns["latency_s"][0]) and joules.sum() == pytest.approx(
        columns["energy_j"][0]
    )


def test_tables_summed_near_the_memory_of_the_device_by_hand() -> None:
    scorer = Scorer(instance(memory="dram", edge_near_memory="any", edge_near_memory_mm2=0.5))
    rows = np.repeat(scorer.published[1:], 3, axis=0)
    rows[:, 10] = [0, 1, 2]
    dram_s, bus_s = 480 * (100e-9 + 128 / 34.128e9), 6 * 32 * 4 / 34.128e9
    expected = [dram_s, dram_s / 10 + bus_s, dram_s / 39 + bus_s]
    assert [scorer.user_part(row).rows_s for row in rows.tolist()] == pytest.approx(expected, rel=1e-9)
    assert scorer.columns(rows)["area_mm2"].tolist() == [0.0, 0.5, 0.5]


def test_latency_shares_are_within_ten_points_of_figure_5_11() -> None:
    printed = {"rm2": (73, 24, 2, 1), "rm3": (37, 12, 44, 7), "rm4": (29, 10, 8, 54)}
    for name, shares in printed.items():
        found = monolithic(built_in(name), instance().server, np.array([1024.0]))
        parts = (found.user_lookups_s, found.item_lookups_s, found.bottom_s, found.top_s)
        ours = [100 * float(part[0] / found.seconds[0]) for part in parts]
        assert np.abs(np.array(ours) - shares).max() < 10


def test_the_factor_of_the_device_is_the_one_that_gives_rm4_its_share() -> None:
    scorer = Scorer(instance(model="rm4", edge_energy="published"))
    columns = scorer.columns(scorer.published)
    assert 100 * columns["edge_energy_j"][0] / columns["energy_j"][0] == pytest.approx(64, abs=0.1)


def test_ten_kilobytes_by_bluetooth_take_27_millijoules() -> None:
    assert round(handed_over_j(10_000)[1], 3) == 0.027


def test_lost_accuracy_by_hand() -> None:
    # RM1 has three layers at the bottom, two of which may be split; the publication splits two layers at the top.
    scorer = Scorer(instance())
    space, losses = scorer.instance.space, scorer.instance.losses
    row = scorer.published[0].copy()
    row[0], row[1] = space.split_bottom.index(True), space.top_layers.index(2)
    row[2], row[6] = space.nominal, space.histories.index(1.0)
    for gene, names in ((3, space.bottom_precisions), (4, space.tables_precisions), (5, space.top_precisions)):
        row[gene] = names.index("fp32")
    rows = np.stack([row] * 6)
    rows[1, 1] = space.top_layers.index(0)
    rows[2, 0] = space.split_bottom.index(False)
    rows[3, 3], rows[3, 5] = space.bottom_precisions.index("int8"), space.top_precisions.index("int8")
    rows[4, 6], rows[5, 2] = 0, 0
    bottom = len(scorer.instance.model.bottom) - 1
    share = losses.split / (bottom + 2)
    expected = [
        losses.split, bottom * share, 2 * share, losses.split + 2 * losses.int8,
        losses.split + (1 - space.histories[0]) * losses.history,
        losses.split + abs(space.ratios[0] - space.ratios[space.nominal]) * losses.ratio,
    ]  # fmt: skip
    assert scorer.columns(rows)["accuracy_loss_percent"].tolist() == pytest.approx(expected)
    # A split that is not there is off no share of the features; one layer is.
    rows[:, 2], rows[0, 1], rows[1, 1] = 0, space.top_layers.index(1), space.top_layers.index(0)
    off = abs(space.ratios[0] - space.ratios[space.nominal]) * losses.ratio
    lost = scorer.columns(rows[:2])["accuracy_loss_percent"].tolist()
    assert lost == pytest.approx([(bottom + 1) * share + off, bottom * share])


@pytest.mark.parametrize("top", [1, 2])
def test_all_lost_by_splitting_is_lost_by_the_published_split_of_a_model_without_a_bottom(top: int) -> None:
    text = SMALL.replace("bottom_mlp: [16, 8, 4]", "bottom_mlp: []") + f"top_layers_split: {top}\n"
    scorer = Scorer(instance(model="own", own_yaml=text, quantise=False))
    row = scorer.published[:1]
    assert scorer.datacentre_part(row[0].tolist()).seconds[0] > 0
    assert scorer.columns(row)["accuracy_loss_percent"].tolist() == pytest.approx([scorer.instance.losses.split])


def test_layers_are_computed_or_their_weights_are_read_by_hand() -> None:
    # 10 x 5 + 5 x 2 = 60 weights.
    busy, slow = Edge(1e3, 1e9, 0.0, 1.0, 1.0), Edge(1e9, 1e3, 0.0, 1.0, 1.0)
    assert [busy.layers_s((10, 5, 2), name) for name in ("fp32", "int8")] == pytest.approx([0.12, 0.03])
    assert [slow.layers_s((10, 5, 2), name) for name in ("fp32", "int8")] == pytest.approx([0.24, 0.06])
    inferences = np.array([0.0, 1.0, 5.0])
    assert Server(1e3, 480.0, 0.0, 1.0).layers_s((10, 5, 2), inferences).tolist() == pytest.approx([0.0, 0.5, 0.6])


def test_lookups_near_the_memory_of_servers_are_faster_by_what_is_printed() -> None:
    scorer = Scorer(instance(near_memory="any", edge_near_memory="trim", memory="dram", query_size=4096))
    space, server, model = scorer.instance.space, scorer.instance.server, scorer.instance.model
    one = np.array([1024.0])
    plain, faster = (server.lookups_s(model, 160, one, speedup) for speedup in (1.0, 10.0))
    assert plain.tolist() == pytest.approx((10 * faster).tolist())
    parts = space.parts[(True, 2, space.nominal)]
    assert item_part(model, parts, server, one).lookups_s.tolist() == pytest.approx(plain.tolist())
    rows = np.repeat(scorer.published[1:], 3, axis=0)
    rows[:, 9], rows[:, 8] = [0, 1, 2], space.batches.index(1024)
    lookups = [scorer.datacentre_part(row).lookups_s[0] for row in rows.tolist()]
    assert lookups == pytest.approx([plain[0], plain[0] / 10, plain[0] / 39])
    # Four servers share the query: the latency of one batch, the energy of all.
    columns = scorer.columns(rows)
    seconds = np.array([scorer.datacentre_part(row).seconds[0] for row in rows.tolist()])
    np.testing.assert_allclose(columns["datacentre_energy_j"], 4 * server.power_w * seconds)
    np.testing.assert_allclose(columns["latency_gain"] * columns["latency_s"], scorer.alone_s)
    np.testing.assert_allclose(columns["energy_gain"] * columns["energy_j"], scorer.alone_j)


def test_the_longest_history_and_the_life_of_the_battery_by_hand() -> None:
    scorer = Scorer(instance(model="own", own_yaml=SMALL, history_share=0.5, idle_life_h=10.0, queries_per_hour=7.0))
    columns = scorer.columns(scorer.published)
    assert columns["history_lookups"].tolist() == [3.0, 3.0]  # half of five, rounded up; of four there are two
    store = scorer.instance.battery.usable_j
    hours = [store / (store / 10 + 7 * joules) for joules in (0.0, 2.0)]
    assert battery_life_h(scorer.instance, np.array([0.0, 2.0])).tolist() == pytest.approx(hours)


def test_decisions_of_designs_come_back_and_others_are_refused() -> None:
    scorer = Scorer(instance(edge_near_memory="trim", scratchpad_kib=40.0, memory="any"))
    rows = scorer.instance.space.every[::997][:40]
    decisions = [scorer.decision(row) for row in rows.tolist()]
    assert [list(scorer.row_of(each)) for each in decisions] == rows.tolist()
    kept = next(each for each in decisions if each["hardware"])
    dram = {**kept, "hardware": False, "edge_near_memory": "trim"}
    assert len(scorer.row_of(dram)) == 11
    for changes in (
        {"batch": 7}, {"top_layers": None}, {"split_bottom": 1}, {"history": 1.0, "tables_precision": "fp32"},
        {"edge_near_memory": "trim"},
    ):  # fmt: skip
        with pytest.raises(DecisionError) as refused:
            scorer.row_of({**kept, **changes})
        field, value = next(iter(changes.items()))
        assert (refused.value.field, refused.value.got) == (f"decision.{field}", value)

"""Front, limits and cache of the run page."""

from __future__ import annotations

import numpy as np

from engines.contract.designs import Designs
from engines.contract.quantities import Quantity
from frontend.designs.obstacles import nearest_design, obstacle
from frontend.designs.run_designs import DesignCache, Region, RunDesigns, limit_scales
from frontend.pages.run.front.rail import limits_of
from tests.frontend.designs.samples import QUANTITIES, table


def test_a_baseline_that_breaks_a_limit_is_no_yardstick() -> None:
    slack = Quantity("limit_slack", "Room", "", "none", "constraint")
    kept = table([1.0, 0.5, 2.0], [4.0, 0.5, 5.0], "baseline", limit_slack=[0.0, -0.1, 0.2])
    found = RunDesigns.empty((*QUANTITIES, slack), "edp_js").extended(kept)
    assert found.feasible.tolist() == [True, False, True] and found.best_baseline("edp_js") == 0
    searched = table([3.0], [3.0], limit_slack=[1.0])
    assert found.extended(searched).dominated_by_baselines == {}, "only the one beyond the limit would dominate it"


def test_front_leaves_dominated_designs_and_baselines_out(designs: RunDesigns) -> None:
    assert designs.front.tolist() == [0, 1, 2]


def test_best_respects_sense_and_limits(designs: RunDesigns) -> None:
    assert designs.best("edp_js") == 0
    assert designs.best("busy") == 3
    assert designs.best("energy_j", designs.remaining({"latency_s": 2.0})) == 1
    assert designs.best("energy_j", np.zeros(5, dtype=bool)) is None


def test_best_is_what_meets_every_constraint() -> None:
    slack = Quantity("slack", "Slack", "", "none", "constraint")
    rows = table([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], slack=[-0.1, 0.0, 1.0])
    found = RunDesigns.empty((*QUANTITIES, slack), "edp_js").extended(rows)
    assert found.best("edp_js") == found.first_choice == 1
    assert found.best("edp_js", np.ones(3, bool)) == 0, "anyone who asks among all gets it of all"
    rows = table([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], slack=[-1.0] * 3)
    none = RunDesigns.empty((*QUANTITIES, slack), "edp_js").extended(rows)
    assert none.best("edp_js") is None and none.first_choice == 0, "there is something to look at"


def test_the_knee_is_looked_at_first_and_within_a_limit_the_best() -> None:
    slack = Quantity("limit_slack", "Slack", "", "none", "constraint")
    rows = table([1.0, 2.0, 10.0], [10.0, 2.0, 1.0], limit_slack=[0.8, 0.5, 0.1])
    free = RunDesigns.empty((*QUANTITIES, slack), "energy_j").extended(rows)
    assert free.knee == free.first_choice == 1 and free.best("energy_j") == 2, "room to the memory of the device"
    limited = RunDesigns.empty((*QUANTITIES, slack), "energy_j", limited=True).extended(rows)
    assert limited.extended(rows).limited and limited.first(2).limited and limited.first_choice == 2


def test_a_run_without_a_measure_has_no_best() -> None:
    found = RunDesigns.empty(QUANTITIES, "").extended(table([1.0], [1.0]))
    assert found.best("") is None and found.first_choice is None


def test_nan_is_never_best() -> None:
    found = RunDesigns.empty(QUANTITIES, "edp_js").extended(table([float("nan"), 2.0], [1.0, 2.0]))
    assert found.best("latency_s") == 1
    assert found.front.tolist() == [1]


def test_an_empty_run_has_no_front_and_no_best() -> None:
    empty = RunDesigns.empty(QUANTITIES, "edp_js")
    assert len(empty) == 0 and empty.best("edp_js") is None and empty.front.tolist() == []
    assert limit_scales(empty) == ()


def test_limits_point_the_way_the_quantity_is_better(designs: RunDesigns) -> None:
    assert designs.remaining({"latency_s": 2.0}).tolist() == [True, True, False, False, True]
    assert designs.remaining({"busy": 0.5}).tolist() == [False, False, True, True, False]


def test_sliders_for_what_varies_objectives_first(designs: RunDesigns) -> None:
    scales = limit_scales(designs)
    assert [scale.quantity.name for scale in scales] == ["latency_s", "energy_j", "edp_js", "busy"]
    assert (scales[0].low, scales[0].high, sum(scales[0].counts)) == (1.0, 3.0, 4)
    assert limits_of(scales, {"latency_s": 3.0, "energy_j": 2.5, "busy": 0.2}) == {"energy_j": 2.5}


def test_there_is_no_slider_for_figures_that_differ_by_rounding() -> None:
    nearly = RunDesigns.empty(QUANTITIES, "edp_js").extended(table([1.0, 1.0 + 2**-52], [4.0, 3.0]))
    assert "latency_s" not in [scale.quantity.name for scale in limit_scales(nearly)]


def test_obstacle_names_the_cheapest_limit_to_relax(designs: RunDesigns) -> None:
    searched = RunDesigns.empty(QUANTITIES, "edp_js").extended(table([1.0, 2.0, 3.0], [4.0, 3.0, 2.0]))
    assert obstacle(searched, {"latency_s": 2.0}) is None
    found = obstacle(searched, {"latency_s": 0.9, "energy_j": 4.0})
    assert found is not None
    assert (found.quantity.name, found.needed, found.would_remain) == ("latency_s", 1.0, 1)


def test_the_nearest_design_misses_the_limits_by_least() -> None:
    searched = RunDesigns.empty(QUANTITIES, "edp_js").extended(table([1.0, 2.0, 3.0], [4.0, 3.0, 2.0]))
    assert nearest_design(searched, {"latency_s": 0.9, "energy_j": 1.9}) == 1
    assert nearest_design(searched, {"latency_s": 0.9, "energy_j": 4.0}) == 0
    assert nearest_design(RunDesigns.empty(QUANTITIES, "edp_js"), {"latency_s": 0.9}) is None


def test_a_lasso_holds_what_lies_inside_of_it(designs: RunDesigns) -> None:
    # A horseshoe, open above: what lies between its arms is outside.
    corners = ((0.6, 0.0), (3.5, 0.0), (3.5, 5.0), (2.8, 5.0), (2.8, 1.0), (1.2, 1.0), (1.2, 5.0), (0.6, 5.0))
    lasso = Region("latency_s", "energy_j", corners)
    assert designs.remaining({}, lasso).tolist() == [True, False, True, False, False]
    assert designs.remaining({"latency_s": 2.0}, lasso).tolist() == [True, False, False, False, False]


def test_the_front_of_a_growing_run_is_that_of_all_its_designs() -> None:
    random = np.random.default_rng(3)
    found = RunDesigns.empty(QUANTITIES, "edp_js")
    for _ in range(5):
        latency = random.uniform(1, 2, 40).tolist()
        found = found.extended(table(latency, random.uniform(1, 2, 40).tolist()))
        assert len(found.front)
    again = RunDesigns.empty(QUANTITIES, "edp_js").extended(
        table(found.columns["latency_s"].tolist(), found.columns["energy_j"].tolist())
    )
    assert found.known == 160 and found.front.tolist() == again.front.tolist()


def test_designs_equal_but_for_rounding_are_one_point_in_any_order() -> None:
    latency = [1.0, 1.0 + 1e-13, 1.0 - 1e-13, 2.0, 2.0 * (1 + 1e-8), 3.0]
    energy = [4.0, 4.0 - 1e-13, 5.0, 3.0, 3.0 - 1e-13, 3.0]
    whole = RunDesigns.empty(QUANTITIES, "edp_js").extended(table(latency, energy))
    assert (sorted(whole.front.tolist()), whole.front_points, whole.front_since) == ([0, 1, 3], 2, 3)
    for order in ([5, 4, 3, 2, 1, 0], [2, 4, 0, 5, 3, 1]):
        grown = RunDesigns.empty(QUANTITIES, "edp_js")
        for at in order:
            grown = grown.extended(table([latency[at]], [energy[at]]))
            assert len(grown.front)
        assert sorted(order[number] for number in grown.front) == [0, 1, 3] and grown.front_points == 2


def test_a_baseline_that_is_better_by_rounding_alone_dominates_nothing() -> None:
    front = table([1.0], [4.0])
    rounding, real = (table([1.0 - gain], [4.0 - gain], "baseline", "GPU") for gain in (1e-13, 1e-6))
    for baseline, names in ((rounding, []), (real, ["GPU"])):
        assert (
            list(RunDesigns.empty(QUANTITIES, "edp_js").extended(front).extended(baseline).dominated_by_baselines)
            == names
        )


def test_infeasible_designs_take_no_part_in_the_front() -> None:
    slack = Quantity("slack", "Slack", "", "none", "constraint")
    rows = table([1.0, 2.0], [1.0, 0.5], slack=[-0.1, 0.0])
    found = RunDesigns.empty((*QUANTITIES, slack), "edp_js").extended(rows)
    assert found.feasible.tolist() == [False, True] and found.front.tolist() == [1]


def test_a_sample_stays_while_designs_are_added() -> None:
    few = RunDesigns.empty(QUANTITIES, "edp_js").extended(table([1.0] * 50, [1.0] * 50))
    more = few.extended(table([1.0] * 50, [1.0] * 50))
    assert (more.draw_order[:50] == few.draw_order).all()
    assert len(set(more.draw_order.tolist())) == 100


def test_cache_reads_only_new_chunks_and_forgets_on_a_new_attempt() -> None:
    asked: list[int] = []
    chunks = {0: table([1.0], [1.0]), 1: table([2.0], [0.5]), 2: table([], [])}

    def read(after: int) -> Designs:
        asked.append(after)
        return chunks[after]

    cache = DesignCache(capacity_bytes=1)
    start = lambda: RunDesigns.empty(QUANTITIES, "edp_js")  # noqa: E731
    assert len(cache.get("run", 1, start, read)) == 1
    assert len(cache.get("run", 1, start, read)) == 2
    assert len(cache.get("run", 1, start, read)) == 2
    assert len(cache.get("run", 2, start, read)) == 1
    cache.get("other", 1, start, read)
    cache.get("run", 2, start, read)
    assert asked == [0, 1, 2, 0, 0, 0]


def test_designs_that_an_attempt_dropped_are_not_kept() -> None:
    stored = [table([1.0], [1.0]), table([2.0], [0.5])]

    def read(after: int) -> Designs:
        return stored[after] if after < len(stored) else table([], [])

    cache = DesignCache()

    def get(count: int) -> RunDesigns:
        return cache.get("run", 1, lambda: RunDesigns.empty(QUANTITIES, "edp_js"), read, count, lambda: len(stored))

    get(1)
    assert len(get(2)) == 2
    # Who read the row of the run earlier knows of fewer, and nothing was dropped.
    assert len(get(1)) == 2
    # It goes on from a checkpoint with one design, and finds another second one.
    stored[1:] = []
    assert len(get(1)) == 1
    stored.append(table([3.0], [0.25]))
    assert get(2).columns["latency_s"].tolist() == [1.0, 3.0]


def test_a_limit_whose_room_is_not_defined_is_not_met() -> None:
    slack = Quantity("limit_slack", "Limit slack", "", "none", "constraint")
    columns = {"latency_s": np.array([1.0, 2.0]), "limit_slack": np.array([np.nan, 0.0])}
    texts = np.array(["search", "search"]), np.array(["", ""])
    found = RunDesigns((*QUANTITIES[:1], slack), "latency_s", columns, np.arange(2), *texts)
    assert found.feasible.tolist() == [False, True]
    assert found.best("latency_s") == 1


def test_room_that_is_kept_for_further_designs_counts() -> None:
    grown = RunDesigns.empty(QUANTITIES, "edp_js").extended(table([1.0], [4.0]))
    for _ in range(2):
        grown = grown.extended(table([2.0] * 50, [3.0] * 50))
    held = sum(column.base.nbytes for column in grown.columns.values() if column.base is not None)
    assert grown.nbytes > held > sum(column.nbytes for column in grown.columns.values())

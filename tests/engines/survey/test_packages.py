"""A package is priced by the chiplets' cost tables: one chiplet alone, and the best short pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest

from engines import explore
from engines.chiplets.costs.scoring import Scorer
from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.decision import PackageSchedule, Placement, validate
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.starts import start_chiplets
from engines.chiplets.problem.tables import ScenarioTables, build_tables, with_dataflow
from engines.chiplets.windows.exact import search_window_exactly
from engines.chiplets.windows.greedy import search_greedily
from engines.chiplets.windows.reconfig import assign_windows
from engines.contract.errors import DecisionError
from engines.survey.packages import MOST_CHIPLETS, price_package
from engines.survey.survey_result import SurveyOptions, UnsupportedNetworkError
from engines.workloads.builtins import builtin_networks
from engines.workloads.loader import builtin_network
from engines.workloads.network import Network, Scenario, ScenarioModel
from hardware.package.loader import builtin_hardware, load_package
from hardware.package.model import ChipletPackage

RESNET = builtin_network("resnet50")
PACKAGES = {name: load_package(content) for name, content in builtin_hardware().items()}
HET_SIDES = PACKAGES["simba-3x3-het-sides-256"]  # its middle column is Shi-diannao, without an interface to memory


def test_a_survey_estimates_under_the_cost_model_that_is_asked_for() -> None:
    shi_diannao = with_dataflow(HET_SIDES, "shi-diannao")
    usual, ideal = (
        price_package(shi_diannao, RESNET, SurveyOptions(cost_model=name)) for name in ("dataflow", "ideal-array")
    )
    assert ideal.best.edp_js < usual.best.edp_js
    assert "partial sums that stay in the array" in ideal.words and ideal.params == {"cost_model": "ideal-array"}
    assert usual == price_package(shi_diannao, RESNET)


def tables_of(package: ChipletPackage, network: Network) -> ScenarioTables:
    scenario = Scenario(network.slug, network.title, (ScenarioModel(network, 1),), "")
    return build_tables(package, scenario, ScheduleParams(n_splits=0))


def segment_costs(tables: ScenarioTables, chiplet: int, *, first: bool) -> np.ndarray:
    """Latency and energy of layers a..b-1 of one sample on a chiplet, shape `2 x L x (L + 1)`; eqs. of odema-2024 section 4.3."""
    model, network = tables.models[0], tables.package_model
    kind, hops, layers = tables.class_of[chiplet], int(network.memory_hops[chiplet]), model.layers

    def off_chip(size: np.ndarray | float) -> np.ndarray:
        joules = network.package_energy_j(size, hops) + network.memory_energy_j(size)
        return np.array([network.off_chip_latency_s(size, hops), joules])

    def between(prefix: np.ndarray) -> np.ndarray:
        return prefix[None, :] - prefix[:-1, None]

    costs = np.array([between(model.compute_s[kind]), between(model.compute_j[kind])])
    costs += off_chip(between(model.weight_bytes).clip(0))
    handed = model.input_bytes[1:]
    costs[:, :, 1:layers] += np.array([network.package_latency_s(handed, 1), network.package_energy_j(handed, 1)])[
        :, None
    ]
    costs[:, :, layers] += off_chip(model.output_bytes)[:, None]
    if first:
        costs[:, 0] += off_chip(float(model.input_bytes[0]))[:, None]
    return costs


@cache
def cuts_of(layers: int, segments: int) -> np.ndarray:
    """Every way to cut layers into so many segments: bounds, shape `n x (segments + 1)`."""
    count = comb(layers - 1, segments - 1)
    inner = np.array(list(combinations(range(1, layers), segments - 1)), np.int64).reshape(count, segments - 1)
    return np.pad(np.pad(inner, ((0, 0), (1, 0))), ((0, 0), (0, 1)), constant_values=layers)


def enumerated_edp_js(tables: ScenarioTables, most: int = MOST_CHIPLETS) -> float:
    """The least energy-delay product over every path of linked chiplets from an allowed start and every way to cut the layers."""
    layers, network = tables.models[0].layers, tables.package_model
    kinds = list(zip(tables.class_of.tolist(), network.memory_hops.tolist(), strict=True))
    paths = [(chiplet,) for chiplet in start_chiplets(tables)]
    sequences: dict[tuple[tuple[int, int], ...], tuple[int, ...]] = {}
    while paths:
        sequences |= {tuple(kinds[chiplet] for chiplet in path): path for path in paths}
        longer = [(*path, c) for path in paths for c in network.neighbours[path[-1]] if c not in path]
        paths = longer if len(longer[0]) <= min(most, layers) else []
    costs = {
        (kinds[c], first): segment_costs(tables, c, first=first)
        for c in range(tables.chiplets)
        for first in (True, False)
    }
    least = np.inf
    for sequence in sequences:
        bounds = cuts_of(layers, len(sequence))
        totals = sum(
            costs[kind, place == 0][:, bounds[:, place], bounds[:, place + 1]] for place, kind in enumerate(sequence)
        )
        least = min(least, float((totals[0] * totals[1]).min()))
    return least


def violations(names: Sequence[str], check: int) -> list[str]:
    """List wrong answers for networks on all packages: a single chiplet that is better, or a proof that is none.

    Args:
        names: networks.
        check: proofs are enumerated up to this number of ways to cut a network; beyond, with one chiplet less.
    """
    found = []
    for name in names:
        network = builtin_network(name)
        for slug, package in PACKAGES.items():
            priced = price_package(package, network)
            assert priced.single is not None
            if priced.best.edp_js > priced.single.edp_js:
                found.append(
                    f"{name} on {slug}: {priced.best.edp_js} Js above {priced.single.edp_js} Js of one chiplet"
                )
            if not priced.proven:
                continue
            most = MOST_CHIPLETS if len(network.layers) <= check else MOST_CHIPLETS - 1
            least = enumerated_edp_js(tables_of(package, network), most)
            if priced.best.edp_js > least * (1 + 1e-9) or (
                most == MOST_CHIPLETS and priced.best.edp_js < least * (1 - 1e-9)
            ):
                found.append(f"{name} on {slug}: {priced.best.edp_js} Js said to be proven, {least} Js enumerated")
    return found


def test_no_single_chiplet_is_better_than_the_best_and_proofs_stand_an_enumeration() -> None:
    assert violations(["squeezenet1-0", "magnas-vig-s-gin"], check=30) == []


@pytest.mark.long
@pytest.mark.parametrize("group", range(24))
def test_no_network_on_any_package_has_a_better_single_chiplet_or_a_wrong_proof(group: int) -> None:
    assert violations(sorted(builtin_networks())[group::24], check=80) == []


def test_one_chiplet_alone_starts_where_scar_lets_a_network_start() -> None:
    network = builtin_network("squeezenet1-0")
    tables, found = tables_of(HET_SIDES, network), price_package(HET_SIDES, network)
    middle = PackageSchedule(((Placement(0, 0, (len(network.layers),), (4,)),),))
    latency, energy, *_ = Scorer(tables).score(middle)
    assert found.single is not None and found.single.words == "NVDLA chiplet alone"
    assert (latency, energy) == pytest.approx(
        (9.995e-3, 3.322e-3), rel=1e-3
    )  # better than the best, but it may not start
    assert found.best.edp_js > latency * energy
    with pytest.raises(DecisionError, match="a start at an interface chiplet"):
        validate(middle, tables)


@pytest.mark.parametrize("slug", ["simba-3x3-het-sides-256", "simba-3x3-het-cross"])
def test_the_best_is_what_the_engine_scar_finds_in_one_window(slug: str) -> None:
    """A network of four layers has at most four segments, so that the survey leaves out no pipeline of SCAR's."""
    params = {"n_splits": 0, "evaluations": 100}
    best = explore("scar", hardware=slug, workload="ed-tcn-xrbench", params=params).best("edp_js")
    found = price_package(PACKAGES[slug], builtin_network("ed-tcn-xrbench"))
    assert found.proven and found.best.edp_js == pytest.approx(best.values["edp_js"], rel=1e-12)
    assert found.single is not None and found.best.edp_js < found.single.edp_js


@pytest.mark.parametrize("name", ["simba-3x3-het-checkerboard", "simba-3x3-nvdla-256"])
def test_the_best_pipeline_is_that_of_the_exact_search(name: str) -> None:
    package = PACKAGES[name]
    found = price_package(package, RESNET)
    tables = tables_of(package, RESNET)
    trajectory = search_greedily(tables, assign_windows(tables, 0), Goal("edp"), search=search_window_exactly)
    assert found.best.edp_js == pytest.approx(trajectory.value(Goal("edp")), rel=1e-12) and found.proven
    singles = [
        Scorer(tables).score(PackageSchedule(((Placement(0, 0, (54,), (chiplet,)),),)))[2]
        for chiplet in start_chiplets(tables)
    ]
    assert found.single is not None and found.single.edp_js == pytest.approx(min(singles), rel=1e-12)
    assert found.basis == "dataflow" and found.latency_factor is None


def test_other_bits_are_priced_and_an_engine_gets_them_too() -> None:
    network = builtin_network("ed-tcn-xrbench")
    found, usual = (price_package(HET_SIDES, network, SurveyOptions(bits)) for bits in ("w4a8-g128", ""))
    assert (found.bits, found.certainty, found.params) == ("w4a8-g128", "predicted", {"bits": "w4a8-g128"})
    assert found.best.edp_js < usual.best.edp_js and "MACs assumed" in found.words and not usual.params
    params = {"n_splits": 0, "evaluations": 100, **found.params}
    run = explore("scar", hardware="simba-3x3-het-sides-256", workload="ed-tcn-xrbench", params=params)
    assert found.best.edp_js == pytest.approx(run.best("edp_js").values["edp_js"], rel=1e-12)
    odd = price_package(HET_SIDES, network, SurveyOptions("w2a8"))  # no form offers it
    assert odd.best.edp_js < found.best.edp_js


def test_a_package_with_little_memory_holds_a_network_of_narrow_weights() -> None:
    memory = replace(HET_SIDES.memory, capacity_bytes=RESNET.parameters // 4 * 3)
    small = replace(HET_SIDES, memory=memory)
    with pytest.raises(UnsupportedNetworkError, match="at 8 bits"):
        price_package(small, RESNET)
    assert price_package(small, RESNET, SurveyOptions("int4")).bits == "int4"


def test_words_count_layers_from_one() -> None:
    found = price_package(PACKAGES["simba-3x3-het-checkerboard"], RESNET)
    assert found.best.words == "layers 1 on Shi-diannao, 2–54 on NVDLA"
    assert found.single is not None and found.single.words == "NVDLA chiplet alone"

"""A system on a chip is priced as near to measurements as can be, by the exact mapping model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from engines.mapping.problem.instance import build_instance
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.pricing import pricing_of
from engines.mapping.solver.unit_mapping import FrontSearch, score
from engines.survey.socs import UnsupportedNetworkError, price_soc
from engines.survey.survey_result import DeviceEstimate, SurveyOptions
from engines.workloads.builtins import builtin_networks
from engines.workloads.loader import builtin_network
from engines.workloads.network import Network, ScenarioModel
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.model import Soc
from tests.support.sampling import covering_names

MOST_MAPPINGS = 60_000
VIG, RESNET = builtin_network("magnas-vig-s-gin"), builtin_network("resnet50")


def device(name: str) -> Soc:
    return load_soc(builtin_socs()[name])


def enumerated_edp_js(soc: Soc, network: Network, priced: DeviceEstimate) -> float | None:
    """The least energy-delay product over every mapping of blocks to units; None where there are too many mappings."""
    options = MappingOptions(**priced.params)
    instance = build_instance(soc, ScenarioModel(network, 1), pricing_of(soc, network, None, options), options)
    units, blocks = len(instance.units), len(instance.blocks)
    if units**blocks > MOST_MAPPINGS:
        return None
    every = np.array(list(product(range(units), repeat=blocks)))
    found = score(instance.costs, every, np.zeros(len(every), np.int64))
    return float(found.edp_js[np.isfinite(found.latency_s)].min())


def violations(names: Sequence[str], boards: Iterable[str]) -> tuple[list[str], int]:
    """List wrong answers for networks on boards, and count the proofs that were enumerated."""
    found, enumerated = [], 0
    for name, slug in product(names, boards):
        network, soc = builtin_network(name), device(slug)
        try:
            priced = price_soc(soc, network)
        except UnsupportedNetworkError:
            continue
        if priced.single is not None and priced.best.edp_js > priced.single.edp_js:
            found.append(f"{name} on {slug}: {priced.best.edp_js} Js above {priced.single.edp_js} Js of one unit")
        least = enumerated_edp_js(soc, network, priced) if priced.proven and priced.front else None
        enumerated += least is not None
        if least is not None and priced.best.edp_js != pytest.approx(least, rel=1e-9):
            found.append(f"{name} on {slug}: {priced.best.edp_js} Js said to be proven, {least} Js enumerated")
    return found, enumerated


def test_no_single_unit_is_better_than_the_best_and_proofs_stand_an_enumeration() -> None:
    found, enumerated = violations(["alexnet", "squeezenet1-0", "magnas-vig-s-gin"], covering_names(builtin_socs()))
    assert found == [] and enumerated >= 3


@pytest.mark.long
@pytest.mark.parametrize("group", range(8))
def test_no_network_on_any_board_has_a_better_single_unit_or_a_wrong_proof(group: int) -> None:
    found, enumerated = violations(sorted(builtin_networks())[group::8], builtin_socs())
    assert found == [] and enumerated >= 20


def test_a_network_with_many_results_that_wait_is_priced_soon_and_without_a_proof() -> None:
    """Where all are told apart that six fields hold, the search over four units takes hours."""
    snapdragon = price_soc(device("snapdragon-855"), builtin_network("hand-graph-cnn-xrbench"))
    assert snapdragon.single is not None and snapdragon.best.edp_js < 0.9 * snapdragon.single.edp_js
    xavier = price_soc(device("jetson-agx-xavier"), builtin_network("hand-graph-cnn-xrbench"))
    assert not snapdragon.proven and not xavier.proven


def test_a_measured_network_has_the_exact_front_and_the_error_of_its_calibration() -> None:
    soc, options = device("jetson-agx-xavier"), MappingOptions()
    found = price_soc(soc, VIG)
    instance = build_instance(soc, ScenarioModel(VIG, 1), pricing_of(soc, VIG, None, options), options)
    front = FrontSearch(instance.costs, instance.limits, 20_000).front([0])
    assert found.best.edp_js == front.scores.edp_js.min() and found.basis == "calibration" and not found.params
    assert found.single is not None and found.single.words == "DLA alone" and found.best.edp_js <= found.single.edp_js
    assert found.front[0][0] == front.scores.latency_s.min() and found.front[-1][1] == front.scores.energy_j.min()
    calibration = load_calibration(builtin_calibrations()["xavier-magnas"])
    assert found.latency_factor == calibration.error_factor("latency")


def test_what_nobody_measured_is_said_and_asked_of_an_engine_alike() -> None:
    xavier, snapdragon = price_soc(device("jetson-agx-xavier"), RESNET), price_soc(device("snapdragon-855"), RESNET)
    assert xavier.params == {"unmeasured": "assumed"} and "activation estimated like others" in xavier.words
    assert snapdragon.params == {"unmeasured": "datasheet"} and snapdragon.basis == "data sheet"
    assert snapdragon.latency_factor is None
    accelerators = price_soc(device("three-dataflow-accelerators"), RESNET)
    assert accelerators.basis == "dataflow" and not accelerators.params


def test_a_calibration_of_ones_own_counts_before_the_built_in_ones() -> None:
    own = load_calibration(builtin_calibrations()["xavier-map-and-conquer"])
    other = load_calibration(builtin_calibrations()["tx2-hadas"])
    found = price_soc(device("jetson-agx-xavier"), VIG, [("team/mine", own), ("team/other", other)])
    assert found.inputs == {"calibration": "team/mine"} and own.slug in found.words


def test_a_device_that_cannot_says_which_figure_or_operation_is_missing() -> None:
    with pytest.raises(
        UnsupportedNetworkError, match=r"lacks bandwidth of the shared memory; Core: .*power at full load"
    ):
        price_soc(device("efm32-giant-gecko"), builtin_network("digits-chain"))
    # ResNet-50 has 25.6 million weights: 24.4 MiB at 8 bits. No microcontroller holds them, whatever is known of it.
    words = r"^Does not fit: ResNet-50, 224x224 needs .* 24\.4 MiB for weights, .* at 8 bits\. The device has 128 KiB on chip"
    with pytest.raises(UnsupportedNetworkError, match=words):
        price_soc(device("efm32-giant-gecko"), RESNET)
    with pytest.raises(UnsupportedNetworkError, match=r"and values of 1 more unit$"):
        price_soc(device("drive-px2-autochauffeur"), RESNET)
    soc = device("three-dataflow-accelerators")
    units = {name: replace(unit, supported_operations=frozenset({"gemm"})) for name, unit in soc.units.items()}
    with pytest.raises(UnsupportedNetworkError, match=r"No unit runs block .*does not run conv"):
        price_soc(replace(soc, units=units), RESNET)


def test_a_network_that_no_unit_has_alone_is_mapped_to_several() -> None:
    soc = device("three-dataflow-accelerators")
    kinds = {"dsa-k": frozenset({"conv"}), "dsa-y": frozenset({"gemm"}), "dsa-d": frozenset({"gemm"})}
    units = {name: replace(unit, supported_operations=kinds[name]) for name, unit in soc.units.items()}
    found = price_soc(replace(soc, units=units), RESNET)
    assert (
        found.single is None
        and np.isfinite(found.best.edp_js)
        and "blocks" in found.best.words
        and "DSA-k" in found.best.words
    )


def test_a_factor_that_public_measurements_contradict_is_not_given() -> None:
    """MLPerf has 1.83 and 1.98 ms for ResNet-50 on Xavier, the estimate 9.56 ms; its calibration says 1.21."""
    xavier = device("jetson-agx-xavier")
    told, untold = price_soc(xavier, RESNET), price_soc(xavier, builtin_network("googlenet"))
    assert told.latency_factor is None and "1.98 ms" in told.public and "9.56 ms" in told.public
    assert untold.latency_factor is not None and untold.public == ""
    assert f"latency ×/÷ {untold.latency_factor:.2f} (" in untold.band and "is unknown" in untold.band


def test_bits_are_counted_where_they_are_asked_for() -> None:
    soc = device("jetson-agx-xavier")
    usual, half, packed = (price_soc(soc, RESNET, options=SurveyOptions(bits)) for bits in ("", "w8a8", "w4a16"))
    assert (usual.bits, half.bits, packed.bits) == ("fp16", "w8a8", "w4a16")
    assert half.best.latency_s < usual.best.latency_s
    # The calibration is of fp16: other bits are extrapolated, its error band does not hold for them, and an engine gets them too.
    assert (usual.certainty, half.certainty) == ("calibrated", "predicted")
    assert usual.energy_factor and half.energy_factor is None and "extrapolated from fp16" in half.words
    assert "bits" not in usual.params and half.params["bits"] == "w8a8"


def test_a_power_mode_lowers_clocks_and_devices_without_it_say_which_they_have() -> None:
    soc = device("jetson-agx-xavier")
    low = price_soc(soc, RESNET, options=SurveyOptions(power_mode="mode-10w"))
    assert low.best.latency_s > price_soc(soc, RESNET).best.latency_s and low.params["power_mode"] == "mode-10w"
    with pytest.raises(UnsupportedNetworkError, match=r"power_mode must be empty, or one of: maxn, mode-10w"):
        price_soc(soc, RESNET, options=SurveyOptions(power_mode="turbo"))


def test_accelerators_by_dataflow_count_other_bits() -> None:
    soc = device("three-dataflow-accelerators")
    usual, narrow = price_soc(soc, RESNET), price_soc(soc, RESNET, options=SurveyOptions("int4"))
    assert (usual.bits, narrow.bits, narrow.certainty) == ("int8", "int4", "predicted")
    assert narrow.best.energy_j < usual.best.energy_j and narrow.params["bits"] == "int4"


def test_a_device_of_unknown_power_has_a_latency_alone() -> None:
    known = device("snapdragon-855")
    units = {name: replace(unit, power=None) for name, unit in known.units.items()}
    unknown = price_soc(replace(known, units=units), RESNET)
    assert unknown.best.energy_j is None and unknown.front == () and "not published" in unknown.energy_reason
    assert unknown.basis == "data sheet" and unknown.certainty == "data sheet"
    fastest = min(latency for latency, _ in price_soc(known, RESNET).front)
    assert unknown.best.latency_s == pytest.approx(fastest)

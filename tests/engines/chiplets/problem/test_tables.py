from __future__ import annotations

import numpy as np
import pytest

from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.tables import array_units, build_tables, mapping_words, unique_titles, with_dataflow
from engines.contract.errors import ProblemError
from engines.cost.dataflow.model import MAPPINGS, ArrayFigures, layer_costs, mapping_costs, shapes_of
from engines.documents.problems import validate_params
from engines.workloads.loader import load_network, load_scenario
from tests.engines.methods.scar.problems import scar_problem
from tests.engines.workloads.documents_for_tests import network_content


def test_prefix_sums_give_the_cost_of_any_segment() -> None:
    problem = scar_problem()
    package, scenario = problem.values["hardware"], problem.values["workload"]
    built = build_tables(package, scenario, ScheduleParams())
    layers = scenario.models[0].network.layers
    chiplet = package.chiplets[1]
    array = ArrayFigures(
        chiplet.processing_elements, chiplet.noc_bandwidth_elements_per_cycle, chiplet.noc_hop_latency_cycles
    )
    costs = layer_costs(layers, "shi-diannao", array)
    model, kind = built.models[0], built.class_of[1]
    assert np.diff(model.compute_s[kind]) == pytest.approx(costs.cycles / 500e6)
    assert np.diff(model.compute_j[kind]) == pytest.approx(costs.energy_macs * 0.23e-12)
    assert np.diff(model.weight_bytes) == pytest.approx([layer.weight_elements for layer in layers])
    assert model.input_bytes.tolist() == [layer.input_elements for layer in layers]
    assert model.output_bytes == layers[-1].output_elements


def test_costs_come_from_the_chosen_cost_model() -> None:
    problem = scar_problem()
    package, scenario = problem.values["hardware"], problem.values["workload"]
    kept = build_tables(package, scenario, ScheduleParams(output_stationary_mapping="ykp_os_kept"))
    ideal = build_tables(package, scenario, ScheduleParams(cost_model="ideal-array"))
    for one, other in zip(kept.models, ideal.models, strict=True):
        np.testing.assert_array_equal(one.compute_s, other.compute_s)
        np.testing.assert_array_equal(one.compute_j, other.compute_j)
    rows = [
        f"{model.network.slug},{layer.name},{unit.name},0.5,2"
        for model in scenario.models
        for layer in model.network.layers
        for unit in array_units(package, ScheduleParams())
    ]
    text = "\n".join(["network,layer,unit,latency_s,energy_j", *dict.fromkeys(rows)])
    table = build_tables(package, scenario, ScheduleParams(cost_model="table", cost_table=text))
    assert np.diff(table.models[0].compute_s).tolist() == [[0.5] * 3] * 2
    with pytest.raises(ProblemError, match="no rows for"):
        build_tables(package, scenario, ScheduleParams(cost_model="table", cost_table=text.partition("\n")[0]))


def test_an_unknown_cost_model_is_refused() -> None:
    with pytest.raises(ProblemError, match=r"one of dataflow, ideal-array, table\. Got 'abacus'") as error:
        validate_params(ScheduleParams, {"cost_model": "abacus"})
    assert error.value.field == "params.cost_model"


def test_shares_count_chiplets_of_each_kind() -> None:
    problem = scar_problem()
    built = build_tables(problem.values["hardware"], problem.values["workload"], ScheduleParams())
    assert built.class_share.tolist() == [0.5, 0.5]
    plain = build_tables(
        with_dataflow(problem.values["hardware"], "nvdla"), problem.values["workload"], ScheduleParams()
    )
    assert plain.class_share.tolist() == [1.0]
    assert set(plain.class_of.tolist()) == {0}


def test_a_network_that_occurs_twice_is_numbered() -> None:
    models = scar_problem(models=3).values["workload"].models
    assert unique_titles(models) == ("wide 1", "long", "wide 2")


@pytest.mark.parametrize("mapping", ["ykp_os", "ykp_os_rows", "ykp_os_kept", "yxp_os"])
def test_shi_diannao_chiplets_run_the_chosen_mapping(mapping: str) -> None:
    problem = scar_problem()
    package, scenario = problem.values["hardware"], problem.values["workload"]
    built = build_tables(package, scenario, ScheduleParams(output_stationary_mapping=mapping))
    chiplet = package.chiplets[1]
    array = ArrayFigures(
        chiplet.processing_elements, chiplet.noc_bandwidth_elements_per_cycle, chiplet.noc_hop_latency_cycles
    )
    costs = mapping_costs(mapping, shapes_of(scenario.models[0].network.layers), array)
    assert np.diff(built.models[0].compute_s[built.class_of[1]]) == pytest.approx(costs.cycles / 500e6)


def test_problems_stored_before_the_mapping_was_a_choice_read_as_the_default() -> None:
    stored = ScheduleParams().model_dump()
    del stored["output_stationary_mapping"]
    assert ScheduleParams.model_validate(stored) == ScheduleParams()


def test_maestros_off_chip_rule_is_part_of_the_time_to_compute() -> None:
    problem = scar_problem()
    package, scenario = problem.values["hardware"], problem.values["workload"]
    built = build_tables(package, scenario, ScheduleParams(dram_rule="maestro"))
    chiplet = package.chiplets[0]
    array = ArrayFigures(
        chiplet.processing_elements,
        chiplet.noc_bandwidth_elements_per_cycle,
        chiplet.noc_hop_latency_cycles,
        off_chip_bandwidth_elements_per_cycle=64e9 / 500e6,  # 64 GB/s, 1 byte per word, 500 MHz
    )
    costs = mapping_costs("kcp_ws", shapes_of(scenario.models[0].network.layers), array)
    assert np.diff(built.models[0].compute_s[built.class_of[0]]) == pytest.approx(costs.cycles / 500e6)
    plain = build_tables(package, scenario, ScheduleParams())
    assert (built.models[0].compute_s >= plain.models[0].compute_s).all()
    np.testing.assert_array_equal(built.models[0].compute_j, plain.models[0].compute_j)


@pytest.mark.parametrize("name", ["ykp_os", "ykp_os_rows", "ykp_os_kept", "yxp_os"])
def test_mappings_say_whether_they_were_checked(name) -> None:
    words = mapping_words(ScheduleParams(output_stationary_mapping=name))
    assert words.startswith(f"{name}, ")
    assert ("not checked" in words) == (not MAPPINGS[name].checked)
    assert "not checked" in mapping_words(ScheduleParams(output_stationary_mapping=name, cost_model="ideal-array"))


def test_a_weight_counts_once_in_a_segment() -> None:
    """Layers 0, 1 and 3 use one weight of 16 bytes; a segment holds and loads it once, and every layer reads it."""
    shared = {"shared_weights": {"w": 16}}
    row = {"kind": "gemm", "c": 4, "k": 4}
    content = network_content(*({"name": f"g{place}", **row, **({} if place == 2 else shared)} for place in range(4)))
    assert load_network(content).parameters == 32
    built = build_tables(scar_problem().values["hardware"], load_scenario(content), ScheduleParams()).models[0]
    ends = np.arange(5)
    assert built.segment_weight_bytes(ends[:, None], ends[None, :])[0].tolist() == [0, 16, 16, 32, 32]
    assert built.segment_weight_bytes(1, 4) == 32 and built.segment_weight_bytes(2, 4) == 32
    assert built.layer_weight_bytes(0, 4).tolist() == [16, 0, 16, 0]
    assert built.layer_weight_bytes(2, 4).tolist() == [16, 16]
    assert np.diff(built.weight_bytes).tolist() == [16] * 4

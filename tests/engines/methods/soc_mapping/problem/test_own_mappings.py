import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.errors import ProblemError
from engines.contract.results import Note, Table
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.methods.soc_mapping.problem.own_mappings import own_mappings
from engines.registry import get_engine
from engines.running.inspection import evaluate, explain
from engines.running.prepared_problems import ready_of
from engines.testing import conformance
from engines.testing.conformance import TinyProblem
from tests.engines.methods.soc_mapping.problems import BLOCKS, mapping_problem, tiny_network

RULES = "as deployed = *: dla; block0: gpu | gpu gpu dla dla gpu gpu"


def own_designs(params: dict[str, object]) -> tuple[Designs, Table]:
    problem = mapping_problem(params, tiny_network(BLOCKS))
    ready_of(get_engine("soc-mapping"), problem)
    steps = conformance.run_all(TinyProblem(problem))
    designs = conformance.designs_of(steps)
    tables = {result.name: result for step in steps for result in step.results if isinstance(result, Table)}
    named = [number for number, label in enumerate(designs.label) if label in ("as deployed", "Own mapping 2")]
    return designs.take(named), tables["comparison"]


@pytest.mark.parametrize("method", ["exact", "random"])
def test_own_mappings_are_scored_beside_the_front(method: str) -> None:
    params = {"own_mappings": RULES, "method": method, "evaluations": 50, "population": 10}
    designs, table = own_designs(params)
    assert list(designs.label) == ["as deployed", "Own mapping 2"]
    assert set(designs.origin) == {"baseline"}
    assert designs.decisions[0]["units"] == ["gpu"] + ["dla"] * 5
    assert designs.decisions[1]["units"] == ["gpu", "gpu", "dla", "dla", "gpu", "gpu"]
    problem = mapping_problem(params, tiny_network(BLOCKS))
    again = evaluate(problem, designs.decisions)
    np.testing.assert_array_equal(designs.columns["latency_s"], again.columns["latency_s"])
    rows = dict(zip(table.table_columns[0].values, table.table_columns[2].values, strict=True))
    assert rows["as deployed"] == designs.columns["energy_j"][0]


@pytest.mark.parametrize(
    "text",
    [
        "gpu gpu dla dla gpu gpu",
        "GPU, GPU, DLA, DLA, GPU, GPU",
        "gpu*2 dla*2 gpu*2",
        "gpu * 2, dla*2, gpu, gpu",
        "gpu 1-2, dla 3-4, gpu 5-6",
        "dla 3 - 4; gpu 1 2 5-6",
        "*: gpu; block2: dla; block3: dla",
    ],
)
def test_a_mapping_is_written_in_several_ways(text: str) -> None:
    instance = instance_of(mapping_problem({}, tiny_network(BLOCKS)))
    names, rows = own_mappings(text, instance)
    assert names == ("Own mapping",)
    assert [instance.units[unit] for unit in rows[0]] == ["gpu", "gpu", "dla", "dla", "gpu", "gpu"]


def test_own_mappings_may_break_limits_and_rules() -> None:
    designs, _ = own_designs({"own_mappings": RULES, "unit_rules": "block3: gpu", "baselines": False})
    assert (designs.columns["limit_slack"] < 0).all()


def test_a_design_that_breaks_something_says_so() -> None:
    params = {"unit_rules": "block3: gpu; block4: not dla"}
    problem = mapping_problem(params, tiny_network(BLOCKS))
    for units, words in ((["gpu"] * 6, None), (["dla"] * 6, "block3 on dla, block4 on dla")):
        results = explain(problem, {"units": units})
        notes = [result.text for result in results if isinstance(result, Note) and result.name == "limits"]
        assert notes == ([f"This mapping violates the rules for units of blocks: {words}."] if words else [])


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("block0: gpu", "one unit for each block"),
        ("*: gpu dla", "one unit for each block"),
        ("gpu dla", "6 units"),
        ("gpu dla npu", "units out of"),
        ("gpu*2 npu*4", "units out of"),
        ("gpu*2 dla*999999999", "more than 6 units"),
        ("gpu*2 dla*3", "Got '5 units'"),
        ("gpu 1-3, dla 5-6", "block 4 (block3): no unit"),
        ("gpu 1-3, dla 3-6", "block 3 (block2): gpu and dla"),
        ("gpu 1-3, dla 4-7", "from 1 (block0) to 6 (block5)"),
        ("gpu 0-3, dla 4-6", "from 1 (block0) to 6 (block5)"),
        ("gpu 3-1, dla 4-6", "from 1 (block0) to 6 (block5)"),
        ("1-3 gpu, dla 4-6", "a unit before the numbers"),
        ("gpu 1-3, npu 4-6", "units out of"),
        ("*: npu", "units out of"),
        ("head: gpu", "one of the blocks"),
        ("a = *: gpu | a = *: dla", "distinct names"),
        (" | ".join(["*: gpu"] * 21), "at most 20"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, accepted: str) -> None:
    with pytest.raises(ProblemError, match="own_mappings") as caught:
        ready_of(get_engine("soc-mapping"), mapping_problem({"own_mappings": text}, tiny_network(BLOCKS)))
    assert accepted in str(caught.value)


def test_a_unit_that_cannot_run_a_block_is_refused_with_the_reason() -> None:
    instance = instance_of(mapping_problem({"fallback": False}))
    with pytest.raises(ProblemError, match="does not run"):
        own_mappings("*: dla", instance)


class TestUnmeasured:
    def test_resnet_is_refused_unless_asked_for(self) -> None:
        with pytest.raises(ProblemError, match="Set unmeasured to assumed"):
            ready_of(get_engine("soc-mapping"), mapping_problem(workload="resnet50"))

    def test_any_network_is_mapped_where_it_is(self) -> None:
        problem = mapping_problem({"unmeasured": "assumed"}, "resnet50")
        steps = conformance.run_all(TinyProblem(problem))
        assert len(conformance.designs_of(steps)) > 10
        notes = {result.name: result for step in steps for result in step.results if isinstance(result, Note)}
        assert "activation" in notes["assumed"].text
        assert notes["assumed"].level == "warning"

    def test_measured_networks_are_not_changed_on_units_that_run_them(self) -> None:
        """The units get nothing more where everything of the network is measured."""
        usual, asked = (instance_of(mapping_problem(params)) for params in ({}, {"unmeasured": "assumed"}))
        assert asked.assumed == {}
        np.testing.assert_array_equal(usual.costs.latency_s, asked.costs.latency_s)

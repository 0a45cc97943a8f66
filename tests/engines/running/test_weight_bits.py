"""Plans, runs and surveys say where a device counts more bits for weights than its network stores."""

from __future__ import annotations

from typing import Any

import pytest

from engines import explore
from engines.contract.engine import Problem
from engines.contract.inputs import Document
from engines.contract.results import Note
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.inspection import plan as plan_of
from engines.running.weight_bits import weight_bits_remarks
from engines.survey.survey import survey
from engines.workloads.loader import load_network
from hardware.package.loader import load_package
from hardware.soc.loader import load_soc

XAVIER, SIMBA = "jetson-agx-xavier", "simba-3x3-nvdla"


def network(bits: int | None = None) -> dict[str, Any]:
    content: dict[str, Any] = {
        "schema": "network/1", "slug": "two-products", "title": "Two products", "short_title": "Two", "source": "own",
        "operations": [{"name": f"fc{number}", "kind": "gemm", "k": 256, "c": 256} for number in range(2)],
    }  # fmt: skip
    return content | ({} if bits is None else {"weight_bits": bits})


def scenario(*bits: int | None) -> dict[str, Any]:
    models = [{"network": network(each) | {"title": f"Number {place}"}, "batch": 1} for place, each in enumerate(bits)]
    return {"schema": "scenario/1", "slug": "mix", "title": "Mix", "source": "own", "models": models}


def problem_of(
    engine: str, device: str, workload: dict[str, Any], params: dict[str, Any] | None = None
) -> Problem[Any]:
    inputs = {
        "hardware": get_builtin("hardware", device),
        "workload": Document("workload", workload["slug"], 1, workload),
    }
    return make_problem(engine, inputs, params or {})


@pytest.mark.parametrize(
    ("engine", "device", "workload", "told"),
    [
        ("soc-mapping", XAVIER, network(4), "Two products stores weights in 4 bits. The costs count 16 bits for each"),
        ("soc-mapping", XAVIER, network(16), ""),
        ("soc-mapping", XAVIER, network(), ""),
        ("soc-mapping", "three-dataflow-accelerators", network(4), "The costs count 8 bits for each"),
        ("scar", SIMBA, network(4), "The costs count 8 bits for each"),
        ("scar", SIMBA, network(8), ""),
        ("scar", SIMBA, scenario(None, 2), "Number 1 stores weights in 2 bits."),
    ],
)
def test_a_run_says_so_where_its_device_counts_more(
    engine: str, device: str, workload: dict[str, Any], told: str
) -> None:
    problem = problem_of(engine, device, workload)
    assert told in "".join(note.text for note in weight_bits_remarks(problem))
    assert bool(told) == bool(weight_bits_remarks(problem))


def test_the_remark_stands_in_the_plan_and_among_the_results_once() -> None:
    params = {"unmeasured": "assumed"}
    problem = problem_of("soc-mapping", XAVIER, network(4), params)
    (remark,) = weight_bits_remarks(problem)
    assert plan_of(problem, get_engine("soc-mapping")).notes.count(remark.text) == 1
    found = explore("soc-mapping", hardware=XAVIER, workload=network(4), params=params, seed=1)
    assert [each for each in found.results.values() if isinstance(each, Note) and each.name == remark.name] == [remark]


def test_rows_of_a_survey_say_so() -> None:
    package = load_package(get_builtin("hardware", SIMBA).content)
    devices = [(XAVIER, load_soc(get_builtin("hardware", XAVIER).content)), (SIMBA, package)]
    notes = {each.name: each.priced.note for each in survey(load_network(network(8)), devices).devices if each.priced}
    assert notes[SIMBA] == "" and "in 8 bits. The costs count 16 bits" in notes[XAVIER]

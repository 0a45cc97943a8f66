"""Mappings that leave a network on the processor, as the network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engines.contract.engine import Document
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.soc_mapping.problem.instance import instance_of
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network
from tests.engines.runnable_designs import asked, executed
from tests.engines.workloads.importing.onnx.own_network import VOCABULARY, transformer
from tests.engines.workloads.importing.read_for_tests import read

ASSUMED = {"unmeasured": "datasheet"}


BOX = Document(
    "hardware", "measured-box-1-thread", 1,
    {
        "schema": "soc/1", "slug": "measured-box-1-thread", "title": "Box, 1 thread", "summary": "As agents make them.",
        "source": "made up for tests", "lineage": ["measured-box-1-thread"],
        "units": {
            "cpu": {
                "kind": "cpu", "cores": 1, "frequencies_mhz": [2000.0], "operations_per_cycle": {"fp32": 32.0},
                "power": {"idle_w": 1.0, "dynamic_w": 9.0, "exponent": 2.0},
            }
        },
        "memory": {"frequencies_mhz": [1000.0], "bytes_per_cycle": 12.0, "capacities_gib": [8.0]},
        "sources": {"units": "made up", "memory": "made up"},
    },
)  # fmt: skip


def on_the_box(workload: Document | None = None) -> Any:
    return make_problem("soc-mapping", {"hardware": BOX, "workload": workload or tiny_network()}, ASSUMED)


def test_the_network_runs_where_all_of_it_is_on_the_processor(tmp_path: Path) -> None:
    found = asked(on_the_box(), {"units": ["cpu"] * 6})
    (design,), (told,) = found["designs"], found["files"].values()
    assert [piece["share"] for piece in design["pieces"]] == [1.0] and design["rest_s"] == 0.0
    assert executed(told, tmp_path) >= 1


def test_blocks_on_other_units_are_refused() -> None:
    (design,) = asked(mapping_problem(ASSUMED, tiny_network()), {"units": ["gpu"] * 6})["designs"]
    assert (
        "the whole network on one CPU. Must be a CPU for every block. Got 'blocks on GPU' instead." in design["refused"]
    )


def test_a_batch_is_refused() -> None:
    scenario = {
        "schema": "scenario/1", "slug": "pairs", "title": "Pairs", "source": "made up for tests",
        "models": [{"network": dict(tiny_network().content), "batch": 2}],
    }  # fmt: skip
    problem = on_the_box(Document("workload", "pairs", 1, scenario))
    (design,) = asked(problem, {"units": ["cpu"] * 6})["designs"]
    assert "runs one sample" in design["refused"]


def test_an_uploaded_network_with_a_gather_runs_as_its_file(tmp_path: Path) -> None:
    own = read(transformer().SerializeToString(), dims={"length": 12})
    problem = on_the_box(Document("workload", "x", 1, own.content))
    decision = {"units": ["cpu"] * len(instance_of(problem).blocks)}
    assert "gather" in asked(problem, decision)["designs"][0]["refused"], "an upload of an older release has no copy"
    found = asked(problem, decision, copies={own.content["slug"]: own.copy})
    (told,) = found["files"].values()
    assert executed(told, tmp_path) == 1 and told["about"]["whole_numbers"] == {"//tokens": VOCABULARY}


def test_networks_that_no_file_can_be_written_of_say_why() -> None:
    problem = on_the_box(get_builtin("workload", "swin-v2-t"))
    blocks = len(instance_of(problem).blocks)
    (design,) = asked(problem, {"units": ["cpu"] * blocks})["designs"]
    assert "gather" in design["refused"]

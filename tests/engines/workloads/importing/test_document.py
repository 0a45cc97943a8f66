from __future__ import annotations

import pytest
from onnx import helper

from engines.contract.errors import ProblemError
from tests.engines.workloads.importing.onnx.onnx_models import file, weight, with_unknown
from tests.engines.workloads.importing.read_for_tests import read, treatments


def test_it_is_listed_by_name_and_count_and_stays_in_the_network() -> None:
    found = read(with_unknown())
    assert treatments(found)["unpriced"] == {"my.domain.GridThing": 2, "NonZero": 1, "MatMul (size not known)": 1}
    unpriced = [row for row in found.content["operations"] if row["kind"] == "unpriced"]
    assert [row["operator"] for row in unpriced].count("my.domain.GridThing") == 2
    assert not any(row.get("excluded") for row in unpriced)
    assert [row["name"] for row in found.content["operations"]] == ["project", "odd", "GridThing_2", "found", "after"]


def test_it_is_left_out_only_by_name() -> None:
    found = read(with_unknown(), exclude=["my.domain.GridThing", "MatMul"])
    assert treatments(found)["excluded"] == {"my.domain.GridThing": 2, "MatMul (size not known)": 1}
    assert treatments(found)["unpriced"] == {"NonZero": 1}
    with pytest.raises(ProblemError, match="GridThing"):
        read(with_unknown(), exclude=["Conv"])


def test_a_row_that_reads_the_input_beside_a_result_says_so() -> None:
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], pads=[1] * 4),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Add", ["b", "x"], ["c"]),
        helper.make_node("Conv", ["c", "w"], ["out"], pads=[1] * 4),
    ]
    rows = read(file(nodes, {"x": [1, 4, 8, 8]}, [weight("w", 4, 4, 3, 3)])).content["operations"]
    assert [row.get("reads") for row in rows] == [[], None, [-1, 1], None]


def _behind_a_plugin() -> bytes:
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], pads=[1] * 4),
        helper.make_node("Plugin", ["a"], ["b"], domain="my.domain"),
        helper.make_node("Conv", ["b", "w"], ["out"], pads=[1] * 4),
    ]
    return file(nodes, {"x": [1, 4, 8, 8]}, [weight("w", 4, 4, 3, 3)])


def test_the_sizes_behind_an_operator_without_any_are_asked_for_and_taken() -> None:
    asked = read(_behind_a_plugin()).report["open_sizes"]
    assert asked == [{"name": f"b.{axis}", "operator": "my.domain.Plugin"} for axis in range(4)]
    found = read(_behind_a_plugin(), dims={"b.0": 1, "b.1": 4, "b.2": 16, "b.3": 16})
    assert treatments(found)["unpriced"] == {"my.domain.Plugin": 1} and found.report["open_sizes"] == []
    assert found.report["macs"] == (64 + 256) * 4 * 4 * 9
    with pytest.raises(ProblemError, match=r"Conv .* of 1 × 5 × 16 × 16 and 4 × 4 × 3 × 3"):
        read(_behind_a_plugin(), dims={"b.0": 1, "b.1": 5, "b.2": 16, "b.3": 16})


def test_a_network_that_computes_nothing_is_refused() -> None:
    with pytest.raises(ProblemError, match="at least one that computes"):
        read(file([helper.make_node("Relu", ["x"], ["out"])], {"x": [4]}))

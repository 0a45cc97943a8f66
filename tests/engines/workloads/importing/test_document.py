from __future__ import annotations

import pytest
from onnx import helper

from engines.contract.errors import ProblemError
from tests.engines.workloads.importing.onnx_models import file, with_unknown
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


def test_a_network_that_computes_nothing_is_refused() -> None:
    with pytest.raises(ProblemError, match="at least one that computes"):
        read(file([helper.make_node("Relu", ["x"], ["out"])], {"x": [4]}))

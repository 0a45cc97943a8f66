"""Sizes that follow from chains of operators, branches, loops and sequences; each network is made by hand and small."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx import TensorProto

from engines.contract.errors import ProblemError
from tests.engines.workloads.importing.onnx.onnx_models import file, weight
from tests.engines.workloads.importing.onnx.walks_for_tests import node, read, unpriced

DATA = Path(__file__).parents[4] / "data"


# -- sizes that depend on the data -----------------------------------------------------------------------------------


def _chosen() -> bytes:
    """A product of the rows that are not zero: how many is not known before the data is."""
    nodes = [
        node("NonZero", "x", "places"),
        node("Transpose", "places", "rows", perm=[1, 0]),
        node("Cast", "rows", "numbers", to=TensorProto.FLOAT),
        node("MatMul", "numbers w", "out"),
        node("MatMul", "x w8", "also"),
    ]
    return file(nodes, {"x": ["batch", 8]}, [weight("w", 2, 3), weight("w8", 8, 8)])


def test_a_size_that_depends_on_the_data_is_asked_for_by_name_and_taken() -> None:
    found = read(_chosen(), dims={"batch": 4}, exclude=["NonZero"])
    assert found.report["open_sizes"] == [{"name": "places.1", "operator": "NonZero"}]
    assert unpriced(found) == ["MatMul (size not known)"]
    given = read(_chosen(), dims={"batch": 4, "places.1": 5}, exclude=["NonZero"])
    assert (given.report["macs"], unpriced(given)) == (5 * 2 * 3 + 4 * 64, [])
    assert given.report["sizes"] == {"batch": 4, "places.1": 5}


def test_a_size_that_the_network_does_not_have_is_refused_with_those_that_it_has() -> None:
    with pytest.raises(ProblemError, match=r"batch, places\.1"):
        read(_chosen(), dims={"batch": 4, "elsewhere.0": 5})


# -- files of both exporters of torch ---------------------------------------------------------------------------------

# Networks of `attention_networks`, exported with open dimensions (opset 16 and 18), without the numbers of their weights. The MACs
# are those that torch counts in the module itself at these sizes, others than at the export.
IMAGE = {"batch": 3, "height": 24, "width": 16}
EXPORTS = {
    "vision": (IMAGE, 845_952),
    "windows": (IMAGE, 1_585_152),
    "mobile-vision": (IMAGE, 5_704_704),
    "decoder": ({"batch": 3, "steps": 14, "length": 9}, 375_168),
    "grouped-queries": ({"batch": 3, "steps": 14}, 123_648),
}


@pytest.mark.parametrize("exporter", ["torchscript", "dynamo"])
@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_with_open_dimensions_is_read_whole(name: str, exporter: str) -> None:
    sizes, macs = EXPORTS[name]
    found = read((DATA / "onnx" / f"{name}-{exporter}.onnx").read_bytes(), dims=sizes)
    assert (found.report["macs"], unpriced(found), found.report["sizes"]) == (macs, [], sizes)

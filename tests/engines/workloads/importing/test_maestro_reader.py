"""Model files of MAESTRO become networks with MAESTRO's own counts."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.workloads.builtins import builtin_networks
from engines.workloads.importing.maestro_reader import read_maestro
from engines.workloads.loader import builtin_network, load_network

FILE = """
// a comment { with a brace
Constant Rows 100;
/* another
   one */
Network Mine {
  Layer CONV1 {
    Type: CONV
    Stride { X: 2, Y: 2 }
    Dimensions { K: 64, C: 3, R: 7, S: 7, Y: 224, X: 224 }
    Dataflow { SpatialMap(1,1) K; Cluster(64, P) { } TemporalMap(Sz(R),Sz(R)) Y'; }
  }
  Layer DW { Type: DSCONV Stride { X: 1, Y: 1 } Dimensions { K: 1, C: 64, R: 3, S: 3, Y: 56, X: 56 } }
  Layer UP { Type: TRCONV Dimensions { K: 8, C: 64, R: 2, S: 2, Y: 56, X: 56 } }
  Layer FC1 { Type: GEMM Dimensions { M: Rows, K: 20, N: 30 } }
  Layer HEADS { Type: BMM Dimensions { B: 4, M: 5, K: 6, N: 7 } }
  Layer GROUPS { Type: NGCONV Stride { X: 1, Y: 1 } Dimensions { G: 32, K: 4, C: 128, R: 3, S: 3, Y: 56, X: 56 } }
}
Accelerator { PE { NumPEs: 128; } Buffer { } }
"""


def read(text: str, **options: Any) -> ReadDocument:
    return read_maestro(text.encode(), "mine.m", options)


def test_layers_keep_their_dimensions_and_counts() -> None:
    found = read(FILE)
    macs = [row["macs"] for row in (vars(layer) for layer in load_network(found.content).layers)]
    assert macs == [64 * 3 * 49 * 109**2, 64 * 9 * 54**2, 8 * 64 * 4 * 55**2, 100 * 20 * 30, 4 * 5 * 6 * 7]
    assert found.content["title"] == "Mine" and "MAESTRO" in found.content["source"]
    notes = " ".join(found.report["notes"])
    assert "Dataflow" in notes and "Accelerator" in notes
    assert {"operator": "NGCONV", "treatment": "unpriced", "count": 1} in found.report["operators"]


def test_what_has_no_cost_model_may_be_left_out() -> None:
    assert read(FILE, exclude=["NGCONV"]).content["operations"][-1]["excluded"] is True
    with pytest.raises(ProblemError, match="has no cost model"):
        read(FILE, exclude=["CONV"])


def test_the_built_in_tables_come_back_from_a_file() -> None:
    """`resnet50-maestro` was made of MAESTRO's own file: written out as one again, it has the same layers."""
    network = builtin_network("resnet50-maestro")
    layers = []
    for row in builtin_networks()["resnet50-maestro"]["operations"]:
        kind = "DSCONV" if row["kind"] == "depthwise" else "CONV"
        sizes = ", ".join(f"{name.upper()}: {row[name]}" for name in ("k", "c", "r", "s", "y", "x"))
        stride = row["stride"]
        layers.append(
            f"Layer {row['name']} {{ Type: {kind} Stride {{ X: {stride}, Y: {stride} }} Dimensions {{ {sizes} }} }}"
        )
    found = load_network(read("Network again {\n" + "\n".join(layers) + "\n}").content)
    assert [layer.macs for layer in found.layers] == [layer.macs for layer in network.layers]
    assert found.weight_elements == network.weight_elements


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "a network"),
        ("Constant A x;", "line 1.*whole number"),
        ("Network A {\n Layer B {\n Stride X: 1", "line 3.*'{'"),
        ("Network A { Layer B { Type: CONV", "the end of the file"),
        ("Network A { Layer B { Dataflow {", "the end of the file"),
        ("Network A { Layer B { Type: CONV Dimensions { K: 4 } } }", r"B\.C"),
        ("Network A { Layer B { Type: CONV Dimensions { K: 0, C: 1, Y: 1, X: 1 } } }", r"B\.K"),
        ("Network A { Layer B { Type: CONV Dimensions { K: 4, C: 1, Y: 1, X: 1, R: 3 } } }", "padded input height 1"),
        ("Network A { } Network B { }", "one network"),
        ("Network A { Cake", "Layer or }"),
        ("Network A { Layer B { Type: POOL } }", "at least one that computes"),
    ],
)
def test_what_is_wrong_is_named(text: str, part: str) -> None:
    with pytest.raises(ProblemError, match=part):
        read(text)


def test_other_files_are_refused() -> None:
    with pytest.raises(ProblemError, match="UTF-8"):
        read_maestro(b"\xff", "a.m", {})
    with pytest.raises(ProblemError, match="fixes every dimension"):
        read(FILE, dims={"batch": 1})
    with pytest.raises(ProblemError, match="at most 2\u2009000\u2009000 bytes"):
        read_maestro(b" " * 2_000_001, "a.m", {})


@pytest.mark.parametrize("colon", [" ", " : ", ":"])
def test_colons_may_be_left_out_as_maestro_reads_over_them(colon: str) -> None:
    # The notation of vgg16_model.m, which mixes both.
    sizes = ",".join(
        f"{name}{colon}{size}" for name, size in {"K": "N", "C": 3, "R": 3, "S": 3, "Y": 34, "X": 34}.items()
    )
    layer = f"Layer A {{ Type{colon}CONV Stride {{ X{colon}1, Y{colon}1 }} Dimensions {{ {sizes} }} Dataflow {{ }} }}"
    text = f"Constant N 16; Network small {{ {layer} }}"
    assert (read(text).report["macs"], read(text).report["parameters"]) == (442_368, 432)

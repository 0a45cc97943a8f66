"""Lists of layers as ZigZag and Stream write them become networks; documents stay documents."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.encoding.document_text import ReadDocument, to_yaml
from engines.contract.errors import ProblemError
from engines.workloads.importing.zigzag_reader import read_document
from engines.workloads.loader import load_network
from tests.hardware.zigzag_for_tests import OLDER

FILE = """# a network
- id: 0 # stem, stride 2
  operator_type: Conv
  equation: O[b][k][oy][ox]+=W[k][c][fy][fx]*I[b][c][iy][ix]
  dimension_relations: [ix=2*ox+1*fx, iy=2*oy+1*fy]
  loop_dims: [B, K, C, OY, OX, FY, FX]
  loop_sizes: [1, 64, 3, 112, 112, 7, 7]
  operand_precision: {W: 8, I: 8, O: 16, O_final: 8}
  operand_source: {I: 0, W: 0}
- id: 1
  operator_type: Pooling
  equation: O[b][g][oy][ox]+=W[fx][fy]*I[b][g][iy][ix]
  dimension_relations: [ix=2*ox+1*fx, iy=2*oy+1*fy]
  loop_dims: [B, G, OY, OX, FX, FY]
  loop_sizes: [1, 64, 56, 56, 3, 3]
  operand_precision: {W: 8}
- id: 2
  name: depthwise
  operator_type: Conv
  equation: O[b][g][oy][ox]+=W[g][fy][fx]*I[b][g][iy][ix]
  dimension_relations: [ix=1*ox+2*fx, iy=1*oy+2*fy]
  loop_dims: [B, G, OY, OX, FY, FX]
  loop_sizes: [1, 64, 52, 52, 3, 3]
- id: 3
  operator_type: Add
  equation: O[b][g][oy][ox]=W[b][g][oy][ox]+I[b][g][oy][ox]
  loop_dims: [B, G, OY, OX]
  loop_sizes: [1, 64, 52, 52]
  operand_source: {W: 1, I: 2}
- id: 4
  operator_type: Gemm
  equation: O[b][k]+=W[k][c]*I[b][c]
  loop_dims: [B, K, C]
  loop_sizes: [5, 1000, 512]
  operand_source: {I: 3, W: 4}
- id: 5
  operator_type: MatMul
  equation: O[h][a][b]+=I[h][a][c]*W[h][c][b]
  loop_dims: [H, A, B, C]
  loop_sizes: [4, 5, 6, 7]
  operand_source: {I: 4, W: 3}
- id: 6
  operator_type: Strange
  equation: O[a]+=I[a][a]*W[b]
  loop_dims: [A, B]
  loop_sizes: [4, 5]
"""


def read(text: str, **options: Any) -> ReadDocument:
    return read_document(text.encode(), "folder/my-net.yaml", options)


def test_equations_say_what_a_layer_computes() -> None:
    found = read(FILE)
    assert [row["kind"] for row in found.content["operations"]] == [
        "conv", "pool", "depthwise", "eltwise", "gemm", "matmul", "unpriced",
    ]  # fmt: skip
    macs = [layer.macs for layer in load_network(found.content).layers]
    assert macs == [64 * 3 * 49 * 112**2, 64 * 9 * 52**2, 5 * 1000 * 512, 4 * 5 * 6 * 7]
    assert found.report["parameters"] == 64 * 3 * 49 + 64 * 9 + 512_000
    assert found.content["slug"] == "my-net"
    assert {"operator": "Strange", "treatment": "unpriced", "count": 1} in found.report["operators"]
    assert any("operand_precision of 2 layers" in note for note in found.report["notes"])


@pytest.mark.parametrize(
    ("out", "weight", "read_", "kind", "channels"),
    [
        ("k", "k][c", "c", "conv", (4, 3, 1)),
        ("c", "c", "c", "depthwise", (3, 3, 3)),  # no weight sums over channels, whatever the index is called
        ("k", "k", "k", "depthwise", (4, 4, 4)),
        ("g][k", "g][k][c", "g][c", "conv", (8, 6, 2)),
        ("g][k", "k][c", "g][c", "conv", (4, 3, 1)),  # the same weights for every g
        ("k", "k", "c", "unpriced", (1, 1, 1)),
    ],
)
def test_which_operands_have_an_index_says_what_a_channel_is(
    out: str, weight: str, read_: str, kind: str, channels: tuple[int, int, int]
) -> None:
    text = (
        f"- equation: O[b][{out}][oy][ox]+=W[{weight}][fy][fx]*I[b][{read_}][iy][ix]\n"
        "  dimension_relations: [ix=1*ox+1*fx, iy=1*oy+1*fy]\n"
        "  loop_dims: [B, G, K, C, OY, OX, FY, FX]\n  loop_sizes: [1, 2, 4, 3, 5, 5, 3, 3]\n"
    )
    other = "- equation: O[b][k]+=W[k][c]*I[b][c]\n  loop_dims: [B, K, C]\n  loop_sizes: [1, 1, 1]\n"
    found = read(text + other)
    row, network = found.content["operations"][0], load_network(found.content)
    assert row["kind"] == kind
    assert (row.get("k", 1), row.get("c", 1), row.get("groups", 1)) == channels
    if kind != "unpriced":
        sizes = {"g": 2, "k": 4, "c": 3}
        loops = 1
        for index in set(f"{out}{weight}{read_}") & set(sizes):
            loops *= sizes[index]
        assert network.layers[0].macs == loops * 25 * 9


def test_title_and_exclusions_are_said_beside_the_file() -> None:
    found = read(FILE, name="Mine", exclude=["Strange"])
    assert found.content["title"] == "Mine" and found.content["operations"][-1]["excluded"] is True
    with pytest.raises(ProblemError, match="no cost model"):
        read(FILE, exclude=["Conv"])


def test_a_document_is_a_document() -> None:
    text = "---\nschema: network/1\nslug: mine\n"
    assert read(text).content == {"schema": "network/1", "slug": "mine"}
    with pytest.raises(ProblemError, match="the document itself says it"):
        read(text, dims={"clock_mhz": 1})
    assert read(text, name="My 2nd").content == {"schema": "network/1", "slug": "my-2nd", "title": "My 2nd"}


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("- 1\n", 1, "a mapping"),
        ("- loop_dims: [B]\n  loop_sizes: [0]\n", 2, "at least 1"),
        ("- loop_dims: [B]\n  loop_sizes: [1, 2]\n", 2, "a list of 1"),
        ("- loop_dims: 5\n", 1, "names of loops"),
        ("- loop_dims: [B]\n  loop_sizes: [1]\n  equation: x\n", 3, "O, I and W"),
        ("- loop_dims: [B]\n  loop_sizes: [1]\n", 1, "O, I and W"),
        ("- a: 1\n  a: 2\n", 2, "appears twice"),
        ("- a: &x 1\n- *x\n", 2, "without anchors"),
        ("- [\n", 2, "YAML"),
    ],
)
def test_what_is_wrong_is_named(text: str, line: int | None, part: str) -> None:
    with pytest.raises(ProblemError, match=part) as caught:
        read(text)
    assert caught.value.line == line


def test_an_accelerator_asks_for_clock_and_node_and_becomes_a_package() -> None:
    data = to_yaml(OLDER).encode()
    with pytest.raises(ProblemError) as caught:
        read_document(data, "acc.yaml", {"dims": {"clock_mhz": 200}})
    assert (caught.value.field, caught.value.got) == ("dims", {"process_node_nm": None})
    read = read_document(data, "acc.yaml", {"name": "Mine", "dims": {"clock_mhz": 200, "process_node_nm": 28}})
    assert (read.content["slug"], read.content["clock_mhz"]) == ("mine", 200.0)
    assert read.report["format"] == "ZigZag hardware" and read.report["notes"]


def test_what_is_wrong_with_an_accelerator_is_told_by_line_before_anything_is_asked_for() -> None:
    text = to_yaml(OLDER).replace("unit_energy: 0.5", "unit_energy: none")
    with pytest.raises(ProblemError) as caught:
        read_document(text.encode(), "acc.yaml", {})
    assert caught.value.field == "operational_array.unit_energy"
    assert text.splitlines()[(caught.value.line or 0) - 1].strip() == "unit_energy: none"
    for given, field in (({"dims": {"batch": 2}}, "dims"), ({"exclude": ["Pool"]}, "exclude")):
        with pytest.raises(ProblemError) as caught:
            read_document(to_yaml(OLDER).encode(), "acc.yaml", given)
        assert caught.value.field == field


@pytest.mark.parametrize(
    "more", ["core_connectivity:\n  - 0, 1\n", "offchip_core: ./dram.yaml\n", "unit_energy_cost: 0\n"]
)
@pytest.mark.parametrize("key", ["0", '"0"', "left"])
def test_systems_of_stream_are_refused_by_name_whatever_their_keys(key: str, more: str) -> None:
    text = f"name: two\ncores:\n  {key}: ./left.yaml\n{more}"
    with pytest.raises(ProblemError, match="import each core by itself") as refused:
        read_document(text.encode(), "two.yaml", {})
    assert (refused.value.field, refused.value.got, refused.value.line) == ("cores", "a system of Stream", 2)


def test_whole_numbers_as_keys_are_refused_in_any_other_document() -> None:
    with pytest.raises(ProblemError, match="keys are text"):
        read_document(b"cores:\n  0: left\n", "two.yaml", {})

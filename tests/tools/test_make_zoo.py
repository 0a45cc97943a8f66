"""The tool that rebuilds the tables of the built-in networks."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from engines.workloads.tables import read_table
from tools import make_zoo

HEADER = make_zoo.HEADER + "\n"
XRBENCH = (
    "idx,layer,type,N,K,C,R,S,Y,X,stride,groups,OY,OX,in_shape,out_shape,macs,weight_elems,weight_bytes_int8,"
    "in_bytes_int8,out_bytes_int8,macs_dense_stride1_as_published,weight_elems_dense_as_published,inferred\n"
)
FIRST = "0,a,conv,1,64,3,3,3,512,512,1,1,1,512,512,1x3x512x512,1x64x512x512,452984832,1728,1728,786432,16777216,0,\n"
SECOND = "1,b,conv,1,2,64,1,1,512,512,1,0,1,512,512,1x64x512x512,1x2x512x512,33554432,130,130,16777216,524288,0,\n"


def rewritten(tmp_path: Path, slug: str, text: str) -> list[dict[str, object]]:
    """The rows of the shipped table, as the catalogue reads them."""
    path = tmp_path / f"{slug}.csv"
    path.write_text(make_zoo.table_text(slug, text), encoding="utf-8")
    return read_table(path)


def test_a_table_without_corrections_is_copied_and_says_what_its_rows_read() -> None:
    lines = make_zoo.table_text("resnet50", HEADER + FIRST + SECOND).splitlines()
    assert lines == [HEADER.strip() + ",reads", FIRST.strip() + ",input", SECOND.strip() + ","]


@pytest.mark.parametrize("slug", make_zoo.TABLES)
def test_the_shipped_tables_read_what_the_definitions_say(slug: str) -> None:
    lines = (make_zoo.NETWORKS / f"{slug}.csv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines))
    told = [row["reads"] for row in rows]
    assert make_zoo.reads_cells(slug, rows) == told


def test_only_the_first_convolution_is_rewritten_for_one_channel() -> None:
    rows = make_zoo.table_text("unet-512", HEADER + FIRST + SECOND).splitlines(keepends=True)
    assert rows[0] == HEADER.strip() + ",reads\n" and rows[2] == SECOND.strip() + ",\n"
    assert rows[1].startswith(
        "0,a,conv,1,64,1,3,3,512,512,1,1,1,512,512,1x1x512x512,1x64x512x512,150994944,576,576,262144,"
    )


def test_a_product_with_a_sliced_weight_becomes_a_linear_layer_with_its_bias(tmp_path: Path) -> None:
    product = "0,b.ffn.fc2:matmul,matmul,1,32,128,1,1,49,1,1,0,1,49,1,,,200704,0,0,10368,1568,0,act x act\n"
    bias = '1,b.ffn.fc2:eltwise,eltwise,,,,,,,,,,,,,"1x49x32,32",1x49x32,0,0,0,1600,1568,1568,add\n'
    residual = '2,b:eltwise,eltwise,,,,,,,,,,,,,"1x49x32,1x49x32",1x49x32,0,0,0,3136,1568,1568,add\n'
    linear, added, sum_ = rewritten(tmp_path, "hrvit-b1", HEADER + product + bias + residual)
    assert (linear["kind"], linear["weight_elements"], linear["input_elements"]) == ("gemm", 128 * 32, 49 * 128)
    assert (added["weight_elements"], sum_["weight_elements"]) == (32, 0)


def test_learnt_positions_are_parameters_of_their_addition(tmp_path: Path) -> None:
    stem = '0,root:eltwise,eltwise,,,,,,,,,,,,,"1x8x4x4,1x8x4x4",1x8x4x4,0,0,0,256,128,128,add\n'
    bias = '1,g.knn:eltwise4,eltwise,,,,,,,,,,,,,"1x16x1,1x16x4",1x16x4,0,0,0,80,64,64,add\n'
    relative = '2,g.knn:eltwise6,eltwise,,,,,,,,,,,,,"1x16x4,1x16x4",1x16x4,0,0,0,128,64,64,add\n'
    residual = '3,b.0:eltwise,eltwise,,,,,,,,,,,,,"1x8x4x4,1x8x4x4",1x8x4x4,0,0,0,256,128,128,add\n'
    rows = rewritten(tmp_path, "pvig-s", HEADER + stem + bias + relative + residual)
    assert [row["weight_elements"] for row in rows] == [128, 0, 64, 0]


def test_what_the_next_layer_reads_comes_last(tmp_path: Path) -> None:
    nodes = '0,g.knn:eltwise,eltwise,,,,,,,,,,,,,"1x8x16x1,1x8x16x1",1x8x16x1,0,0,0,256,128,128,div\n'
    pooled = '1,g.knn:eltwise1,eltwise,,,,,,,,,,,,,"1x8x4x1,1x8x4x1",1x8x4x1,0,0,0,64,32,32,div\n'
    rows = rewritten(tmp_path, "pvig-m", HEADER + nodes + pooled)
    assert [row["output_elements"] for row in rows] == [32, 128]


def test_a_shortcut_stands_after_the_main_branch(tmp_path: Path) -> None:
    names = (
        "blocks.1.shortcut",
        "blocks.1.shortcut.conv",
        "blocks.1.mobile_inverted_conv.a",
        "blocks.1.mobile_inverted_conv.b",
        "blocks.1:eltwise",
        "blocks.2.a",
    )
    text = "".join(f"{n},{name},act,,,,,,,,,,,,,1x8,1x8,0,0,0,8,8,8,relu\n" for n, name in enumerate(names))
    rows = rewritten(tmp_path, "attentivenas-a0", HEADER + text)
    assert [row["name"] for row in rows] == [names[n] for n in (2, 3, 0, 1, 4, 5)]
    assert [row.get("reads") for row in rows] == [[], None, [], None, [1, 3], None]


def test_xrbench_gets_its_padding_and_its_pooling_from_the_sizes(tmp_path: Path) -> None:
    rows = (
        "0,c1,conv,1,4,3,7,7,16,16,2,1,8,8,1x3x16x16,1x4x8x8,37632,588,588,768,256,0,0,stride2+pool2\n"
        "1,c2,conv,1,4,4,4,4,4,4,1,1,4,4,1x4x4x4,1x4x4x4,4096,256,256,64,64,0,0,\n"
        "2,f1,gemm,1,5,64,1,1,1,1,1,1,1,1,1x64x1x1,1x5x1x1,320,320,320,64,5,0,0,\n"
    )
    first, pool, even, linear = rewritten(tmp_path, "ed-tcn-xrbench", XRBENCH + rows)
    assert (first["pad"], even["pad"], linear["pad"]) == (3, [1, 2, 1, 2], 0)
    assert (pool["kind"], pool["input_elements"], pool["output_elements"]) == ("pool", 256, 64)


def test_it_writes_every_table_so_that_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "networks"
    target.mkdir()
    monkeypatch.setattr(make_zoo, "NETWORKS", target)
    # Lists whose definition is walked along have rows of their own.
    monkeypatch.setattr(
        make_zoo, "TABLES", {slug: make_zoo.TABLES[slug] for slug in ("unet-512", "vgg16", "ed-tcn-xrbench")}
    )
    for slug, source in make_zoo.TABLES.items():
        (tmp_path / source).parent.mkdir(parents=True, exist_ok=True)
        row = "0,f,gemm,1,5,64,1,1,1,1,1,1,1,1,,,320,320,320,64,5,0,0,\n"
        text = XRBENCH + row if slug.endswith("-xrbench") else HEADER + FIRST
        (tmp_path / source).write_text(text, encoding="utf-8")
    make_zoo.main(tmp_path)
    tables = {path.stem: read_table(path) for path in target.glob("*.csv")}
    assert set(tables) == set(make_zoo.TABLES)
    assert {slug for slug, rows in tables.items() if rows[0]["c"] == 1} == {"unet-512"}

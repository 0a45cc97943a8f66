"""Tables of operations."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.workloads.errors import WorkloadError
from engines.workloads.tables import read_table

TRACED = (
    "idx,layer,type,N,K,C,R,S,Y,X,stride,pad,groups,OY,OX,in_shape,out_shape,"
    "macs,weight_elems,weight_bytes_int8,in_bytes_int8,out_bytes_int8,other_ops,note\n"
)
MAESTRO = "layer_idx,layer,type,depthwise,groups,K,C,R,S,Y,X,stride_x,stride_y,macs_true\n"


def table(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "net.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_traced_convolution_and_what_follows(tmp_path: Path) -> None:
    text = TRACED + (
        "0,c,conv,1,128,128,1,7,17,17,1,0x3,1,17,17,1x128x17x17,1x128x17x17,33144832,114688,114688,36992,36992,0,\n"
        "1,a,act,,,,,,,,,,,,,1x128x17x17,1x128x17x17,0,0,0,36992,36992,36992,relu\n"
        "2,p,pool,1,128,128,3,3,17,17,2,,,8,8,1x128x17x17,1x128x8x8,0,0,0,36992,8192,36992,max\n"
    )
    convolution, activation, pool = read_table(table(tmp_path, text))
    assert convolution["pad"] == [0, 3]
    assert (convolution["kind"], convolution["macs"], convolution["weight_elements"]) == ("conv", 33144832, 114688)
    assert activation == {
        "name": "a",
        "kind": "activation",
        "weight_elements": 0,
        "input_elements": 36992,
        "output_elements": 36992,
    }
    assert "k" not in pool and pool["output_elements"] == 8192


def test_the_batch_of_a_product_is_its_repeats(tmp_path: Path) -> None:
    row = "9,m,matmul,12,128,64,1,1,128,1,1,0,1,128,1,12x128x64@12x64x128,12x128x128,12582912,0,0,196608,196608,0,\n"
    (product,) = read_table(table(tmp_path, TRACED + row))
    assert (product["kind"], product["repeats"]) == ("matmul", 12)


def test_maestros_rows_are_layers_without_padding(tmp_path: Path) -> None:
    text = (
        MAESTRO + "4,res,DSCONV,1,256,1,256,1,1,56,56,1,1,802816\n10,up,TRCONV,0,1,512,1024,2,2,28,28,1,1,1528823808\n"
    )
    residual, up = read_table(table(tmp_path, text))
    assert (residual["kind"], residual["k"], residual["c"], residual["groups"]) == ("depthwise", 256, 256, 256)
    assert (up["kind"], up["r"], up["stride"]) == ("conv", 2, 1)
    assert "pad" not in up


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("a,b\n1,2\n", "columns", 1),
        ("", "columns", 1),
        (TRACED + "0,x,lstm,,,,,,,,,,,,,,,0,0,0,1,1,0,\n", "type", 2),
        (TRACED + "0,x,conv,1,?,1,1,1,1,1,1,0,1,1,1,,,1,1,1,1,1,0,\n", "x", 2),
        (MAESTRO + "0,x,CONV,0,1,1,1,1,1,4,4,1,2,16\n", "x", 2),
    ],
)
def test_a_table_that_cannot_be_read_says_where(tmp_path: Path, text: str, key: str, line: int) -> None:
    with pytest.raises(WorkloadError) as caught:
        read_table(table(tmp_path, text))
    assert (caught.value.key, caught.value.file, caught.value.line) == (key, "net.csv", line)

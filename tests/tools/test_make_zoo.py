"""The tool that rebuilds the tables of the built-in networks."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.workloads.tables import read_table
from tools import make_zoo

HEADER = (
    "idx,layer,type,N,K,C,R,S,Y,X,stride,pad,groups,OY,OX,in_shape,out_shape,"
    "macs,weight_elems,weight_bytes_int8,in_bytes_int8,out_bytes_int8,other_ops,note\n"
)
FIRST = "0,a,conv,1,64,3,3,3,512,512,1,1,1,512,512,1x3x512x512,1x64x512x512,452984832,1728,1728,786432,16777216,0,\n"
SECOND = "1,b,conv,1,2,64,1,1,512,512,1,0,1,512,512,1x64x512x512,1x2x512x512,33554432,130,130,16777216,524288,0,\n"


def test_only_the_first_convolution_is_rewritten_for_one_channel() -> None:
    rows = make_zoo.with_one_input_channel(HEADER + FIRST + SECOND).splitlines(keepends=True)
    assert rows[0] == HEADER and rows[2] == SECOND
    assert rows[1].startswith(
        "0,a,conv,1,64,1,3,3,512,512,1,1,1,512,512,1x1x512x512,1x64x512x512,150994944,576,576,262144,"
    )


def test_it_writes_every_table_so_that_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "networks"
    target.mkdir()
    monkeypatch.setattr(make_zoo, "NETWORKS", target)
    for source in make_zoo.TABLES.values():
        (tmp_path / source).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / source).write_text(HEADER + FIRST, encoding="utf-8")
    make_zoo.main(tmp_path)
    tables = {path.stem: read_table(path) for path in target.glob("*.csv")}
    assert set(tables) == set(make_zoo.TABLES)
    assert {slug for slug, rows in tables.items() if rows[0]["c"] == 1} == {"unet-512"}

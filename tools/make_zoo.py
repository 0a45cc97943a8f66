"""Rebuilds the tables of the built-in networks from a folder of reference data.

    python tools/make_zoo.py REFERENCE_FOLDER

Traced tables and MAESTRO's own are copied as they are, but for what `CORRECTIONS` names; each corrected row says so in `note`.
XRBench's tables (`-xrbench`) have neither padding nor pooling: both follow from the sizes of a row and of the row after it.
A last column says what every row reads (`zoo_graphs`): numbers of rows, "input", or nothing where it is the row before.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.workloads.network import INPUT
from tools.zoo_graphs import table_reads

TABLES = {
    "gpt2-large-128": "models/gpt2_large_sl128.csv",
    "bert-large-128": "models/bert_large_sl128.csv",
    "bert-base-128": "models/bert_base_sl128.csv",
    "resnet50": "models/resnet50.csv",
    "googlenet": "models/googlenet.csv",
    "unet-512": "models/unet_512.csv",
    "resnet50-maestro": "workloads/schedulable/resnet50_maestro_66.csv",
    "unet-maestro": "workloads/schedulable/unet_maestro_23.csv",
    "midas-small-192x256": "models/midas_v21_small_192x256.csv",
    "emformer-128": "models/emformer_em24l_128f.csv",
    "hrvit-b1": "models/hrvit_b1_224.csv",
    "fbnet-c-160x100": "models/fbnetc_100_160x100.csv",
    "sparse-to-dense": "models/sparse_to_dense_r18_228x912.csv",
    "d2go-xrbench": "models/xrbench_OD_D2go_FasterRCNN.csv",
    "plane-rcnn-xrbench": "models/xrbench_PD_Plane_RCNN_Quarter.csv",
    "hand-graph-cnn-xrbench": "models/xrbench_HT_hand_graph_cnn_half.csv",
    "bert-large-384": "models/bert_large_sl384.csv",
    "inception-v3": "models/inception_v3.csv",
    "mobilenet-v2": "models/mobilenet_v2.csv",
    "vgg16": "models/vgg16.csv",
    "vgg19": "models/vgg19.csv",
    "visformer-tiny": "models/visformer_tiny.csv",
    "visformer-small": "models/visformer_small.csv",
    "vig-ti": "models/vig_ti.csv",
    "vig-s": "models/vig_s.csv",
    "vig-b": "models/vig_b.csv",
    "pvig-s": "models/pvig_s.csv",
    "pvig-m": "models/pvig_m.csv",
    # The smallest network of the space is a0: `attentivenas-min` names this table too.
    **{
        f"attentivenas-{name}": f"models/attentivenas_{name}.csv" for name in ("a0", "a1", "a2", "a3", "a4", "a5", "a6")
    },
    "attentivenas-max": "models/attentivenas_max.csv",
    "fbnet-c-224": "models/fbnetc_100_224.csv",
    "midas-small-256": "models/midas_v21_small_256.csv",
    "ritnet-xrbench": "models/xrbench_ES_RITNet.csv",
    "res8-narrow-xrbench": "models/xrbench_KD_res8_narrow.csv",
    "ed-tcn-xrbench": "models/xrbench_AS_ED_TCN.csv",
    "emformer-xrbench": "models/xrbench_ASR_EM_24L.csv",
    "fbnet-c-xrbench": "models/xrbench_GE_FBNet_C.csv",
    "hrvit-b1-xrbench": "models/xrbench_SS_HRViT_b1.csv",
    "midas-small-xrbench": "models/xrbench_DE_midas_v21_small.csv",
    "sparse-to-dense-xrbench": "models/xrbench_DR_RGBd_200.csv",
}
NETWORKS = Path(__file__).parents[1] / "engines" / "workloads" / "zoo" / "networks"
# Columns of a traced table, in which XRBench's are written too.
HEADER = (
    "idx,layer,type,N,K,C,R,S,Y,X,stride,pad,groups,OY,OX,in_shape,out_shape,"
    "macs,weight_elems,weight_bytes_int8,in_bytes_int8,out_bytes_int8,other_ops,note"
)

Row = dict[str, str]
Correction = Callable[[list[Row]], None]


def with_one_input_channel(rows: list[Row]) -> None:
    """U-Net is traced for three input channels; the study schedules 512x512x1 (odema-2024 Table 4.2)."""
    first = rows[0]
    for name in ("C", "macs", "weight_elems", "weight_bytes_int8", "in_bytes_int8"):
        first[name] = str(int(first[name]) // 3)
    first["in_shape"] = "1x1x512x512"
    first["note"] = "one input channel instead of three"


def with_linear_weights(rows: list[Row]) -> None:
    """HRViT writes `ffn.fc2` as a product of the activations with a sliced weight: it is a linear layer with weights."""
    for row in rows:
        if row["layer"].endswith("ffn.fc2:matmul"):
            weights, inputs = int(row["K"]) * int(row["C"]), int(row["Y"]) * int(row["C"])
            row.update(type="gemm", in_bytes_int8=str(inputs), note="product with a weight: a linear layer")
            _set_weights(row, weights)


def with_biases(rows: list[Row]) -> None:
    """A bias added in a row of its own (`1x196x128,128`) is a parameter of that row."""
    for row in rows:
        shapes = row["in_shape"].split(",")
        if row["type"] == "eltwise" and row["note"] == "add" and len(shapes) == 2 and shapes[1].isdigit():
            _set_weights(row, int(shapes[1]))
            row["note"] = "adds a bias"


def with_positions(pattern: str) -> Correction:
    """Return the additions of that name add learnt positions, one parameter per element they give out."""

    def correct(rows: list[Row]) -> None:
        for row in rows:
            first, _, second = row["in_shape"].partition(",")
            if row["note"] == "add" and first == second and re.fullmatch(pattern, row["layer"]):
                _set_weights(row, int(row["out_bytes_int8"]))
                row["note"] = "adds learnt positions"

    return correct


def with_main_branch_first(rows: list[Row]) -> None:
    """AttentiveNAS runs a shortcut's pooling before the main branch, which still needs what is pooled: main branch first."""
    ordered: list[Row] = []
    shortcut: list[Row] = []
    for row in rows:
        block = row["layer"].partition(".shortcut")[0]
        if block != row["layer"]:
            shortcut.append(row)
            continue
        if shortcut and row["layer"].startswith(f"{shortcut[0]['layer'].partition('.shortcut')[0]}:"):
            ordered += shortcut
            shortcut = []
        ordered.append(row)
    rows[:] = ordered


def with_nodes_last(rows: list[Row]) -> None:
    """Pyramid ViG normalises the nodes, then the pooled ones; the product reads both, so what is larger comes last."""
    for position, (row, following) in enumerate(pairwise(rows)):
        nodes, pooled = int(row["out_bytes_int8"]), int(following["out_bytes_int8"])
        if row["note"] == following["note"] == "div" and nodes > pooled:
            rows[position : position + 2] = [following, row]


CORRECTIONS: dict[str, tuple[Correction, ...]] = {
    "unet-512": (with_one_input_channel,),
    "hrvit-b1": (with_linear_weights, with_biases),
    **{slug: (with_biases, with_main_branch_first) for slug in TABLES if slug.startswith("attentivenas-")},
    **{slug: (with_positions(r"root:eltwise"),) for slug in ("vig-ti", "vig-s", "vig-b")},
    # Pyramid ViG also adds relative positions to the distances between nodes.
    **{slug: (with_positions(r"root:eltwise|.+:eltwise\d"), with_nodes_last) for slug in ("pvig-s", "pvig-m")},
    **{slug: (with_positions(r"root:eltwise[12]?"),) for slug in ("visformer-tiny", "visformer-small")},
}


def xrbench_rows(rows: list[Row]) -> Iterator[Row]:
    """Yield the rows with their padding, and a row for each pooling that the size of the next row tells of."""
    for row, following in pairwise([*rows, rows[-1]]):
        note = row["inferred"]
        yield {**row, "pad": _padding(row), "other_ops": "0", "note": f"inferred: {note}" if note else ""}
        if "pool2" in note:
            outputs = following["in_bytes_int8"]
            pool = {"layer": f"{row['layer']}:pool", "type": "pool", "macs": "0", "weight_elems": "0"}
            shapes = {"in_shape": row["out_shape"], "out_shape": following["in_shape"], "weight_bytes_int8": "0"}
            sizes = {"in_bytes_int8": row["out_bytes_int8"], "out_bytes_int8": outputs, "note": "inferred: pool2"}
            yield {**pool, **shapes, **sizes, "other_ops": row["out_bytes_int8"]}


def _padding(row: Row) -> str:
    """Return one number, two (height and width) or four (top, bottom, left, right): what the output size needs."""
    if row["type"] == "gemm":
        return "0"
    sides: list[tuple[int, int]] = []
    for size, kernel, output in (("Y", "R", "OY"), ("X", "S", "OX")):
        symmetric = (int(row[kernel]) - 1) // 2
        reached = (int(row[size]) + 2 * symmetric - int(row[kernel])) // int(row["stride"]) + 1
        # Even kernels (transposed convolutions in XRBench's spelling) keep the size with one zero more at the far side.
        sides.append((symmetric, symmetric + int(row[output]) - reached))
    (top, bottom), (left, right) = sides
    if (top, left) != (bottom, right):
        return f"{top}x{bottom}x{left}x{right}"
    return str(top) if top == left else f"{top}x{left}"


def _set_weights(row: Row, count: int) -> None:
    row["weight_elems"] = row["weight_bytes_int8"] = str(count)


def table_text(slug: str, text: str) -> str:
    """Return the shipped table of a network, out of its reference table."""
    header, *lines = _corrected(slug, text).splitlines()
    cells = reads_cells(slug, list(csv.DictReader([header, *lines])))
    return "".join(f"{line},{cell}\n" for line, cell in zip((header, *lines), ("reads", *cells), strict=True))


def reads_cells(slug: str, rows: list[Row]) -> list[str]:
    """Return the last column of a table: what every row reads."""
    reads = table_reads(slug, rows)
    return [
        ""
        if number and each == [number - 1]
        else " ".join("input" if row == INPUT else str(row) for row in each) or "input"
        for number, each in enumerate(reads)
    ]


def _corrected(slug: str, text: str) -> str:
    """Return the table with its corrections, without what its rows read."""
    if slug not in CORRECTIONS and not slug.endswith("-xrbench"):
        return text
    rows = list(csv.DictReader(text.splitlines()))
    if slug.endswith("-xrbench"):
        rows = [{**row, "idx": str(index)} for index, row in enumerate(xrbench_rows(rows))]
    for correct in CORRECTIONS.get(slug, ()):
        correct(rows)
    columns = HEADER.split(",")
    lines = ([row.get(name, "") for name in columns] for row in rows)
    return "".join(",".join(map(_quoted, line)) + "\n" for line in (columns, *lines))


def _quoted(value: str) -> str:
    return f'"{value}"' if "," in value else value


def main(reference: Path) -> None:
    """Write every table."""
    for slug, source in TABLES.items():
        text = (reference / source).read_text(encoding="utf-8").replace("\r\n", "\n")
        (NETWORKS / f"{slug}.csv").write_text(table_text(slug, text), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))

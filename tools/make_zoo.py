"""Rebuilds the tables of the built-in networks from a folder of reference data.

    python tools/make_zoo.py REFERENCE_FOLDER

Tables are copied as they are, but for U-Net: the reference traces it for three input channels, the study schedules 512x512x1
(odema-2024 Table 4.2), so its first convolution is rewritten for one.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

TABLES = {
    "gpt2-large-128": "models/gpt2_large_sl128.csv",
    "bert-large-128": "models/bert_large_sl128.csv",
    "bert-base-128": "models/bert_base_sl128.csv",
    "resnet50": "models/resnet50.csv",
    "googlenet": "models/googlenet.csv",
    "unet-512": "models/unet_512.csv",
    "resnet50-maestro": "workloads/schedulable/resnet50_maestro_66.csv",
    "unet-maestro": "workloads/schedulable/unet_maestro_23.csv",
}
NETWORKS = Path(__file__).parents[1] / "engines" / "workloads" / "zoo" / "networks"


def with_one_input_channel(text: str) -> str:
    """The table with the first row's three input channels made one."""
    rows = list(csv.reader(text.splitlines()))
    columns = {name: position for position, name in enumerate(rows[0])}
    first = rows[1]
    for name in ("C", "macs", "weight_elems", "weight_bytes_int8", "in_bytes_int8"):
        first[columns[name]] = str(int(first[columns[name]]) // 3)
    first[columns["in_shape"]] = "1x1x512x512"
    first[columns["note"]] = "one input channel instead of three"
    return "".join(",".join(row) + "\n" for row in rows)


def main(reference: Path) -> None:
    """Write every table."""
    for slug, source in TABLES.items():
        text = (reference / source).read_text(encoding="utf-8").replace("\r\n", "\n")
        (NETWORKS / f"{slug}.csv").write_text(
            with_one_input_channel(text) if slug == "unet-512" else text, encoding="utf-8"
        )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))

from __future__ import annotations

import json
from typing import Any

from engines.contract.designs import canonical_json
from engines.contract.encoding.document_text import ReadDocument
from engines.cost.calibration.reader import read_calibration
from engines.workloads.builtins import builtin_networks
from hardware.soc.loader import builtin_socs

HEAD = "layer,unit,latency_ms\n"


ABOUT = {"slug": "mine", "title": "Mine", "author": "ann", "source": "own measurement, run.csv"}


def network(slug: str) -> Any:
    return json.loads(canonical_json(builtin_networks()[slug]))


def read(text: str | bytes, log: bytes = b"", **said: Any) -> ReadDocument:
    data = text if isinstance(text, bytes) else text.encode()
    workload = said.get("workload", "vgg19")
    options = {
        "measurement_bytes": len(data), "soc": builtin_socs()["jetson-agx-xavier"], "about": ABOUT, "workload": workload,
        "networks": {workload: network(workload)} if workload else {}, "unit": "", "clocks_mhz": {}, "rails": [],
        "prior": None, "scales": None,
    }  # fmt: skip
    return read_calibration(data + log, "run.csv", {**options, **said})

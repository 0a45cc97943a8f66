from __future__ import annotations

import json
from typing import Any

from hardware.calibration.loader import builtin_calibrations

CONTENT = {**builtin_calibrations()["tx2-hadas"], "slug": "mine", "title": "Mine"}


REPORT = {
    "lines": 3, "notes": ["are the latencies in milliseconds?"], "rails_w": {}, "clocks_mhz": {},
    "unmatched": [{"line": 4, "name": "Reformat", "latency_ms": 0.2, "folded": False, "nearest": "conv1"}],
}  # fmt: skip


ANSWER = {"status": 200, "file": "run.csv", "body": {"reference": None, "report": REPORT, "content": CONTENT}}


def words(component: Any) -> str:
    return json.dumps(component, default=lambda each: getattr(each, "to_plotly_json", lambda: str(each))())

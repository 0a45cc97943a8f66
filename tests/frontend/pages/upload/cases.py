from __future__ import annotations

REPORT = {
    "format": "ONNX, opset 17", "nodes": 4, "layers": 2, "macs": 5_000_000, "parameters": 1_200,
    "notes": ["Weights lie elsewhere."],
    "operators": [
        {"operator": "NonZero", "treatment": "unpriced", "count": 2}, {"operator": "Conv", "treatment": "computed", "count": 2},
    ],
}  # fmt: skip


BODY = {
    "kind": "workload", "schema": "network/1", "slug": "net", "version": 3, "project": "lab", "title": "Net",
    "summary": "2 layers", "created": True,
    "report": REPORT,
}  # fmt: skip

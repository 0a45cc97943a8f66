from __future__ import annotations

from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from tests.engines.workloads.importing.onnx.onnx_models import file


def read(data: bytes, **options: Any) -> ReadDocument:
    return read_onnx(data, "my net.onnx", options)


def treatments(read: ReadDocument) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for row in read.report["operators"]:
        found.setdefault(row["treatment"], {})[row["operator"]] = row["count"]
    return found


def rows(*arguments: Any, **keywords: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read(file(*arguments, **keywords)).content["operations"]
    return found

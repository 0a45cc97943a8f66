from __future__ import annotations

from typing import Any

from onnx import helper

from engines.contract.encoding.document_text import ReadDocument
from engines.workloads.importing.onnx.onnx_reader import read_onnx


def contrib(operator: str, inputs: list[str], outputs: list[str], name: str, **attributes: Any) -> Any:
    return helper.make_node(operator, inputs, outputs, name, domain="com.microsoft", **attributes)


def read(data: bytes) -> ReadDocument:
    return read_onnx(data, "net.onnx", {})

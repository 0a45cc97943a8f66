from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from engines.contract.encoding.document_text import ReadDocument
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from tests.engines.workloads.importing.onnx.onnx_models import whole

OPEN = {"batch": 2, "steps": 6}


def read(data: bytes, **options: Any) -> ReadDocument:
    return read_onnx(data, "net.onnx", options)


def unpriced(found: ReadDocument) -> list[str]:
    return [row["operator"] for row in found.report["operators"] if row["treatment"] == "unpriced"]


def node(operator: str, inputs: str, output: str, **attributes: Any) -> onnx.NodeProto:
    return helper.make_node(operator, inputs.split(), output.split(), output, **attributes)


NUMBERS = [
    numpy_helper.from_array(np.array(value, np.int64), name) for name, value in (("zero", 0), ("one", 1), ("two", 2))
] + [whole("axis", 0), whole("two1", 2), numpy_helper.from_array(np.array(0.5, np.float32), "half")]

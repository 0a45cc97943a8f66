"""Networks around attention are read whole, and alike, whichever exporter wrote them, with sizes fixed or left open."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.encoding.document_text import ReadDocument
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from tests.engines.workloads.importing.attention_networks import CASES, Case, exported
from tests.engines.workloads.importing.onnx.test_onnx_torch import counted

_OPSETS = range(13, 21)
_DYNAMO_OPSETS = (13, 18, 20)  # it writes 18 and converts that to others


def read(data: bytes, **options: Any) -> ReadDocument:
    found = read_onnx(data, "net.onnx", options)
    assert [row for row in found.report["operators"] if row["treatment"] == "unpriced"] == []
    return found


def macs(case: Case, *, opset: int = 17, dynamo: bool = False, open_axes: bool) -> int:
    """MACs at the sizes of reading; a file with open dimensions is traced with others."""
    sizes = case.traced if open_axes else case.read
    data = exported(case, sizes, opset=opset, dynamo=dynamo, open_axes=open_axes)
    return int(read(data, dims=dict(case.read) if open_axes else {}).report["macs"])


def expected(case: Case) -> int:
    return counted(case.make(), *case.inputs(case.read))


@pytest.mark.parametrize("name", ["encoder of words", "generator with past", "library, steps first"])
def test_open_dimensions_cost_nothing_of_what_is_known(name: str) -> None:
    case = CASES[name]
    assert macs(case, open_axes=True) == expected(case)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", CASES)
def test_every_export_of_a_network_has_the_same_macs(name: str) -> None:
    case = CASES[name]
    fixed = macs(case, opset=17, open_axes=False)
    assert 0 < fixed < expected(case) if case.prepared else fixed == expected(case)
    for open_axes in (False, True):
        for opset in _OPSETS:
            if opset >= case.first_opset:
                assert macs(case, opset=opset, open_axes=open_axes) == fixed, (opset, open_axes)
        for opset in _DYNAMO_OPSETS if open_axes else (18,):
            assert macs(case, opset=opset, dynamo=True, open_axes=open_axes) == fixed, (opset, open_axes)

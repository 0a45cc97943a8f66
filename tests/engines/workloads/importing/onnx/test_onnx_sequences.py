from __future__ import annotations

from tests.engines.workloads.importing.onnx.onnx_models import file, weight, whole
from tests.engines.workloads.importing.onnx.walks_for_tests import NUMBERS, node, read, unpriced


def test_parts_of_a_sequence_have_their_sizes() -> None:
    nodes = [
        node("SplitToSequence", "x parts", "pieces", axis=-1),
        node("SequenceAt", "pieces zero", "a"),
        node("SequenceAt", "pieces one", "b"),
        node("SequenceLength", "pieces", "many"),
        node("MatMul", "a w", "c"),
        node("SequenceConstruct", "c b c", "three"),
        node("ConcatFromSequence", "three", "d", axis=-1),
        node("MatMul", "d v", "out"),
    ]
    weights = [*NUMBERS, whole("parts", 6, 2), weight("w", 6, 3), weight("v", 8, 5)]
    found = read(file(nodes, {"x": ["batch", 8]}, weights), dims={"batch": 4})
    assert (found.report["macs"], unpriced(found)) == (4 * 6 * 3 + 4 * 8 * 5, [])

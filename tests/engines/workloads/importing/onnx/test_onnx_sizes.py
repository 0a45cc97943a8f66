from __future__ import annotations

import onnx
import pytest

from engines.contract.errors import ProblemError
from engines.workloads.importing.limits import MAX_DIMENSIONS, MAX_SIZE
from engines.workloads.importing.onnx.onnx_facts import tensor_type
from engines.workloads.importing.onnx.onnx_sizes import checked_shape, is_floating, is_standard


def test_operators_of_others_are_told_apart() -> None:
    assert is_standard("") and is_standard("ai.onnx") and not is_standard("com.microsoft")


def test_what_is_not_known_counts_as_fractions_and_whole_numbers_do_not() -> None:
    assert is_floating(None) and is_floating(onnx.TypeProto())
    assert is_floating(tensor_type(onnx.TensorProto.FLOAT16, (1,)))
    assert not is_floating(tensor_type(onnx.TensorProto.INT64, (1,)))


@pytest.mark.parametrize("shape", [(1,) * (MAX_DIMENSIONS + 1), (-1,), (MAX_SIZE + 1,)])
def test_sizes_out_of_bounds_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ProblemError, match="weights"):
        checked_shape("weights", shape)
    assert checked_shape("weights", (0, MAX_SIZE)) == (0, MAX_SIZE)

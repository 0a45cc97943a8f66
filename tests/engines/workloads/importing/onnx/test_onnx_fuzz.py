"""A thousand damaged ONNX files: each is a network or a clear refusal, in bounded time, and never a failure of the reader."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import onnx
import pytest

from engines.contract.errors import ProblemError
from engines.running.runner.file_reader import read_in_child
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from engines.workloads.loader import load_network
from tests.engines.workloads.importing.onnx.onnx_models import convolutional, with_unknown
from tests.engines.workloads.importing.onnx.test_onnx_file import billion_laughs, too_deep

FILES = 1000
IN_CHILDREN = 100  # starting a process for each of a thousand would take minutes
SLOWEST_S = 10.0
_SEEDS: tuple[Callable[[], bytes], ...] = (
    convolutional,
    lambda: convolutional("batch"),
    with_unknown,
    too_deep,
    billion_laughs,
)


def damaged(dice: random.Random) -> bytes:
    """A file with bytes or facts changed at random."""
    data = bytearray(dice.choice(_SEEDS)())
    if dice.random() < 0.5:
        return _with_odd_facts(dice, bytes(data))
    for _ in range(dice.randint(1, 8)):
        place, end = dice.randrange(len(data)), dice.randrange(len(data) + 1)
        match dice.randrange(5):
            case 0:
                data[place] = dice.randrange(256)
            case 1:
                data[place] ^= 1 << dice.randrange(8)
            case 2:
                del data[min(place, end) : max(place, end)][:64]
            case 3:
                data[place:place] = dice.randbytes(dice.randint(1, 32))
            case _:
                data = data[: max(place, 1)]
    return bytes(data)


def _with_odd_facts(dice: random.Random, data: bytes) -> bytes:
    """Still a well-formed file, but of something that makes no sense."""
    model = onnx.ModelProto.FromString(data)
    graph = model.graph
    for _ in range(dice.randint(1, 4)):
        node, number = dice.choice(graph.node), dice.choice((-1, 0, 1, 2, 3, 2**31, 2**62))
        match dice.randrange(6):
            case 0:
                node.op_type = dice.choice(
                    ("Conv", "Gemm", "LSTM", "Reshape", "Einsum", "Attention", "ConvTranspose", "Loop", "")
                )
            case 1 if node.input:
                node.input[dice.randrange(len(node.input))] = dice.choice(("", "image", "w1", "nowhere"))
            case 2:
                node.attribute.append(
                    onnx.helper.make_attribute(dice.choice(("group", "transA", "axis", "q_num_heads")), number)
                )
            case 3:
                name = dice.choice(("strides", "pads", "dilations", "kernel_shape", "perm"))
                node.attribute.append(onnx.helper.make_attribute(name, [number] * dice.randint(1, 5)))
            case 4 if graph.initializer:
                tensor = dice.choice(graph.initializer)
                tensor.dims.extend([number]) if dice.random() < 0.5 else tensor.ClearField("dims")
            case _ if graph.input:
                dimensions = dice.choice(graph.input).type.tensor_type.shape.dim
                if dimensions:
                    dice.choice(dimensions).dim_value = number
    return bytes(model.SerializeToString())


def judge(read: Callable[[bytes], object], data: bytes) -> str:
    """What became of a file: "read", or the field of its refusal."""
    begun = time.process_time()
    refusal: ProblemError | None = None
    try:
        read(data)
    except ProblemError as error:
        refusal = error
    assert time.process_time() - begun < SLOWEST_S
    assert refusal is None or (refusal.accepted and len(str(refusal)) < 5000)
    return "read" if refusal is None else refusal.field


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_thousand_damaged_files_are_networks_or_refusals() -> None:
    dice = random.Random(20240607)

    def whole(data: bytes) -> None:
        load_network(read_onnx(data, "damaged.onnx", {"dims": {}}).content)

    endings = [judge(whole, damaged(dice)) for _ in range(FILES)]
    # Neither all harmless nor all refused: the damage reaches what it is meant for.
    assert 0.02 * FILES < endings.count("read") < 0.9 * FILES
    assert endings.count("file") > 0.1 * FILES


@pytest.mark.long
@pytest.mark.timeout(600)
def test_damaged_files_do_the_child_no_harm() -> None:
    dice = random.Random(7)
    for _ in range(IN_CHILDREN):
        judge(lambda data: read_in_child("onnx", data, "damaged.onnx"), damaged(dice))

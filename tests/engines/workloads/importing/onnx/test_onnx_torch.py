"""Modules of torch, exported to ONNX and read back: the MACs are those that torch itself counts."""

from __future__ import annotations

import io
import warnings
from typing import Any

import pytest

from engines.workloads.importing.onnx.onnx_reader import read_onnx

torch = pytest.importorskip("torch", reason="torch is installed by `make up` alone")
nn = torch.nn


class Attention(nn.Module):  # type: ignore[misc, name-defined]
    """A transformer block with the attention written out."""

    def __init__(self) -> None:
        super().__init__()
        self.attention, self.norm = nn.MultiheadAttention(64, 4, batch_first=True), nn.LayerNorm(64)
        self.mlp = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64))

    def forward(self, x: Any) -> Any:
        y = self.norm(x)
        x = x + self.attention(y, y, y, need_weights=True)[0]
        return x + self.mlp(x)


class Steps(nn.Module):  # type: ignore[misc, name-defined]
    """The LSTM step by step, as torch counts it."""

    def __init__(self, cell: Any) -> None:
        super().__init__()
        self.cell = cell

    def forward(self, x: Any) -> Any:
        state = None
        for step in x:
            state = self.cell(step, state)
        return state


def exported(module: Any, *inputs: Any) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(module.eval(), inputs, out, dynamo=False, opset_version=17)
    return out.getvalue()


def counted(module: Any, *inputs: Any) -> int:
    """MACs by torch's own count, which takes a multiply-accumulate for two operations."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.utils.flop_counter import FlopCounterMode

    # With gradients, and attention by its formula: its quick forms are paths that the counter does not see into.
    with FlopCounterMode(display=False) as counter, sdpa_kernel(SDPBackend.MATH):
        module.eval()(*inputs)
    return int(counter.get_total_flops()) // 2


def image(*shape: int) -> Any:
    return torch.randn(*shape)


CLASSES: dict[str, Any] = {
    "conv": lambda: (
        nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(2048, 10)),
        image(2, 3, 32, 32),
    ),
    "conv1d": lambda: (nn.Sequential(nn.Conv1d(3, 8, 5, 2), nn.ReLU()), image(2, 3, 100)),
    "depthwise": lambda: (nn.Conv2d(8, 16, 3, groups=8, padding=1), image(1, 8, 20, 12)),
    "grouped": lambda: (nn.Conv2d(16, 32, 3, groups=4, stride=(2, 1)), image(1, 16, 20, 12)),
    "dilated": lambda: (nn.Conv2d(4, 8, 3, dilation=(3, 2), padding=2), image(1, 4, 20, 12)),
    "transposed": lambda: (nn.ConvTranspose2d(4, 8, 3, 2, 1, output_padding=1), image(1, 4, 9, 7)),
    "transposed grouped": lambda: (nn.ConvTranspose2d(4, 8, 2, 2, groups=2), image(2, 4, 9, 7)),
    "transposed 1-D": lambda: (nn.ConvTranspose1d(4, 8, 4, 2, 1), image(2, 4, 9)),
    "linear": lambda: (nn.Linear(32, 5), image(2, 7, 32)),
    "attention": lambda: (Attention(), image(2, 10, 64)),
    "embedding": lambda: (nn.Sequential(nn.Embedding(100, 32), nn.Linear(32, 5)), torch.randint(0, 100, (2, 7))),
    "gru": lambda: (nn.GRU(16, 32), image(7, 2, 16)),
}


@pytest.mark.parametrize("name", CLASSES)
def test_macs_and_parameters_are_those_of_torch(name: str) -> None:
    module, example = CLASSES[name]()
    report = read_onnx(exported(module, example), f"{name}.onnx", {}).report
    assert report["macs"] == counted(module, example) > 0
    assert report["parameters"] == sum(parameter.numel() for parameter in module.parameters())


def test_an_lstm_computes_what_its_cell_computes_in_each_step() -> None:
    module = nn.LSTM(16, 32)
    report = read_onnx(exported(module, image(7, 2, 16)), "lstm.onnx", {}).report
    assert report["macs"] == counted(Steps(nn.LSTMCell(16, 32)), image(7, 2, 16))
    assert report["parameters"] == sum(parameter.numel() for parameter in module.parameters())


def test_a_batch_norm_is_folded() -> None:
    module = nn.Sequential(nn.Conv2d(3, 8, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU())
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module.train(), (image(1, 3, 9, 9),), out, dynamo=False, opset_version=17, training=torch.onnx.TrainingMode.PRESERVE,
            do_constant_folding=False,
        )  # fmt: skip
    found = read_onnx(out.getvalue(), "bn.onnx", {})
    assert "BatchNormalization" in {
        row["operator"] for row in found.report["operators"] if row["treatment"] == "folded"
    }
    assert found.report["layers"] == 1
    assert found.report["parameters"] == 8 * 27 + 16

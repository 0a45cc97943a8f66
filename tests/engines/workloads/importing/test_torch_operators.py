from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="torch is installed by `make up` alone")

from engines.workloads.importing.torch_reader import read_torch  # noqa: E402
from tests.engines.workloads.importing.test_onnx_torch import Steps, counted, image  # noqa: E402

nn = torch.nn


def test_a_transformer_layer_with_its_fused_attention() -> None:
    module = nn.TransformerEncoderLayer(64, 4, batch_first=True)
    report = read_torch(module, (image(2, 10, 64),)).report
    assert report["macs"] == counted(module, image(2, 10, 64))
    assert "aten.scaled_dot_product_attention" in {row["operator"] for row in report["operators"]}


@pytest.mark.parametrize(("layers", "bidirectional"), [(1, False), (2, True)])
def test_an_lstm_of_several_layers(layers: int, bidirectional: bool) -> None:
    module = nn.LSTM(16, 32, layers, bidirectional=bidirectional)
    report = read_torch(module, (image(7, 2, 16),)).report
    assert report["parameters"] == sum(parameter.numel() for parameter in module.parameters())
    if layers == 1:
        assert report["macs"] == counted(Steps(nn.LSTMCell(16, 32)), image(7, 2, 16))


def test_a_batch_norm_is_folded_with_two_figures_per_channel() -> None:
    found = read_torch(
        nn.Sequential(nn.Conv2d(3, 8, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU()), (image(1, 3, 9, 9),)
    )
    assert [row["kind"] for row in found.content["operations"]] == ["conv", "batchnorm", "activation"]
    assert found.report["parameters"] == 8 * 27 + 16
    assert found.content["operations"][0]["name"].startswith("0.")

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is installed by `make up` alone")

from engines.workloads.importing.torch_reader import read_torch  # noqa: E402
from tests.engines.workloads.importing.onnx.test_onnx_torch import Steps, counted, image  # noqa: E402

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


class Of(nn.Module):  # type: ignore[misc, name-defined]
    """A module that computes what a function says of it."""

    def __init__(self, compute: Any, **parts: Any) -> None:
        super().__init__()
        self.compute = compute
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, *inputs: Any) -> Any:
        return self.compute(self, *inputs)


def parameter(*shape: int) -> Any:
    return nn.Parameter(image(*shape))


PRODUCTS: dict[str, Any] = {
    # module, inputs, MACs, parameters
    "bilinear": (Of(lambda m, a, b: m.f(a, b), f=nn.Bilinear(16, 24, 8)), [(4, 16), (4, 24)], 4 * 8 * 16 * 24 + 4 * 8 * 24, 3080),
    "inner": (Of(lambda m, x: torch.inner(x, m.w), w=parameter(5, 8)), [(3, 4, 8)], 3 * 4 * 8 * 5, 40),
    "tensordot": (Of(lambda m, x: torch.tensordot(x, m.w, dims=([1, 2], [1, 0])), w=parameter(6, 5, 7)), [(4, 5, 6)],
                  4 * 30 * 7, 210),
    # 10 x 100 x 5 and 10 x 5 x 50 are fewer than 100 x 5 x 50 and 10 x 100 x 50.
    "multi_dot": (Of(lambda m, x, y: torch.linalg.multi_dot([x, m.w, y]), w=parameter(100, 5)), [(10, 100), (5, 50)], 7500, 500),
    "cdist": (Of(lambda m, x, y: torch.cdist(x, y)), [(2, 4, 8), (2, 5, 8)], 2 * 4 * 5 * 8, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_have_the_macs_of_their_formula(name: str) -> None:
    module, sizes, macs, parameters = PRODUCTS[name]
    report = read_torch(module, tuple(image(*size) for size in sizes)).report
    assert (report["macs"], report["parameters"]) == (macs, parameters)


def test_what_only_moves_or_adds_is_folded_and_the_rest_is_named() -> None:
    class Mixed(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.bag, self.head = nn.EmbeddingBag(50, 36), nn.Linear(36, 8)

        def forward(self, words: Any, picture: Any) -> Any:
            larger = nn.functional.interpolate(picture.flatten(2), scale_factor=2, mode="linear")
            patches = nn.functional.unfold(picture, 3).transpose(1, 2) + larger.sum()
            return torch.fft.rfft(self.head(patches + self.bag(words)))

    report = read_torch(Mixed(), (torch.randint(0, 50, (36, 6)), image(1, 4, 8, 8))).report
    unpriced = [row["operator"] for row in report["operators"] if row["treatment"] == "unpriced"]
    assert (unpriced, report["parameters"]) == (["aten.fft_rfft"], 50 * 36 + 36 * 8 + 8)

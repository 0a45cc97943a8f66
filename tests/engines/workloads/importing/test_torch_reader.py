"""Modules of torch become networks; MACs and parameters are those that torch counts."""

from __future__ import annotations

from typing import Any

import pytest

from engines import explore
from engines.contract.errors import ProblemError
from engines.workloads import from_torch

torch = pytest.importorskip("torch", reason="torch is installed by `make up` alone")

from engines.workloads.importing.torch_reader import read_torch  # noqa: E402
from tests.engines.workloads.importing.onnx.test_onnx_torch import CLASSES, counted, image  # noqa: E402

nn = torch.nn


@pytest.mark.parametrize("name", CLASSES)
def test_macs_and_parameters_are_those_of_torch(name: str) -> None:
    module, example = CLASSES[name]()
    report = read_torch(module, (example,)).report
    assert report["macs"] == counted(module, example) > 0
    assert report["parameters"] == sum(parameter.numel() for parameter in module.parameters())
    assert {row["treatment"] for row in report["operators"]} <= {"computed", "folded", "prepared"}


def test_what_no_cost_model_knows_is_named() -> None:
    class Odd(nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            return torch.linalg.inv(x @ x)

    found = read_torch(Odd(), (image(4, 4),))
    unpriced = [row["operator"] for row in found.content["operations"] if row["kind"] == "unpriced"]
    assert len(unpriced) == 1 and unpriced[0].startswith("aten.linalg_inv")
    assert read_torch(Odd(), (image(4, 4),), exclude=unpriced).content["operations"][-1]["excluded"] is True


def test_a_module_that_cannot_be_traced_is_refused_and_left_as_it_was() -> None:
    class Wild(nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            return x if x.sum().item() > len(input()) else -x

    module = Wild().train()
    with pytest.raises(ProblemError, match=r"torch\.export"):
        from_torch(module, (image(2, 2),))
    assert module.training


def test_it_is_explored_like_any_workload() -> None:
    module = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3))
    workload = from_torch(module, (image(1, 3, 16, 16),), name="Two layers")
    found = explore("scar", hardware="simba-3x3-het-sides", workload=workload, params={"evaluations": 100})
    assert found.status == "done" and workload["slug"] == "two-layers"


def test_bits_of_weights_are_those_of_their_type_or_range() -> None:
    module, example = nn.Linear(8, 4), torch.zeros(2, 8)
    assert "weight_bits" not in read_torch(module, (example,)).content
    half = read_torch(module.to(torch.bfloat16), (example.to(torch.bfloat16),))
    assert half.content["weight_bits"] == 16 and "in 16 bits" in half.report["notes"][0]

    class Quantised(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("weight", torch.ones(4, 8, dtype=torch.int8))

        def forward(self, x: Any) -> Any:
            return x @ (self.weight.to(x.dtype) * 0.5).T

    assert read_torch(Quantised(), (example,)).content["weight_bits"] == 8

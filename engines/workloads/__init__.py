"""Networks and scenarios: what designs execute."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


def from_torch(
    module: torch.nn.Module, example_inputs: Sequence[Any], name: str | None = None, exclude: Collection[str] = ()
) -> dict[str, Any]:
    """Return the workload that a module of PyTorch is: `explore("scar", hardware=..., workload=from_torch(module, (image,)))`.

    Arguments and errors as `engines.workloads.importing.torch_reader.read_torch`, which also gives the report of what became of
    each operator.
    """
    from engines.workloads.importing.torch_reader import read_torch

    return read_torch(module, example_inputs, name, exclude).content

"""Both halves of a decomposed recommender as ONNX files."""

from __future__ import annotations

import io
import logging
import warnings

import torch
from torch import Tensor, nn

from engines.methods.duet.execution.modules import DecomposedModules
from engines.methods.duet.recommender import Recommender

OPSET = 17


class _Items(nn.Module):
    """The datacentre's half with its tables: the user's vector and ids of candidates to outputs."""

    def __init__(self, model: DecomposedModules) -> None:
        super().__init__()
        self.model = model

    def forward(self, user: Tensor, *candidate: Tensor) -> Tensor:
        return self.model.item(user, self.model.embeddings.of_candidate(candidate))


def user_onnx(model: DecomposedModules, recommender: Recommender) -> bytes:
    """Return the device's half: `remembered`, `dense` and `pooled` of one user to `vector`."""
    dense = torch.zeros(1, recommender.bottom[0] if recommender.bottom else 1)
    pooled = torch.zeros(1, recommender.user_features - (recommender.bottom[-1] if recommender.bottom else 0))
    with torch.no_grad():
        remembered = model.user.remembered(dense)
    return _exported(model.user, (remembered, dense, pooled), ["remembered", "dense", "pooled"], ["vector"], {})


def item_onnx(model: DecomposedModules, recommender: Recommender) -> bytes:
    """Return the datacentre's half: `user` (1 x payload) and `candidate_N` (candidates x lookups) to `outputs`."""
    with torch.no_grad():
        user = torch.zeros(1, model.item.combined[0].in_features - _width(model))
    ids = [
        torch.zeros(2, each.item_lookups, dtype=torch.int64)
        for each in recommender.tables
        if each.item_lookups
        for _ in range(each.count)
    ]
    names = [f"candidate_{number}" for number in range(1, len(ids) + 1)]
    axes = {name: {0: "candidates"} for name in (*names, "outputs")}
    return _exported(_Items(model), (user, *ids), ["user", *names], ["outputs"], axes)


def _width(model: DecomposedModules) -> int:
    """Return the width of the candidates' vector."""
    linear = [layer for layer in model.item.top if isinstance(layer, nn.Linear)]
    if linear:
        return int(linear[-1].out_features)
    tables = model.embeddings
    return sum(tables.tables[number].embedding_dim for number in tables.by_candidate)


def _exported(
    module: nn.Module,
    examples: tuple[Tensor, ...],
    names: list[str],
    outputs: list[str],
    axes: dict[str, dict[int, str]],
) -> bytes:
    target = io.BytesIO()
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module.eval(), examples, target, input_names=names, output_names=outputs, dynamic_axes=axes, opset_version=OPSET,
            dynamo=False,
        )  # fmt: skip
    return target.getvalue()

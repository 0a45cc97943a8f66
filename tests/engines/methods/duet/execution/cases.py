"""Small recommenders in torch."""

import torch
from torch import Tensor

from engines.methods.duet.decomposition import decomposed
from engines.methods.duet.execution.modules import DecomposedModules
from engines.methods.duet.recommender import Recommender, built_in, recommender_from_yaml
from tests.engines.methods.duet.problems import SMALL

ENTRIES = 30


def inputs(model: Recommender, candidates: int) -> tuple[Tensor, list[Tensor], list[Tensor]]:
    """A user and candidates."""
    each = [table for table in model.tables for _ in range(table.count)]
    dense = torch.randn(1, model.bottom[0] if model.bottom else 1)
    history = [torch.randint(ENTRIES, (1, table.user_lookups)) for table in each if table.user_lookups]
    candidate = [torch.randint(ENTRIES, (candidates, table.item_lookups)) for table in each if table.item_lookups]
    return dense, history, candidate


def models(name: str, split: bool = True, layers: int = 1) -> tuple[Recommender, DecomposedModules]:
    """A model and its decomposition with random weights."""
    model = recommender_from_yaml(SMALL, "own") if name == "small" else built_in(name)
    count = sum(table.count for table in model.tables)
    parts = decomposed(model, split, layers, model.feature_share)
    return model, DecomposedModules(model, parts, [ENTRIES] * count).eval()

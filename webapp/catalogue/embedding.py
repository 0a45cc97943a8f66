"""Scenarios refer to networks by name; a stored scenario carries those that are not built in and pins those that are.

So a version says everything by itself: it cannot change or break when another document gets a new version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.builtin import builtin_documents
from engines.contract import Document
from engines.errors import ProblemError

Resolve = Callable[[str, str], Document]


def embed_networks(content: Mapping[str, Any], resolve: Resolve) -> dict[str, Any]:
    """`content` with every network that is a user's own document put in place of its name.

    Args:
        content: any document; only scenarios are changed.
        resolve: (name, field for errors) -> the document of a network.

    Raises:
        ProblemError: a name is not that of a network.
    """
    models = content.get("models")
    if not str(content.get("schema", "")).startswith("scenario/") or not isinstance(models, list):
        return dict(content)
    return {**content, "models": [_embed(model, f"models.{number}", resolve) for number, model in enumerate(models)]}


def _embed(model: Any, field: str, resolve: Resolve) -> Any:
    name = model.get("network") if isinstance(model, Mapping) else None
    if not isinstance(name, str):
        return model  # a network written out, or a mistake that the loader words better
    if (builtin := builtin_documents("workload").get(name)) is not None:
        return {"network_sha256": builtin.content_hash(), **model}
    document = resolve(name, f"{field}.network")
    if not str(document.content.get("schema", "")).startswith("network/"):
        raise ProblemError(f"{field}.network", name, "the name of a network, not of a scenario")
    return {**model, "network": dict(document.content), "network_sha256": document.content_hash()}

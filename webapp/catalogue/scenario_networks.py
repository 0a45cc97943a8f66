"""Scenarios refer to networks by name; a stored scenario carries those that are not built in and pins those that are.

So a version says everything by itself: it cannot change or break when another document gets a new version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from engines.contract.designs import canonical_json
from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.documents.builtin import builtin_documents
from engines.workloads.schema import MAX_MODELS

Resolve = Callable[[str, str], Document]
MAX_EMBEDDED_BYTES = 8_000_000  # as JSON, all networks of a scenario together


class _Networks:
    """The networks that one scenario names: each looked up and hashed once, however often it is named."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._known: dict[str, tuple[Document, str, int]] = {}
        self._size_bytes = 0

    def embedded(self, name: str, field: str) -> dict[str, Any]:
        """Return the network in place of its name, with its hash."""
        if name not in self._known:
            document = self._resolve(name, field)
            if not str(document.content.get("schema", "")).startswith("network/"):
                raise ProblemError(field, name, "the name of a network, not of a scenario")
            text = canonical_json(document.content).encode()
            self._known[name] = (document, hashlib.sha256(text).hexdigest(), len(text))
        document, digest, size_bytes = self._known[name]
        self._size_bytes += size_bytes
        if self._size_bytes > MAX_EMBEDDED_BYTES:
            got = f"{counted(self._size_bytes)} bytes of networks up to this one"
            accepted = f"networks of at most {counted(MAX_EMBEDDED_BYTES)} bytes, all of a scenario together"
            raise ProblemError(field, got, accepted)
        return {"network": dict(document.content), "network_sha256": digest}


def embed_networks(content: Mapping[str, Any], resolve: Resolve) -> dict[str, Any]:
    """Return `content` with every network that is a user's own document put in place of its name.

    Args:
        content: any document; only scenarios are changed.
        resolve: (name, field for errors) -> the document of a network.

    Raises:
        ProblemError: a name is not that of a network.
    """
    models = content.get("models")
    if not str(content.get("schema", "")).startswith("scenario/") or not isinstance(models, list):
        return dict(content)
    if len(models) > MAX_MODELS:  # which the loader refuses: nothing is looked up for it
        return dict(content)
    networks = _Networks(resolve)
    embedded = [_embed(model, f"models.{number}.network", networks) for number, model in enumerate(models)]
    return {**content, "models": embedded}


def _embed(model: Any, field: str, networks: _Networks) -> Any:
    name = model.get("network") if isinstance(model, Mapping) else None
    if not isinstance(name, str):
        return model  # a network written out, or a mistake that the loader words better
    if (builtin := builtin_documents("workload").get(name)) is not None:
        return {"network_sha256": builtin.content_hash(), **model}
    return {**model, **networks.embedded(name, field)}

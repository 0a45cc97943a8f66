"""Small conversations between a device and a server, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.testing.conformance import TinyProblem

MODEL: dict[str, Any] = {
    "model_type": "qwen3", "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 4, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 64, "vocab_size": 1000, "tie_word_embeddings": True, "max_position_embeddings": 2048,
}  # fmt: skip
DRAFT = {**MODEL, "hidden_size": 64, "num_hidden_layers": 1}


def model_document(configuration: Mapping[str, Any], slug: str) -> Document:
    """Return a workload with the configuration of a model."""
    content = dict(get_builtin("workload", "smollm2-135m-prefill-64").content)
    return Document("workload", slug, 1, {**content, "slug": slug, "title": slug, "configuration": dict(configuration)})


def language_problem(
    params: Mapping[str, Any] | None = None,
    configuration: Mapping[str, Any] = MODEL,
    draft: Mapping[str, Any] | None = DRAFT,
    seed: int = 0,
    **hardware: str,
) -> Problem:
    """Return a conversation between a phone and a server behind Wi-Fi."""
    slugs = {"hardware": "snapdragon-855", "server": "x86-server", "radio": "wifi-smartphone", **hardware}
    documents = {slot: get_builtin("hardware", slug) for slot, slug in slugs.items()}
    documents["workload"] = model_document(configuration, "model")
    if draft is not None:
        documents["draft"] = model_document(draft, "draft")
    return make_problem("language-split", documents, params or {}, seed)


def tiny() -> TinyProblem:
    """Return a small model with drafts; none answers within a nanosecond."""
    return TinyProblem(language_problem(), language_problem({"first_token_limit_s": 1e-9}))

"""Language models that are built in: the prefill of a prompt, with the configuration that surveys and mappings read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from engines.workloads.families.document import LazyNetwork
from engines.workloads.families.network_builder import Row
from hardware.documents import load_yaml

_MODELS = Path(__file__).parents[1] / "zoo" / "language_models.yaml"
_PROMPT_TOKENS = 512


def builtin_language_models() -> dict[str, LazyNetwork]:
    """Return slug -> prefill of every built-in language model; nothing is drawn yet."""
    return {slug: _document(slug, model) for slug, model in load_yaml(_MODELS).items()}


def _document(slug: str, model: Mapping[str, Any]) -> LazyNetwork:
    head = {
        "schema": "network/1", "slug": slug, "title": model["title"], "short_title": model["short_title"],
        "summary": f"Language model, prefill of {_PROMPT_TOKENS} tokens.", "source": model["source"],
        "configuration": model["configuration"],
    }  # fmt: skip
    return LazyNetwork(head, partial(_rows, model["title"], model["configuration"]))


def _rows(title: str, configuration: Mapping[str, Any]) -> list[Row]:
    from engines.workloads.language.reader import read_language_model
    from engines.workloads.language.stages import Step, prefill_document

    rows: list[Row] = prefill_document(read_language_model(configuration, title), Step(_PROMPT_TOKENS))["operations"]
    return rows

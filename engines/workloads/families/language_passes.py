"""Passes of language models: the prefill of a prompt, a decode step, and a pass of an action expert, each of any length by name.

The models are those of `zoo/language-models.yaml`. "qwen3-0-6b-decode-192" is the step that writes one token after 192 others.
The cost of a step grows in proportion to the tokens before it, so the step in the middle of an answer costs their mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from engines.workloads.families.document import LazyNetwork
from engines.workloads.families.network_builder import Row
from engines.workloads.language.model import LanguageModel
from engines.workloads.language.reader import read_language_model
from engines.workloads.language.stages import Step, action_document, decode_document, prefill_document
from engines.workloads.schema import NETWORK_SCHEMA
from hardware.documents import load_yaml

_MODELS = Path(__file__).parents[1] / "zoo" / "language-models.yaml"
_BY_PASS = re.compile(r"([a-z0-9-]+)-(prefill|decode|actions)-([1-9][0-9]{0,5})")
ACTIONS = 50  # of a chunk of SmolVLA (chunk_size of its configuration)
_LONGEST = 8192  # tokens, of a configuration that states no longest context
_SUMMARIES = {
    "prefill": "Language model: reads a prompt of {tokens} tokens.",
    "decode": "Language model: writes one token after {tokens} others.",
    "actions": f"Language model with actions: one pass of the expert over a chunk of {ACTIONS}, which reads {{tokens}} tokens.",
}
_TITLES = {
    "prefill": "prefill, {} tokens",
    "decode": "decode step, after {} tokens",
    "actions": "actions, after {} tokens",
}


def model_title(title: str) -> str:
    """Return the title of the model whose pass has this title; a title of anything else is its own."""
    for words in _TITLES.values():
        title = title.partition(f" {words.partition('{')[0]}")[0]
    return title


def language_passes() -> dict[str, LazyNetwork]:
    """Return slug -> document of the passes that lists show; nothing is drawn yet."""
    slugs = [f"{name}-{each}" for name, model in language_models().items() for each in model["listed"]]
    return {slug: document for slug in slugs if (document := language_pass(slug))}


@cache
def language_models() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> title, source, licence and configuration of every model."""
    return load_yaml(_MODELS)


def language_pass(slug: str) -> LazyNetwork | None:
    """Return the document of "qwen3-0-6b-prefill-512" and the like; None for any other name, or too many tokens for the context."""
    match = _BY_PASS.fullmatch(slug)
    if match is None or match[1] not in language_models():
        return None
    (name, kind, tokens), entry = (match[1], match[2], int(match[3])), language_models()[match[1]]
    model = _model(name)
    if tokens > (model.context_tokens or _LONGEST) or (kind == "actions") > _has_actions(model):
        return None
    head = {
        "schema": NETWORK_SCHEMA, "slug": slug, "title": f"{entry['title']} {_TITLES[kind].format(tokens)}",
        "short_title": f"{entry['short_title']} {kind[0].upper()}{tokens}"[:12],
        "summary": " ".join((_SUMMARIES[kind].format(tokens=tokens), *model.notes)),
        "source": f"{entry['source']}; licence of the model: {entry['licence']}; drawn from the configuration",
    }  # fmt: skip
    if kind == "prefill":
        head["configuration"] = entry["configuration"]
    return LazyNetwork(head, partial(_rows, model, kind, tokens))


def language_pass_names() -> str:
    """Return the names that `language_pass` knows, in words."""
    return ", ".join(f"{name}-prefill-N, {name}-decode-N" for name in language_models())


@cache
def _model(name: str) -> LanguageModel:
    entry = language_models()[name]
    return read_language_model(entry["configuration"], entry["title"])


def _has_actions(model: LanguageModel) -> bool:
    return any(stage.kind == "action head" for stage in model.stages)


def _rows(model: LanguageModel, kind: str, tokens: int) -> list[Row]:
    if kind == "prefill":
        document = prefill_document(model, Step(tokens))
    elif kind == "decode":
        document = decode_document(model, Step(1, tokens, decodes=True))
    else:
        document = action_document(model, Step(ACTIONS, tokens))
    rows: list[Row] = document["operations"]
    return rows

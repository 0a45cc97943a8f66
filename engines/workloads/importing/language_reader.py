"""Reads configurations of language models (`config.json`) as networks: the prefill of a prompt, with the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.workloads.language.reader import read_language_model
from engines.workloads.language.stages import Step, prefill_document
from engines.workloads.loader import load_network
from hardware.slugs import slug_of

PROMPT_TOKENS = 512


def read_configuration(content: Mapping[str, Any], file: str, title: str = "") -> ReadDocument:
    """Return the prefill of `PROMPT_TOKENS` tokens as a `network/1` document; surveys read the configuration in it.

    Args:
        content: of the file.
        file: its name, which names the model where `title` is "".
        title: of the network.

    Raises:
        ProblemError: names the field of the configuration, the value got and the values accepted.
    """
    model = read_language_model(content, title or _name(content, file))
    document = prefill_document(model, Step(PROMPT_TOKENS))
    document |= {"slug": slug_of(title or model.name, "model"), "title": title or model.name}
    if model.decoder:
        document["configuration"] = dict(content)
    load_network(document)
    return ReadDocument(document)


def _name(content: Mapping[str, Any], file: str) -> str:
    """Return the name of the file; of a config.json, what the configuration calls the model, else its architecture."""
    stem = PurePath(file).stem
    if stem != "config":
        return stem
    named = content.get("_name_or_path")
    architecture = content.get("model_type")
    return next((PurePath(each).name for each in (named, architecture) if isinstance(each, str) and each), stem)

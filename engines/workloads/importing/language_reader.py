"""Reads configurations of language models (`config.json`) as networks: the prefill of a prompt, and one decode step after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.workloads.importing.document import COMPUTED, FOLDED
from engines.workloads.language.model import LanguageModel
from engines.workloads.language.reader import read_language_model
from engines.workloads.language.stages import Step, decode_document, prefill_document
from engines.workloads.loader import load_network
from engines.workloads.network import COMPUTE_KINDS
from hardware.slugs import slug_of

PROMPT_TOKENS = CACHED_TOKENS = 512
# Sizes that a person may give, as of open dimensions of other networks.
PROMPT, CACHED, BATCH = SIZES = ("prompt", "cached", "batch")
_NO_NAMES = ("config", "params", "")


def read_configuration(
    content: Mapping[str, Any], file: str, title: str = "", dims: Mapping[str, Any] | None = None
) -> ReadDocument:
    """Return the prefill of a prompt as a `network/1` document, with the configuration, which surveys read.

    The report holds the decode step as `further`. Where only one of `prompt` and `cached` is given, its pass is the document, and
    there is no other.

    Args:
        content: content of the file.
        file: its name, which names the model where `title` is "".
        title: title of the network.
        dims: `prompt`, tokens of the prompt (default 512); `cached`, tokens before the decode step (512); `batch`, sequences (1).

    Raises:
        ProblemError: names the field of the configuration, or the size, with the value got and the values accepted.
    """
    sizes = dict(dims or {})
    for name in sizes:
        if name not in SIZES:
            raise ProblemError("dims", name, f"one of {', '.join(SIZES)}")
    model = read_language_model(content, title or _name(content, file))
    batch = sizes.get(BATCH, 1)
    documents = []
    if PROMPT in sizes or CACHED not in sizes:
        prompt = sizes.get(PROMPT, PROMPT_TOKENS)
        document = prefill_document(model, Step(prompt, batch=batch))
        if prompt == PROMPT_TOKENS and batch == 1:
            document |= {"slug": slug_of(model.name, "model"), "title": model.name}
        if model.decoder:
            document["configuration"] = dict(content)
        documents.append(document)
    if model.decoder and (CACHED in sizes or PROMPT not in sizes):
        documents.append(decode_document(model, Step(1, sizes.get(CACHED, CACHED_TOKENS), batch, decodes=True)))
    if not documents:
        raise ProblemError("dims", {CACHED: sizes[CACHED]}, "left out for a model without a decoder")
    reports = [_report(model, document) for document in documents]  # each network is checked
    return ReadDocument(documents[0], report={**reports[0], "further": documents[1:]})


def _name(content: Mapping[str, Any], file: str) -> str:
    """Return the name of the file, or where that is the same for all models, what the configuration says."""
    stem = PurePath(file).stem
    if stem.lower() not in _NO_NAMES:
        return stem
    for key in ("_name_or_path", "model_type", "type"):
        if isinstance(content.get(key), str) and PurePath(content[key]).name:
            return PurePath(content[key]).name[:200]
    return stem or "model"


def _report(model: LanguageModel, document: Mapping[str, Any]) -> dict[str, Any]:
    network = load_network(document)
    told = Counter(operation.kind for operation in network.operations)
    operators = [
        {"operator": kind, "treatment": COMPUTED if kind in COMPUTE_KINDS else FOLDED, "count": count}
        for kind, count in told.most_common()
    ]
    return {
        "format": f"configuration of a language model ({model.architecture})", "inputs": [], "notes": list(model.notes),
        "sizes": {}, "open_sizes": [], "nodes": len(network.operations), "layers": len(network.layers), "macs": network.macs,
        "parameters": network.parameters, "operators": operators,
    }  # fmt: skip

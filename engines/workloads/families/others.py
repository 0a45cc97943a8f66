"""Language models, recommendation models and networks over signals that are built in, and language models of any length by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from engines.workloads.families.document import LazyNetwork, drawn_network
from engines.workloads.families.language import LanguageModel, bert, gpt2
from engines.workloads.families.recommendation import RecommendationModel, dlrm
from engines.workloads.families.sequential import digits_chain
from engines.workloads.families.time_series import SignalBlock, signal_network

_TRANSFORMERS = "transformers 4.36.2, configuration of {}; drawn from the definition"
# Slug without its length -> title, title for narrow places, size, name of the published configuration.
_LANGUAGE: Mapping[str, tuple[str, str, LanguageModel, str]] = {
    "bert-base": ("BERT-base", "BERT-B", LanguageModel(12, 768, 12, 30522, 512), "bert-base-uncased"),
    "bert-large": ("BERT-Large", "BERT-L", LanguageModel(24, 1024, 16, 30522, 512), "bert-large-uncased"),
    "gpt2": ("GPT-2", "GPT-2", LanguageModel(12, 768, 12, 50257, 1024), "gpt2"),
    "gpt2-medium": ("GPT-2 Medium", "GPT-2 M", LanguageModel(24, 1024, 16, 50257, 1024), "gpt2-medium"),
    "gpt2-large": ("GPT-2 Large", "GPT-2 L", LanguageModel(36, 1280, 20, 50257, 1024), "gpt2-large"),
    "gpt2-xl": ("GPT-2 XL", "GPT-2XL", LanguageModel(48, 1600, 25, 50257, 1024), "gpt2-xl"),
}
# What lists show beside the traced lengths; every other length is found by its name.
_LISTED = (
    "bert-base-384", "bert-base-512", "bert-large-512", "gpt2-128", "gpt2-1024", "gpt2-medium-128", "gpt2-large-1024",
    "gpt2-xl-128", "gpt2-xl-1024",
)  # fmt: skip
_BY_LENGTH = re.compile(r"([a-z0-9-]+?)-([1-9][0-9]{0,3})")
# goyal-2023 Table 5.1. Rows of RM1 to RM4 are as wide as what the bottom stack gives out; the 18 features of RM5 follow from its
# 28.2 KB of (1 + 200 + 200) rows of 4-byte numbers (Table 5.4).
_RECOMMENDATION: Mapping[str, tuple[RecommendationModel, str]] = {
    "rm1": (RecommendationModel((128, 64, 32), (256, 64, 1), (80,) * 8, 4_000_000, 32), "8 tables, 80 rows read of each"),
    "rm2": (RecommendationModel((256, 128, 64), (128, 64, 1), (120,) * 32, 500_000, 64), "32 tables, 120 rows read of each"),
    "rm3": (RecommendationModel((2560, 1024, 256, 32), (512, 256, 1), (20,) * 10, 2_000_000, 32), "a heavy bottom stack"),
    "rm4": (RecommendationModel((512, 256, 32), (2560, 1024, 1), (20,) * 10, 2_000_000, 32), "a heavy top stack"),
    "rm5": (RecommendationModel((), (200, 80, 2), (1, 200, 200), 1_000_000, 18), "a history of 200 items, no bottom stack"),
}  # fmt: skip
_SIGNALS = {
    "ecg-cnn-512": (
        "1-D CNN for heart attacks, 512 samples",
        "ECG CNN",
        "Classifies heart beats of one ECG lead: infarction or not.",
        partial(signal_network, 512, 1, (SignalBlock(8, 9, 1, 2, 2), SignalBlock(16, 9, 1, 2, 2)), 2, 32),
    ),
    "activity-cnn-128": (
        "1-D CNN for activities, 128 samples",
        "Activity CNN",
        "Classifies eight activities by three axes of acceleration and a stretch sensor.",
        partial(signal_network, 128, 4, (SignalBlock(8, 5, 1, 2, 2), SignalBlock(16, 3, 1, 2, 2)), 8),
    ),
}


def other_families() -> dict[str, LazyNetwork]:
    """Return slug -> document of what lists show; nothing is drawn yet."""
    language = {slug: document for slug in _LISTED if (document := language_network(slug))}
    recommendation = {f"dlrm-{name}": _recommendation(name) for name in _RECOMMENDATION}
    digits = {"digits-chain": _digits_chain()}
    return language | recommendation | {slug: _signal(slug) for slug in _SIGNALS} | digits


def language_network(slug: str) -> LazyNetwork | None:
    """Return the document of "bert-base-200" and the like: a language model over that many tokens; None for any other name."""
    match = _BY_LENGTH.fullmatch(slug)
    if match is None or match[1] not in _LANGUAGE:
        return None
    (title, short, model, configuration), tokens = _LANGUAGE[match[1]], int(match[2])
    if tokens > model.longest:
        return None
    draw = partial(bert if match[1].startswith("bert") else gpt2, model, tokens)
    summary = f"Language model, {tokens} tokens at once."
    source = _TRANSFORMERS.format(configuration)
    return drawn_network(slug, f"{title}, {tokens} tokens", f"{short} {tokens}", summary, source, draw)


def language_names() -> str:
    """Return the names that `language_network` knows, in words."""
    return ", ".join(f"{name}-N (N up to {model.longest} tokens)" for name, (_, _, model, _) in _LANGUAGE.items())


def _recommendation(name: str) -> LazyNetwork:
    model, words = _RECOMMENDATION[name]
    source = "goyal-2023 Table 5.1" + ("; harvard-acc/DeepRecSys at 1383176" if name in ("rm1", "rm2", "rm3") else "")
    title = f"DLRM {name.upper()}"
    summary = f"Recommendation, one user and one candidate: {words}."
    return drawn_network(f"dlrm-{name}", title, title, summary, source, partial(dlrm, model))


def _signal(slug: str) -> LazyNetwork:
    title, short, summary, draw = _SIGNALS[slug]
    source = "a point of the space of odema-2024 section B.4.3, chosen here: the publication does not name its models"
    return drawn_network(slug, title, short, summary, source, draw)


def _digits_chain() -> LazyNetwork:
    title, source = "Chain for handwritten digits", "chosen here, for networks that are trained"
    summary = "Image classification: three convolutions for the bundled digits of 8 x 8 pixels, trained in seconds."
    return drawn_network("digits-chain", title, "Digits", summary, source, digits_chain)

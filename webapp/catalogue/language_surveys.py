"""Surveys of one language model on every board that a user may use: computed in a limited process, and stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from engines.contract.bounded_cache import BoundedCache
from engines.contract.encoding.decoding import from_plain
from engines.cost.soc.model import bits_of
from engines.running.runner.limited_process import ChildLimits
from engines.running.runner.questions import ask_child
from engines.survey.language.survey_result import LanguageSurvey
from engines.survey.language.work import Conversation
from engines.survey.survey_result import SCHEMAS, SurveyOptions
from engines.workloads.families.language_passes import model_title
from webapp.catalogue.entries import DocumentEntry, list_documents
from webapp.teams.visibility import Principal

LIMITS = ChildLimits(memory_mb=2048.0, cpu_s=20, time_s=30.0)
_MOST_KEPT = 64
_kept: BoundedCache[tuple[object, ...], LanguageSurvey] = BoundedCache(_MOST_KEPT)
_kept_coefficients: BoundedCache[tuple[object, ...], Mapping[str, Any]] = BoundedCache(_MOST_KEPT)


def is_language_workload(entry: DocumentEntry) -> bool:
    """Return whether a workload has the configuration of a language model."""
    return bool(entry.content.get("configuration"))


def language_survey_of(
    principal: Principal, workload: DocumentEntry, conversation: Conversation, options: SurveyOptions
) -> LanguageSurvey:
    """Return a conversation on the devices that `principal` sees.

    Args:
        principal: who asks.
        workload: one that `is_language_workload`.
        conversation: prompt, answer and bits of the cache.
        options: bits and power mode.

    Raises:
        ProblemError: bits that nobody knows, or a configuration that cannot be read.
        BusyError, UnansweredError: the process could not answer.
    """
    key, question = _question(principal, workload, conversation, options)
    return _kept.made(
        key,
        lambda: from_plain(
            LanguageSurvey, ask_child("language_survey", question, "The survey of the language model", LIMITS)
        ),
    )


def language_coefficients_of(
    principal: Principal, workload: DocumentEntry, cache_bits: float, options: SurveyOptions
) -> Mapping[str, Any]:
    """Return `ConversationCoefficients` of the boards that `principal` sees, as JSON-able data.

    Args:
        principal: who asks.
        workload: one that `is_language_workload`.
        cache_bits: cache bits of an element of keys and values.
        options: bits and power mode.

    Raises:
        ProblemError, BusyError, UnansweredError: as `language_survey_of`.
    """
    key, question = _question(principal, workload, Conversation(cache_bits=cache_bits), options)
    words = "The survey of the language model"
    return _kept_coefficients.made(key, lambda: ask_child("language_coefficients", question, words, LIMITS))


def _question(
    principal: Principal, workload: DocumentEntry, conversation: Conversation, options: SurveyOptions
) -> tuple[tuple[object, ...], dict[str, Any]]:
    """Return the cache key of a question, and the question."""
    if options.bits:
        bits_of(options.bits)
    devices = list_documents(principal, "hardware", SCHEMAS)
    versions = ((each.name, "" if each.builtin else each.content_hash) for each in devices)
    configuration: Mapping[str, Any] = workload.content["configuration"]
    question = {
        "configuration": configuration,
        "name": model_title(workload.title),
        "devices": [(each.name, each.content) for each in devices],
        "options": asdict(options),
        "conversation": asdict(conversation),
    }
    return (workload.name, workload.content_hash, *versions, conversation, options), question

"""Surveys of devices for a language model: the speed of a conversation on each, and why a device cannot hold the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from engines.contract.encoding.decoding import encoded
from engines.contract.errors import ProblemError
from engines.cost.soc.model import bits_of
from engines.documents import families
from engines.survey.language.boards import board_row, capacity_bytes
from engines.survey.language.coefficients import conversation_coefficients
from engines.survey.language.survey_result import LanguageRow, LanguageSurvey
from engines.survey.language.work import Conversation, ConversationWork, decoder_of
from engines.survey.survey_result import PACKAGES, SurveyOptions
from engines.workloads.language.model import LanguageModel
from engines.workloads.language.reader import read_language_model
from hardware.bits import bit_widths
from hardware.package.model import ChipletPackage
from hardware.soc.model import Soc

_USUAL, _USUAL_CONVERSATION = SurveyOptions(), Conversation()
_OTHERS = 3


def survey_language(
    model: LanguageModel,
    devices: Sequence[tuple[str, Soc | ChipletPackage]],
    conversation: Conversation = _USUAL_CONVERSATION,
    options: SurveyOptions = _USUAL,
) -> LanguageSurvey:
    """Return a survey of one conversation on every device.

    Args:
        model: network that runs.
        devices: names and devices.
        conversation: prompt, answer and bits of the cache.
        options: bits and power mode.

    Raises:
        ProblemError: the model writes no words, or bits that nobody knows.
    """
    decoder = decoder_of(model)
    if options.bits:
        bits_of(options.bits)
    work = ConversationWork(model, conversation)
    rows = [_row(name, device, work, options) for name, device in devices]
    capacities = {name: capacity_bytes(device) for name, device in devices if isinstance(device, Soc)}
    rows = [_with_others(each, rows, capacities) for each in rows]
    prompt = work.prefill(bit_widths("fp16"), every_expert=False)
    return LanguageSurvey(
        network=model.name,
        architecture=model.architecture,
        layers=decoder.depth,
        parameters=work.parameters,
        active_parameters=model.active_parameters(),
        macs=conversation.prompt_tokens * prompt.operations / 2,
        cache_bytes=int(model.cache_bytes(conversation.tokens, conversation.cache_bits)),
        state_bytes=int(model.state_bytes(conversation.cache_bits)),
        prompt_tokens=conversation.prompt_tokens,
        answer_tokens=conversation.answer_tokens,
        cache_bits=conversation.cache_bits,
        devices=tuple(sorted(rows, key=_order)),
        notes=model.notes,
    )


def answer_language(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the survey of documents as they are sent to a process of its own, as JSON-able data.

    Args:
        question: `configuration`, with `name`; `devices`, lists of name and content each; `options` and `conversation`, fields of
            `SurveyOptions` and `Conversation`.

    Raises:
        ProblemError: as `survey_language`; or the configuration cannot be read.
    """
    model = read_language_model(question["configuration"], question["name"])
    devices, unread = _read_devices(question["devices"])
    conversation = Conversation(**question.get("conversation", {}))
    found = survey_language(model, devices, conversation, SurveyOptions(**question.get("options", {})))
    return encoded(replace(found, devices=(*found.devices, *unread)))


def answer_coefficients(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the coefficients of the boards of a question as `answer_language` takes it; prompt and answer do not matter.

    Raises:
        ProblemError: as `answer_language`.
    """
    model = read_language_model(question["configuration"], question["name"])
    devices, _ = _read_devices(question["devices"])
    boards = [(name, device) for name, device in devices if isinstance(device, Soc) and not device.by_dataflow]
    cache_bits = Conversation(**question.get("conversation", {})).cache_bits
    options = SurveyOptions(**question.get("options", {}))
    return encoded(conversation_coefficients(model, boards, cache_bits, options))


def _read_devices(
    documents: Iterable[tuple[str, Mapping[str, Any]]],
) -> tuple[list[tuple[str, Soc | ChipletPackage]], list[LanguageRow]]:
    """Return the devices that compute, and rows of those that cannot be read."""
    devices: list[tuple[str, Soc | ChipletPackage]] = []
    unread = []
    for name, content in documents:
        try:
            device = families.load(content, "hardware")
            if not isinstance(device, Soc) or device.units:  # a receiver or a sensor computes nothing
                devices.append((name, device))
        except ProblemError as error:  # stored by an earlier version: the others are surveyed all the same
            title, schema = str(content.get("title", name)), str(content.get("schema", ""))
            unread.append(LanguageRow(name, title, schema, reason=str(error)))
    return devices, unread


def _row(name: str, device: Soc | ChipletPackage, work: ConversationWork, options: SurveyOptions) -> LanguageRow:
    if isinstance(device, Soc) and not device.by_dataflow:
        return board_row(name, device, work, options)
    reason = "No estimate: the survey estimates conversations on boards alone. Import the prefill and decode networks"
    schema = "soc/1" if isinstance(device, Soc) else PACKAGES
    return LanguageRow(name, device.title, schema, reason=f"{reason} to run them on accelerators and packages")


def _with_others(row: LanguageRow, rows: Sequence[LanguageRow], capacities: Mapping[str, int | None]) -> LanguageRow:
    """Return a row whose memory is too small with the boards of least memory that hold the conversation."""
    if row.fits is not False:
        return row
    able = [each for each in rows if each.fits and each.able]
    able.sort(key=lambda each: (capacities[each.device] or 0, each.latency_s or inf))
    names = ", ".join(each.device for each in able[:_OTHERS])
    return replace(row, reason=f"{row.reason} Boards with enough memory: {names}.") if names else row


def _order(row: LanguageRow) -> tuple[bool, float, float]:
    return not row.able, row.latency_s or inf, -(row.decode_tokens_per_s or 0.0)

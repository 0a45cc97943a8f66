"""Addresses of the survey, and of the engines that look closer at one of its devices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any
from urllib.parse import urlencode

from pydantic import ValidationError

from engines.contract.errors import ProblemError
from engines.documents.document_consumers import takers_of
from engines.registry import get_engine
from engines.survey.language.survey_result import LanguageRow
from engines.survey.language.work import Conversation
from engines.survey.survey_result import SurveyRow
from engines.workloads.document_families import NETWORK
from frontend.conversation_address import CONVERSATION
from frontend.pages.upload.result import unpriced_operators

_DIGITS = 9


@dataclass(frozen=True)
class SurveyQuestion:
    """The question in an address of the survey.

    Attributes:
        workload: name of the network; "" for none yet.
        show: kind of the devices that are shown; "" for all.
        bits, mode: bits of weights and activations, and power mode; "" for those of each device.
        file: what became of a file that was dropped, as `read_file` has it.
        device: name of the only one that is shown; "" for all.
        prompt, answer, cache: tokens of prompt and answer, and bits of the cache, of a language model; "" for the usual ones.
    """

    workload: str = ""
    show: str = ""
    bits: str = ""
    mode: str = ""
    file: str = ""
    device: str = ""
    prompt: str = ""
    answer: str = ""
    cache: str = ""

    @classmethod
    def read(cls, asked: Mapping[str, Any] | None) -> SurveyQuestion:
        """Return the question of the page; missing parts are empty."""
        return cls(**{each.name: str((asked or {}).get(each.name) or "") for each in fields(cls)})


def conversation_of(asked: SurveyQuestion) -> Conversation:
    """Return the conversation that an address asks of a language model.

    Raises:
        ProblemError: a value is no number, or out of range.
    """
    given: dict[str, Any] = {}
    for field, text, number in (
        ("prompt_tokens", asked.prompt, int), ("answer_tokens", asked.answer, int), ("cache_bits", asked.cache, float)
    ):  # fmt: skip
        if text:
            try:
                given[field] = number(text)
            except ValueError:
                raise ProblemError(field, text, "a number") from None
    return Conversation(**given)


def survey_address(asked: SurveyQuestion) -> str:
    """Return the address of a survey."""
    return "/survey?" + urlencode({key: each for key, each in asdict(asked).items() if each}, safe="/@")


def deeper_address(device: SurveyRow, network: str) -> tuple[str, str] | None:
    """Return the title of the first engine that takes both the device and a network, and its form filled in with them.

    None for none.
    """
    for engine, slot in takers_of("hardware", device.schema):
        found = get_engine(engine)
        taking = [name for name, kind in found.inputs.items() if kind.takes(NETWORK.kind, NETWORK.schema)]
        if not taking:
            continue
        inputs, params = ({}, {}) if device.priced is None else (device.priced.inputs, device.priced.params)
        more = {name: value for name, value in inputs.items() if name in found.inputs}
        more |= {name: value for name, value in params.items() if name in found.Params.model_fields}
        try:
            found.Params.model_validate({name: value for name, value in params.items() if name in more})
        except ValidationError:  # bits that a survey takes and the engine does not offer
            return None
        query = {"engine": engine, slot: device.name, taking[0]: network, **more}
        return found.title, "/new?" + urlencode(query, safe="/@")
    return None


def conversation_form(device: LanguageRow, network: str, asked: SurveyQuestion) -> tuple[str, str] | None:
    """Return title and filled-in form of the first engine that takes the device and conversations with a network; None for none.

    Args:
        device: with its bits.
        network: name of the language model.
        asked: the conversation and the power mode.
    """
    conversation = conversation_of(asked)
    numbers = {name: f"{getattr(conversation, name):g}" for name in CONVERSATION}
    query = {**numbers, "bits": device.bits or "", **({"power_mode": asked.mode} if asked.mode else {})}
    for engine, slot in takers_of("hardware", device.schema):
        found = get_engine(engine)
        taking = [name for name, kind in found.inputs.items() if kind.takes(NETWORK.kind, NETWORK.schema)]
        if taking and set(found.Params.model_fields) >= set(query):
            return found.title, "/new?" + urlencode(
                {"engine": engine, slot: device.device, taking[0]: network, **query}, safe="/@"
            )
    return None


def read_network(answer: Any) -> str:
    """Return the name of the network that a file became.

    "" for one that was refused, has unknown operators, or is something else.
    """
    body = answer.get("body") if isinstance(answer, Mapping) else None
    if not isinstance(body, Mapping) or answer.get("status") not in (200, 201) or body.get("schema") != NETWORK.schema:
        return ""
    report = body.get("report")
    if isinstance(report, Mapping) and unpriced_operators(report):
        return ""
    return f"{body['project']}/{body['slug']}" if body.get("project") else str(body.get("slug"))


def read_file(answer: Mapping[str, Any]) -> str:
    """Return the outcome of a network file: "new-2" where it is version 2 now, "same-2" where that has the same content."""
    body = answer["body"]
    return f"{'new' if body.get('created') else 'same'}-{body.get('version')}"


def file_words(file: str, name: str) -> str:
    """Return the same as a sentence; "" where the address says nothing of the kind."""
    state, _, number = file.partition("-")
    if not number.isdecimal() or len(number) > _DIGITS:
        return ""
    return {
        "new": f"The file is stored as version {number} of {name}.",
        "same": f"The same content exists already, as version {number} of {name}. Nothing new is stored.",
    }.get(state, "")

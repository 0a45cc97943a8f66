"""Options and output of surveys of language models on the command line."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.table import Table

from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.survey.language.survey_result import LanguageRow, LanguageSurvey
from engines.survey.language.work import Conversation
from engines.workloads.language.reader import is_language_model
from webapp.catalogue.imports import names_file, read_upload, upload_of
from webapp.catalogue.language_surveys import is_language_workload
from webapp.catalogue.service import get_entry
from webapp.teams.visibility import Principal

_USUAL = Conversation()
_OPTIONS = {
    "prompt": "prompt_tokens", "answer": "answer_tokens", "cache_bits": "cache_bits", "battery_wh": "battery_wh",
    "flash_mb_per_s": "flash_mb_per_s",
}  # fmt: skip
_ON_REQUEST = {"Per charge": "conversations_per_charge", "First load (s)": "first_load_s"}
_GIGA, _WHOLE_FROM = 1e9, 1000


def add_conversation_arguments(parser: ArgumentParser) -> None:
    """Add `--prompt`, `--answer` and `--cache-bits`, for language models."""
    group = parser.add_argument_group("language models")
    group.add_argument(
        "--prompt", type=int, metavar="N", help=f"tokens of the prompt (default: {_USUAL.prompt_tokens})"
    )
    group.add_argument(
        "--answer", type=int, metavar="N", help=f"tokens of the answer (default: {_USUAL.answer_tokens})"
    )
    words = f"bits of an element of keys and values in the cache (default: {_USUAL.cache_bits:g})"
    group.add_argument("--cache-bits", type=float, metavar="BITS", help=words)
    words = "energy of the battery, for conversations per charge"
    group.add_argument("--battery-wh", type=float, metavar="WH", help=words)
    words = "rate at which weights are read from flash in MB/s, for the time of the first load"
    group.add_argument("--flash-mb-per-s", type=float, metavar="RATE", help=words)


def conversation_fields(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of `Conversation` that the options give."""
    return {field: options[name] for name, field in _OPTIONS.items() if options[name] is not None}


def refuse_conversation(options: Mapping[str, Any]) -> None:
    """Refuse options of language models for another network.

    Raises:
        ProblemError: one is given.
    """
    for name in _OPTIONS:
        if options[name] is not None:
            way = "Give the config.json of a language model, or leave the option out."
            accepted = "left out for other networks than language models"
            raise ProblemError(name, options[name], accepted, remedies=[way])


def named_configuration(given: str) -> tuple[str, Mapping[str, Any]] | None:
    """Return name and content of the model configuration in a file; None for other files.

    Raises:
        ProblemError: the file cannot be read.
    """
    path = Path(given)
    if path.suffix.lower() == ".gguf":
        configuration = read_upload(upload_of(path)).content.get("configuration")
        return (_model_name(path), configuration) if configuration else None
    if not names_file(given) or path.suffix.lower() != ".json":
        return None
    try:
        content = json.loads(upload_of(path).data)
    except (ValueError, RecursionError):  # the reader of documents says what is wrong
        return None
    return (_model_name(path), content) if is_language_model(content) else None


def stored_configuration(user: Principal, given: str) -> tuple[str, Mapping[str, Any]] | None:
    """Return title and configuration of a language model of the catalogue; None for anything else.

    Raises:
        ProblemError: there is no such workload.
    """
    if names_file(given):
        return None
    entry = get_entry(user, "workload", given)
    return (entry.title, entry.content["configuration"]) if is_language_workload(entry) else None


def language_json(found: LanguageSurvey, bits: str) -> dict[str, Any]:
    """Return the survey as the command writes it: the keys of every survey, and those of language models."""
    plain = asdict(found)
    return {**plain, "bits": bits or None, "devices": [_device(each) for each in found.devices]}


def _device(row: LanguageRow) -> dict[str, Any]:
    sources = dict.fromkeys(filter(None, (row.prefill_source, row.decode_source)))
    plain = {**asdict(row), "mapping": row.unit or None, "source": "; ".join(sources) or None}
    return {name: None if value == "" else value for name, value in plain.items()}


def language_table(found: LanguageSurvey) -> Table:
    """Return the devices that run the model as a table, with results for battery and flash memory if given."""
    title = (
        f"{found.network}: {many(found.layers, 'layer')}, {found.parameters / 1e6:.5g} M parameters; prompt of "
        f"{found.prompt_tokens:,} and answer of {found.answer_tokens:,} tokens, cache {found.cache_bytes / 1e6:.3g} MB"
    )
    table = Table(title=title, padding=0)
    table.add_column("Device", no_wrap=True)
    for name in ("First token (s)", "Tokens/s", "Whole (s)", "J/token", "Memory (GB)", "Context"):
        table.add_column(name, justify="right")
    more = [
        (title, field)
        for title, field in _ON_REQUEST.items()
        if any(getattr(row, field) is not None for row in found.devices)
    ]
    for title, _ in more:
        table.add_column(title, justify="right")
    for name in ("Bits", "Certainty"):
        table.add_column(name, no_wrap=True)
    for row in found.devices:
        if row.able:
            table.add_row(
                row.device, _number(row.time_to_first_token_s), _number(row.decode_tokens_per_s), _number(row.latency_s),
                _number(row.energy_per_token_j), _number(row.peak_memory_bytes, 1 / _GIGA),
                "-" if row.largest_context_tokens is None else f"{row.largest_context_tokens:,}",
                *(_number(getattr(row, field)) for _, field in more), row.bits, row.certainty,
            )  # fmt: skip
    return table


def _number(value: float | None, factor: float = 1.0) -> str:
    if value is None:
        return "-"
    return f"{value * factor:.3g}" if value * factor < _WHOLE_FROM else f"{value * factor:,.0f}"


def _model_name(path: Path) -> str:
    """Return the file's name, or that of its folder for a config.json."""
    return path.resolve().parent.name if path.stem == "config" else path.stem

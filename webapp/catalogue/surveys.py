"""Surveys of one network on every device that a user may use: computed in a limited process, and stored."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from engines.contract.bounded_cache import BoundedCache
from engines.contract.encoding.decoding import from_plain
from engines.contract.errors import ProblemError
from engines.cost.soc.model import bits_of
from engines.running.runner.limited_process import ChildLimits
from engines.running.runner.questions import ask_child
from engines.survey.survey_result import SCHEMAS, Survey, SurveyOptions
from engines.workloads.document_families import NETWORK
from webapp.catalogue.entries import DocumentEntry, list_documents
from webapp.teams.visibility import Principal

# The built-in devices take a third of a second with a network of 50 layers, and a few seconds with one of a thousand.
LIMITS = ChildLimits(memory_mb=3072.0, cpu_s=40, time_s=60.0)
_MOST_KEPT = 64
_USUAL = SurveyOptions()
_kept: BoundedCache[tuple[str, ...], Survey] = BoundedCache(_MOST_KEPT)


def survey_of(principal: Principal, network: DocumentEntry, options: SurveyOptions = _USUAL) -> Survey:
    """Return the network on the devices that `principal` sees, priced by calibrations that `principal` sees.

    Args:
        principal: who asks.
        network: a workload that `principal` sees.
        options: bits and power mode.

    Raises:
        ProblemError: it is no network, or has operations that no cost model knows; or bits that nobody knows.
        BusyError, UnansweredError: the process could not answer.
    """
    if network.schema != NETWORK.schema:
        raise ProblemError("workload", network.name, "the name of a network, not of a scenario of several")
    if options.bits:
        bits_of(options.bits)
    devices = list_documents(principal, "hardware", SCHEMAS)
    # Built-in calibrations are known wherever devices are priced.
    calibrations = [each for each in list_documents(principal, "calibration") if not each.builtin]
    key = (*map(_said, (network, *devices, *calibrations)), options.bits, options.power_mode)
    return _kept.made(key, lambda: _surveyed(network, devices, calibrations, options))


def _surveyed(
    network: DocumentEntry, devices: list[DocumentEntry], calibrations: list[DocumentEntry], options: SurveyOptions
) -> Survey:
    question: dict[str, Any] = {
        "network": network.content,
        "devices": [(each.name, each.content) for each in devices],
        "calibrations": [(each.name, each.content) for each in calibrations],
        "options": asdict(options),
    }
    return from_plain(Survey, ask_child("survey", question, "The survey", LIMITS))


def _said(entry: DocumentEntry) -> str:
    """Return the part of a document on which a survey depends; the name is enough for a built-in one."""
    return f"{entry.kind} {entry.name} {'' if entry.builtin else entry.content_hash}"

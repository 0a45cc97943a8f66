"""Surveys devices for a network: which of them run it, how fast and with how much energy, and which cannot and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines.contract.encoding.decoding import encoded
from engines.contract.errors import ProblemError
from engines.cost.memory_capacity import memory_demand
from engines.cost.soc.model import bits_of, counted_bits
from engines.documents import families
from engines.survey.packages import price_package
from engines.survey.public_fits import fitted_estimate, indistinct
from engines.survey.socs import price_soc, too_large
from engines.survey.survey_result import (
    PACKAGES,
    SOCS,
    DeviceEstimate,
    Survey,
    SurveyOptions,
    SurveyRow,
    UnsupportedNetworkError,
    reached,
)
from engines.workloads.loader import load_network
from engines.workloads.network import Network, Scenario, ScenarioModel
from engines.workloads.unknown_operators import require_priced
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.calibration.model import SocCalibration
from hardware.package.model import ChipletPackage
from hardware.soc.model import Soc

Calibrations = Sequence[tuple[str, SocCalibration]]
_USUAL = SurveyOptions()


def survey(
    network: Network,
    devices: Sequence[tuple[str, Soc | ChipletPackage]],
    calibrations: Calibrations = (),
    options: SurveyOptions = _USUAL,
) -> Survey:
    """Return survey one sample of the network on every device.

    Args:
        network: network that runs.
        devices: names and devices.
        calibrations: names and calibrations that count before the built-in ones.
        options: bits and power mode.

    Raises:
        ProblemError: the network has operations that no cost model knows, or none that computes; or bits that nobody knows.
    """
    _require_known(network)
    if options.bits:
        bits_of(options.bits)
    found = [_surveyed(name, device, network, calibrations, options) for name, device in devices]
    ordered = _in_order(found)
    totals = (network.title, len(network.layers), float(network.macs))
    return Survey(*totals, ordered, network.parameters, indistinct(ordered))


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the survey of documents as they are sent to a process of its own, as JSON-able data.

    Args:
        question: `network`, the content of its document; `devices` and `calibrations`, lists of name and content each; `options`,
            fields of `SurveyOptions`.

    Raises:
        ProblemError: as `survey`; or the network's document cannot be read.
    """
    network = load_network(question["network"])
    calibrations = [(name, load_calibration(content)) for name, content in question["calibrations"]]
    devices, unread = [], []
    for name, content in question["devices"]:
        try:
            device = families.load(content, "hardware")
            if not isinstance(device, Soc) or device.units:  # a receiver or a sensor computes nothing
                devices.append((name, device))
        except ProblemError as error:  # stored by an earlier version: the others are surveyed all the same
            title, schema = str(content.get("title", name)), str(content.get("schema", ""))
            unread.append(SurveyRow(name, title, schema, None, str(error)))
    found = survey(network, devices, calibrations, SurveyOptions(**question.get("options", {})))
    return encoded(replace(found, devices=(*found.devices, *unread)))


def _surveyed(
    name: str, device: Soc | ChipletPackage, network: Network, calibrations: Calibrations, options: SurveyOptions
) -> SurveyRow:
    schema = SOCS if isinstance(device, Soc) else PACKAGES
    try:
        priced = (
            _priced_soc(device, network, calibrations, options)
            if isinstance(device, Soc)
            else price_package(device, network, options)
        )
        row = SurveyRow(name, device.title, schema, priced)
    except UnsupportedNetworkError as error:
        row = SurveyRow(name, device.title, schema, None, str(error))
    return _with_memory(row, device, network, options)


def _priced_soc(soc: Soc, network: Network, calibrations: Calibrations, options: SurveyOptions) -> DeviceEstimate:
    """Return the estimate by a calibration of the device, else by public measurements of boards, else by its data sheet."""
    calibrated = {each.soc for _, each in calibrations} | {
        content["soc"] for content in builtin_calibrations().values()
    }
    own = not calibrated.isdisjoint(soc.names)
    fitted = None if own else fitted_estimate(soc, network, options)
    if fitted is None:
        return price_soc(soc, network, calibrations, options)
    if unfit := too_large(soc, network):
        raise UnsupportedNetworkError(unfit)
    return fitted


def _with_memory(row: SurveyRow, device: Soc | ChipletPackage, network: Network, options: SurveyOptions) -> SurveyRow:
    """Return the row with what the network needs, in the bits that the estimate counts or that are asked for."""
    name = row.priced.bits if row.priced else options.bits
    if isinstance(device, Soc) and not name:
        return row
    bits = bits_of(name) if isinstance(device, Soc) else counted_bits(device.bits, options.bits)
    demand = memory_demand([ScenarioModel(network, 1)], stated=not options.bits)
    capacity = device.memory.capacity_bytes if device.memory else None
    need = demand.total_bytes(bits)
    return replace(
        row, weight_bytes=demand.weight_bytes(bits), peak_memory_bytes=need,
        fits=None if capacity is None else need <= capacity,
    )  # fmt: skip


def _require_known(network: Network) -> None:
    require_priced(Scenario(network.slug, network.title, (ScenarioModel(network, 1),), network.source), "workload")
    if not network.layers:
        raise ProblemError("workload", network.slug, "a network with a layer that computes")


def _in_order(found: Sequence[SurveyRow]) -> tuple[SurveyRow, ...]:
    """Return able devices by rising energy-delay product, those of the front marked, then by latency alone; then the others."""
    marked = [replace(each, on_front=mark) for each, mark in zip(found, reached(found), strict=True)]
    able = [(each.priced.best.edp_js, each.priced.best.latency_s, at) for at, each in enumerate(marked) if each.priced]
    return (*(marked[at] for *_, at in sorted(able)), *(each for each in marked if each.priced is None))

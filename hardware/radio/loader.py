"""Reads hardware documents of schema `radio/1` into `Radio`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardware.document_reader import contents_of, document_loader, sources_of_figures, validated
from hardware.errors import HardwareError
from hardware.radio.model import Radio, RadioState
from hardware.radio.schema import RadioDocument, RadioStateSection, ThroughputSection

RADIOS = Path(__file__).parent / "builtin"
_FIGURE_SECTIONS = ("transfer_power", "typical_throughput", "typical_delay", "states")
_BITS_PER_MBIT = 1e6


def builtin_radios() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every radio that ships with the product; read once per process."""
    return contents_of(RADIOS)


@document_loader
def load_radio(content: Mapping[str, Any], file: str) -> Radio:
    """Return the radio that a document describes."""
    document = validated(RadioDocument, content, file)
    power = document.transfer_power
    if power.uplink_mw_per_mbps is None and power.downlink_mw_per_mbps is None:
        accepted = "given, or downlink_mw_per_mbps given"
        reason = "A radio transfers data in at least one direction."
        raise HardwareError(file, "transfer_power.uplink_mw_per_mbps", None, accepted, reason=reason)
    return Radio(
        slug=document.slug,
        title=document.title,
        technology=document.technology,
        base_power_w=power.base_mw / 1e3,
        uplink_j_per_bit=_joules_per_bit(power.uplink_mw_per_mbps),
        downlink_j_per_bit=_joules_per_bit(power.downlink_mw_per_mbps),
        typical_bits_per_s=_throughput(document.typical_throughput),
        round_trip_s=None if document.typical_delay is None else document.typical_delay.round_trip_ms / 1e3,
        states={name: _state(section) for name, section in document.states.items()},
        sources=sources_of_figures(document.sources, content, _FIGURE_SECTIONS, file),
    )


def _joules_per_bit(mw_per_mbps: float | None) -> float | None:
    return None if mw_per_mbps is None else mw_per_mbps / 1e3 / _BITS_PER_MBIT


def _throughput(section: ThroughputSection | None) -> dict[str, float]:
    given = {} if section is None else {"uplink": section.uplink_mbps, "downlink": section.downlink_mbps}
    return {direction: mbps * _BITS_PER_MBIT for direction, mbps in given.items() if mbps is not None}


def _state(section: RadioStateSection) -> RadioState:
    duration_s = None if section.duration_ms is None else section.duration_ms / 1e3
    return RadioState(section.power_mw / 1e3, duration_s)

"""Reads hardware documents of schema `sensor-node/1` into `SensorNode`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardware.battery.loader import SECONDS_PER_HOUR, energy_store
from hardware.document_reader import check_ascending, contents_of, document_loader, sources_of_figures, validated
from hardware.errors import HardwareError
from hardware.sensor_node.model import MeasuredNode, NodeProcessor, RatedSensor, SensorNode, SteadySensor
from hardware.sensor_node.schema import (
    MeasuredSection,
    NodeProcessorSection,
    RatedSensorSection,
    SensorNodeDocument,
    SteadySensorSection,
)

SENSOR_NODES = Path(__file__).parent / "builtin"
KIB = 2**10
_FIGURE_SECTIONS = ("high_power_sensor", "low_power_sensors", "processor", "radio", "battery", "measured")


def builtin_sensor_nodes() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every sensor node that ships with the product; read once per process."""
    return contents_of(SENSOR_NODES)


@document_loader
def load_sensor_node(content: Mapping[str, Any], file: str) -> SensorNode:
    """Return the sensor node that a document describes."""
    document = validated(SensorNodeDocument, content, file)
    check_ascending(document.high_power_sensor.rates_hz, "high_power_sensor.rates_hz", file, "ascending rates")
    _check_writing(document.processor, file)
    if document.measured:
        _check_measured(document.measured, document.high_power_sensor, file)
    return SensorNode(
        slug=document.slug,
        title=document.title,
        rated_sensor=_rated(document.high_power_sensor),
        steady_sensors={name: _steady(name, section) for name, section in document.low_power_sensors.items()},
        processor=_processor(document.processor),
        transfer_j_per_bit=document.radio.transfer_energy_nj_per_bit / 1e9 if document.radio else None,
        battery=energy_store(document.battery) if document.battery else None,
        measured=_measured(document.measured) if document.measured else None,
        sources=sources_of_figures(document.sources, content, _FIGURE_SECTIONS, file),
    )


def _check_writing(processor: NodeProcessorSection, file: str) -> None:
    if processor.write_power_mw is not None and processor.write_energy_pj_per_bit is not None:
        got, accepted = processor.write_energy_pj_per_bit, "left out where write_power_mw is given"
        raise HardwareError(file, "processor.write_energy_pj_per_bit", got, accepted)


def _check_measured(measured: MeasuredSection, sensor: RatedSensorSection, file: str) -> None:
    if measured.rate_hz not in sensor.rates_hz:
        accepted = f"one of high_power_sensor.rates_hz: {', '.join(f'{rate:g}' for rate in sensor.rates_hz)}"
        raise HardwareError(file, "measured.rate_hz", measured.rate_hz, accepted)
    total = sum(measured.power_shares_percent.values())
    # Printed shares are rounded to whole per cent: five of them are at most 2.5 off, and nobody prints many more.
    if measured.power_shares_percent and not 95 <= total <= 105:
        got = f"{total:g} in all"
        raise HardwareError(file, "measured.power_shares_percent", got, "shares that add up to 100 ± 5")


def _rated(section: RatedSensorSection) -> RatedSensor:
    return RatedSensor(
        name=section.name,
        rates_hz=tuple(section.rates_hz),
        sample_bits=section.sample_bits,
        active_power_w=_watts(section.active_power_mw),
        standby_power_w=_watts(section.standby_power_mw),
    )


def _steady(name: str, section: SteadySensorSection) -> SteadySensor:
    return SteadySensor(name, section.rate_hz, _watts(section.power_mw))


def _processor(section: NodeProcessorSection) -> NodeProcessor:
    energy_pj = section.write_energy_pj_per_bit
    return NodeProcessor(
        clock_hz=None if section.clock_mhz is None else section.clock_mhz * 1e6,
        active_power_w=section.active_power_mw / 1e3,
        idle_power_w=section.idle_power_mw / 1e3,
        write_power_w=_watts(section.write_power_mw),
        write_j_per_bit=None if energy_pj is None else energy_pj / 1e12,
        flash_bytes=_bytes(section.flash_kib),
        ram_bytes=_bytes(section.ram_kib),
    )


def _measured(section: MeasuredSection) -> MeasuredNode:
    total = sum(section.power_shares_percent.values())
    life_h = section.battery_life_h
    return MeasuredNode(
        rate_hz=section.rate_hz,
        battery_life_s=None if life_h is None else life_h * SECONDS_PER_HOUR,
        power_shares={part: share / total for part, share in section.power_shares_percent.items()},
    )


def _watts(power_mw: float | None) -> float | None:
    return None if power_mw is None else power_mw / 1e3


def _bytes(size_kib: float | None) -> int | None:
    return None if size_kib is None else round(size_kib * KIB)

"""Schema `sensor-node/1`: what a document of a sensor node may say. Units stand in the names, as in `chiplet-package/1`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from hardware.battery.schema import StoreSection
from hardware.sections import Section, Slug, SourcedHeader, named, not_negative, positive

Power = Annotated[float, Field(ge=0, le=1e6)]
Rate = Annotated[float, Field(gt=0, le=1e6)]
Size = Annotated[float, Field(gt=0, le=1e9)]
Share = Annotated[float, Field(gt=0, le=100)]


def _maybe(title: str, unit: str, description: str) -> Any:
    return Field(default=None, title=title, description=description, json_schema_extra={"unit": unit})


class RatedSensorSection(Section):
    """The sensor that takes much power and whose rate can be set."""

    name: Slug = Field(title="Name", description="Name in the power shares.")
    rates_hz: Annotated[list[Rate], Field(min_length=1, max_length=200)] = Field(
        title="Rates", description="Rates that can be set, ascending.", json_schema_extra={"unit": "Hz"}
    )
    sample_bits: float = positive("Sample", "bit", "Size of a stored or sent sample, compressed.", 1e12)
    active_power_mw: Power | None = _maybe("Active power", "mW", "While it samples; left out: not published.")
    standby_power_mw: Power | None = _maybe("Standby power", "mW", "Between samples; left out: not published.")


class SteadySensorSection(Section):
    """A sensor that takes little power and is always on."""

    rate_hz: Rate | None = _maybe("Rate", "Hz", "Samples per second.")
    power_mw: Power | None = _maybe("Power", "mW", "Always on; left out: not published.")


class NodeProcessorSection(Section):
    """The processor, with the memory that it writes samples to."""

    clock_mhz: Annotated[float, Field(gt=0, le=1e5)] | None = _maybe("Clock", "MHz", "Clock of the processor.")
    active_power_mw: float = not_negative("Active power", "mW", "While it computes.", 1e6)
    idle_power_mw: float = not_negative("Idle power", "mW", "While it waits.", 1e6)
    write_power_mw: Power | None = _maybe("Write power", "mW", "While it writes samples to memory.")
    write_energy_pj_per_bit: Power | None = _maybe("Write energy", "pJ/bit", "Instead of write power.")
    flash_kib: Size | None = _maybe("Flash", "KiB", "For code and samples.")
    ram_kib: Size | None = _maybe("RAM", "KiB", "Working memory.")


class TransferSection(Section):
    """The radio of the node, described by the energy of a bit."""

    transfer_energy_nj_per_bit: float = not_negative("Transfer energy", "nJ/bit", "Per bit sent.", 1e9)


class MeasuredSection(Section):
    """The whole device at one rate."""

    rate_hz: float = positive("Rate", "Hz", "Rate of the sensor whose rate can be set.", 1e6)
    battery_life_h: Annotated[float, Field(gt=0, le=1e6)] | None = _maybe("Battery life", "h", "At that rate.")
    power_shares_percent: Annotated[dict[Slug, Share], Field(max_length=26)] = Field(
        default={},
        title="Power shares",
        description="Part -> share of the total power, as published. Rounded shares are scaled to add up.",
        json_schema_extra={"unit": "%"},
    )


class SensorNodeDocument(SourcedHeader):
    """A hardware document of schema `sensor-node/1`."""

    schema_name: Literal["sensor-node/1"] = named()
    high_power_sensor: RatedSensorSection = Field(title="High-power sensor", description="Whose rate can be set.")
    low_power_sensors: Annotated[dict[Slug, SteadySensorSection], Field(max_length=26)] = Field(
        default={}, title="Low-power sensors", description="Name -> sensor that is always on."
    )
    processor: NodeProcessorSection = Field(title="Processor", description="With its memory.")
    radio: TransferSection | None = Field(default=None, title="Radio", description="Energy of a bit sent.")
    battery: StoreSection | None = Field(
        default=None, title="Battery", description="Battery, with the fields of battery/1."
    )
    measured: MeasuredSection | None = Field(default=None, title="Measured", description="The whole device.")

"""Schema `radio/1`: the keys and values of a radio document. Units are part of key names, as in `chiplet-package/1`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from hardware.sections import Section, Slug, SourcedHeader, named, not_negative

Technology = Literal["wifi", "umts", "lte", "nr", "bluetooth"]
Slope = Annotated[float, Field(ge=0, le=1e6)]
Throughput = Annotated[float, Field(gt=0, le=1e6)]


def _slope(title: str, description: str) -> Any:
    return Field(default=None, title=title, description=description, json_schema_extra={"unit": "mW per Mbit/s"})


class TransferPowerSection(Section):
    """Power while data are moved: base + uplink slope x throughput up + downlink slope x throughput down."""

    base_mw: float = not_negative("Base power", "mW", "While data are moved, whatever the throughput.", 1e6)
    uplink_mw_per_mbps: Slope | None = _slope("Uplink slope", "Extra power per Mbit/s of upload. Left out: unknown.")
    downlink_mw_per_mbps: Slope | None = _slope(
        "Downlink slope", "Extra power per Mbit/s of download. Left out: unknown."
    )


class RadioStateSection(Section):
    """A state around a transfer."""

    power_mw: float = not_negative("Power", "mW", "In the state.", 1e6)
    duration_ms: Annotated[float, Field(gt=0, le=1e7)] | None = Field(
        default=None,
        title="Duration",
        description="Duration of one pass. Left out: as long as nothing happens.",
        json_schema_extra={"unit": "ms"},
    )


class ThroughputSection(Section):
    """Throughput that the source measured or names."""

    uplink_mbps: Throughput | None = Field(
        default=None, title="Uplink", description="Typical.", json_schema_extra={"unit": "Mbit/s"}
    )
    downlink_mbps: Throughput | None = Field(
        default=None, title="Downlink", description="Typical.", json_schema_extra={"unit": "Mbit/s"}
    )


class DelaySection(Section):
    """Delay of the network behind the radio, whatever is sent."""

    round_trip_ms: Annotated[float, Field(gt=0, le=1e5)] = Field(
        title="Round trip",
        description="Time of a small packet to a server and back while the radio is connected.",
        json_schema_extra={"unit": "ms"},
    )


class RadioDocument(SourcedHeader):
    """A hardware document of schema `radio/1`."""

    schema_name: Literal["radio/1"] = named()
    technology: Technology = Field(title="Technology", description="nr is 5G.")
    transfer_power: TransferPowerSection = Field(title="Transfer power", description="Power by throughput.")
    typical_throughput: ThroughputSection | None = Field(
        default=None, title="Typical throughput", description="Throughput that the source measured or names."
    )
    typical_delay: DelaySection | None = Field(
        default=None, title="Typical delay", description="Delay that the source measured or names."
    )
    states: Annotated[dict[Slug, RadioStateSection], Field(max_length=20)] = Field(
        default={}, title="States", description="Name -> state around a transfer (promotion, tail, ...)."
    )

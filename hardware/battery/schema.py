"""Schema `battery/1`: the keys and values of a battery document. Units are part of key names, as in `chiplet-package/1`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hardware.sections import Section, SourcedHeader, named, positive


class StoreSection(Section):
    """The figures of a battery, in a document of its own or within that of a device."""

    capacity_wh: float = positive("Capacity", "Wh", "Energy of the full battery.", 1e6)
    nominal_voltage_v: Annotated[float, Field(gt=0, le=1000)] | None = Field(
        default=None, title="Voltage", description="Nominal.", json_schema_extra={"unit": "V"}
    )
    minimum_level_share: Annotated[float, Field(ge=0, lt=1)] = Field(
        default=0.0,
        title="Minimum level",
        description="Share of the capacity below which the device must not go; 0: all can be used.",
    )


class BatteryDocument(StoreSection, SourcedHeader):
    """A hardware document of schema `battery/1`."""

    schema_name: Literal["battery/1"] = named()

"""Schema `battery/1`: what a document of a battery may say. Units stand in the names, as in `chiplet-package/1`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from hardware.sections import Section, Slug, Words, positive

BATTERY_SCHEMA = "battery/1"


class StoreSection(Section):
    """The figures of a battery, in a document of its own or within that of a device."""

    capacity_wh: float = positive("Capacity", "Wh", "Of the full battery.", 1e6)
    nominal_voltage_v: Annotated[float, Field(gt=0, le=1000)] | None = Field(
        default=None, title="Voltage", description="Nominal.", json_schema_extra={"unit": "V"}
    )
    minimum_level_share: Annotated[float, Field(ge=0, lt=1)] = Field(
        default=0.0,
        title="Minimum level",
        description="Share of the capacity below which the device must not go; 0: all can be used.",
    )


class BatteryDocument(StoreSection):
    """A hardware document of schema `battery/1`."""

    schema_name: Literal["battery/1"] = Field(alias="schema", title="Schema", description="Which schema this is.")
    slug: Slug = Field(title="Slug", description="Name in the catalogue: small letters, digits, hyphens.")
    title: Words = Field(title="Title")
    summary: str = Field(default="", max_length=2000, title="Summary")
    source: Words = Field(title="Source", description="Where the battery is described.")
    sources: dict[str, Words] = Field(
        title="Sources", description="Dotted key -> where its figure is from; as in chiplet-package/1."
    )


def battery_json_schema() -> dict[str, Any]:
    """The published JSON Schema (draft 2020-12) of `battery/1`."""
    schema = BatteryDocument.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": BATTERY_SCHEMA, **schema}

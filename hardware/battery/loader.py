"""Reads hardware documents of schema `battery/1` into `Battery`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardware.battery.model import Battery, EnergyStore
from hardware.battery.schema import BatteryDocument, StoreSection
from hardware.document_reader import contents_of, document_loader, sources_of_figures, validated

BATTERIES = Path(__file__).parent / "builtin"
SECONDS_PER_HOUR = 3600.0
_FIGURES = ("capacity_wh", "nominal_voltage_v", "minimum_level_share")


def builtin_batteries() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every battery that ships with the product; read once per process."""
    return contents_of(BATTERIES)


def energy_store(section: StoreSection) -> EnergyStore:
    """Return the figures of a battery in SI units."""
    return EnergyStore(
        capacity_j=section.capacity_wh * SECONDS_PER_HOUR,
        nominal_voltage_v=section.nominal_voltage_v,
        minimum_share=section.minimum_level_share,
    )


@document_loader
def load_battery(content: Mapping[str, Any], file: str) -> Battery:
    """Return the battery that a document describes."""
    document = validated(BatteryDocument, content, file)
    sources = sources_of_figures(document.sources, content, _FIGURES, file)
    return Battery(**vars(energy_store(document)), slug=document.slug, title=document.title, sources=sources)

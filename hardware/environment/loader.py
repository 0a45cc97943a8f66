"""Reads environment documents of schema `environment/1` into `Environment`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hardware.document_reader import check_ascending, contents_of, document_loader, validated
from hardware.environment.model import Environment, Period, Profile
from hardware.environment.schema import EnvironmentDocument, PeriodSection, ProfileSection
from hardware.errors import HardwareError
from hardware.sources import spread_sources
from hardware.units import UNITS, UNITS_IN_WORDS, Unit

ENVIRONMENTS = Path(__file__).parent / "builtin"


def builtin_environments() -> Mapping[str, Mapping[str, Any]]:
    """Return slug -> content of every environment that ships with the product; read once per process."""
    return contents_of(ENVIRONMENTS)


def unit_of(symbol: str, key: str, file: str) -> Unit:
    """Return the unit of that symbol.

    Raises:
        HardwareError: there is none.
    """
    if symbol not in UNITS:
        raise HardwareError(file, key, symbol, UNITS_IN_WORDS)
    return UNITS[symbol]


@document_loader
def load_environment(content: Mapping[str, Any], file: str) -> Environment:
    """Return the environment that a document describes."""
    document = validated(EnvironmentDocument, content, file)
    # A profile has one source, not one per point.
    figures = ["duration_s", *(f"profiles.{name}" for name in document.profiles)]
    figures += [f"periods.{index}" for index in range(len(document.periods))]
    return Environment(
        slug=document.slug,
        title=document.title,
        duration_s=document.duration_s,
        profiles={name: _profile(name, section, file) for name, section in document.profiles.items()},
        periods=tuple(_period(index, section, file) for index, section in enumerate(document.periods)),
        sources=spread_sources(document.sources, figures, file),
    )


def _profile(name: str, section: ProfileSection, file: str) -> Profile:
    key = f"profiles.{name}"
    unit = unit_of(section.unit, f"{key}.unit", file)
    if len(section.values) != len(section.times_s):
        raise HardwareError(
            file, f"{key}.values", f"{len(section.values)} values", f"{len(section.times_s)} values, one per time"
        )
    if section.times_s[0] != 0:
        raise HardwareError(file, f"{key}.times_s.0", section.times_s[0], "0", reason="A profile starts at time 0.")
    check_ascending(section.times_s, f"{key}.times_s", file, "times ascend")
    values = np.asarray(section.values, np.float64) * unit.factor
    return Profile(name, section.title, unit.base, np.asarray(section.times_s, np.float64), values, section.between)


def _period(index: int, section: PeriodSection, file: str) -> Period:
    if section.end_s <= section.start_s:
        raise HardwareError(file, f"periods.{index}.end_s", section.end_s, f"above {section.start_s:g}, the start")
    return Period(section.start_s, section.end_s, section.title)

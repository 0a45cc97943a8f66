"""Declarations of parameters that all engines with a search share."""

from __future__ import annotations

from typing import Any

from engines.contract.parameter_fields import number


def evaluations_field(
    default: int,
    bounds: tuple[int, int],
    unit: str,
    description: str,
    *,
    title: str = "Evaluations",
    group: str = "Search",
) -> Any:
    """Declare the budget: the largest number of evaluations, counted in `unit`."""
    return number(default, bounds, unit, title, group, description)


def population_field(
    default: int,
    bounds: tuple[int, int],
    unit: str,
    description: str,
    *,
    group: str = "Search",
    advanced: bool = True,
) -> Any:
    """Declare the population: the number of individuals per generation, counted in `unit`."""
    return number(default, bounds, unit, "Population", group, description, advanced=advanced)

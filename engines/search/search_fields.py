"""Parameters of searches, as every engine with one has them."""

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
    """Return the field of the budget: the number of evaluations, counted in `unit`."""
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
    """Return how many of what `unit` says make a generation."""
    return number(default, bounds, unit, "Population", group, description, advanced=advanced)

"""What a number of a design means: its name with unit, its sense and its role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Sense = Literal["minimise", "maximise", "none"]
Role = Literal["objective", "constraint", "metric", "decision"]
SHARE = "of one"  # unit of a share of one, which pages show in per cent


@dataclass(frozen=True)
class Quantity:
    """One column of a set of designs.

    Attributes:
        name: column name; ends in its unit where it has one (`latency_s`, `energy_j`).
        title: what people read, without unit ("Latency").
        unit: SI unit symbol of the stored value ("s", "J", "J·s", "" for a plain number, `SHARE`). Display adds the prefix.
        sense: which direction is better; "none" for a quantity that is only shown.
        role: "objective" (spans the front), "constraint" (a slack: negative means violated by that much),
            "metric" (reported) or "decision" (a scalar that was chosen).
        help: one sentence: how it is computed, with the source equation.
    """

    name: str
    title: str
    unit: str = ""
    sense: Sense = "none"
    role: Role = "metric"
    help: str = ""


def objectives_of(quantities: Iterable[Quantity]) -> tuple[Quantity, ...]:
    """The quantities that span the front, in their given order."""
    return tuple(q for q in quantities if q.role == "objective")


def by_name(quantities: Iterable[Quantity]) -> Mapping[str, Quantity]:
    """Quantities keyed by column name.

    Raises:
        ValueError: if two share a name.
    """
    table: dict[str, Quantity] = {}
    for quantity in quantities:
        if quantity.name in table:
            raise ValueError(f"Two quantities are named {quantity.name!r}; column names must differ.")
        table[quantity.name] = quantity
    return table

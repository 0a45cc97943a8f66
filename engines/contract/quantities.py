"""Quantities: the columns of designs with name, unit, sense and role."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from engines.contract.certainty import NumberCertainty

Sense = Literal["minimise", "maximise", "none"]
Role = Literal["objective", "constraint", "metric", "decision"]
SHARE = "of one"  # unit of a share of one, which pages show in per cent


@dataclass(frozen=True)
class Quantity:
    """One column of a set of designs.

    Attributes:
        name: column name; ends in its unit if it has one (`latency_s`, `energy_j`).
        title: title on pages, without unit ("Latency").
        unit: SI unit symbol of the stored value ("s", "J", "J·s", "" for a plain number, `SHARE`). Display adds the prefix.
        sense: the better direction, "minimise" or "maximise"; "none" for a quantity that is only shown.
        role: "objective" (spans the front), "constraint" (a slack: negative means violated by that much),
            "metric" (reported) or "decision" (a scalar that was chosen).
        help: tooltip, one sentence: how it is computed, with the source equation.
        without: column with the same quantity of the design without the method, which answers compare it with; "" for none.
        certainty: certainty of its values in one run; None outside of runs and for values that are not estimates (slack,
            decisions).
    """

    name: str
    title: str
    unit: str = ""
    sense: Sense = "none"
    role: Role = "metric"
    help: str = ""
    without: str = ""
    certainty: NumberCertainty | None = field(default=None, compare=False)

    @property
    def tooltip(self) -> str:
        """Return the tooltip of the column's heading: how it is computed, and how certain its values are."""
        return " ".join(filter(None, [self.help, self.certainty.sentence if self.certainty else ""])) or self.name


@dataclass(frozen=True)
class ObjectiveChoice:
    """The choice of objectives by parameters of an engine.

    Attributes:
        columns: columns that can be objectives; those that are not chosen have the role "metric".
        chosen: parameters -> names of the chosen columns.
    """

    columns: tuple[str, ...]
    chosen: Callable[[Any], Collection[str]]

    def roles(self, quantities: Iterable[Quantity], params: object) -> tuple[Quantity, ...]:
        """Return the quantities with their roles under these parameters."""
        chosen = self.chosen(params)
        roles: dict[str, Role] = {name: "objective" if name in chosen else "metric" for name in self.columns}
        return tuple(replace(each, role=roles.get(each.name, each.role)) for each in quantities)


def objectives_of(quantities: Iterable[Quantity]) -> tuple[Quantity, ...]:
    """Return the quantities with the role "objective", in their given order."""
    return tuple(q for q in quantities if q.role == "objective")


def by_name(quantities: Iterable[Quantity]) -> Mapping[str, Quantity]:
    """Return the quantities keyed by column name.

    Raises:
        ValueError: if two share a name.
    """
    table: dict[str, Quantity] = {}
    for quantity in quantities:
        if quantity.name in table:
            raise ValueError(f"Two metrics are named {quantity.name!r}; column names must differ.")
        table[quantity.name] = quantity
    return table

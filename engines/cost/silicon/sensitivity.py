"""The sensitivity of a cost to each parameter of a document of silicon costs, for a tornado plot.

Every figure of the document is made smaller and larger by the same share, one at a time, and the cost is computed anew. Of a yield
it is the loss that changes: a fifth less of 99.99 % would be another technology, a fifth more of 0.01 % is another day.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from hardware.errors import HardwareError
from hardware.silicon.loader import FIGURE_SECTIONS, load_silicon_costs
from hardware.silicon.model import SiliconCosts
from hardware.validation import figures_of

_YIELD = "yield_percent"


@dataclass(frozen=True)
class Swing:
    """The effect of one parameter.

    Attributes:
        key: dotted key of the value in the document.
        low, high: cost with the lowered and raised parameter; for a yield, with lowered and raised loss.
        given: value in the document.
        low_value, high_value: lowered and raised value.
    """

    key: str
    low: float
    high: float
    given: float
    low_value: float
    high_value: float

    @property
    def width(self) -> float:
        """The difference of the cost between the lowered and raised parameter, in USD."""
        return abs(self.high - self.low)


def tornado(content: Mapping[str, Any], cost: Callable[[SiliconCosts], float], share: float = 0.2) -> tuple[Swing, ...]:
    """Return the cost with each input lowered and raised by `share`, the most influential input first.

    The cost of a value that the document cannot have (a share above 100 %) is that of the given one.

    Args:
        content: document of the schema `silicon-cost/1`.
        cost: silicon costs -> cost in USD.
        share: relative change of each parameter.
    """
    given_cost = cost(load_silicon_costs(content))
    found = []
    for key in figures_of(content, FIGURE_SECTIONS):
        value = _value(content, key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue  # a rule, not a number
        tried = [_scaled(key, value, factor) for factor in (1 - share, 1 + share)]
        costs = [_changed_cost(content, key, each, cost) for each in tried]
        low, high = (given_cost if each is None else each for each in costs)
        found.append(Swing(key, low, high, float(value), *tried))
    return tuple(sorted(found, key=lambda swing: (-swing.width, swing.key)))


def _scaled(key: str, value: float, factor: float) -> float:
    return 100.0 - (100.0 - value) * factor if key.endswith(_YIELD) else value * factor


def _value(content: Mapping[str, Any], key: str) -> Any:
    return reduce(lambda part, name: part[name], key.split("."), content)


def _changed_cost(
    content: Mapping[str, Any], key: str, value: float, cost: Callable[[SiliconCosts], float]
) -> float | None:
    """Return the cost with another value; None where the document cannot have it."""
    try:
        return cost(load_silicon_costs(_with(content, key.split("."), value)))
    except HardwareError:
        return None


def _with(content: Mapping[str, Any], path: list[str], value: float) -> dict[str, Any]:
    name, *rest = path
    return {**content, name: _with(content[name], rest, value) if rest else value}

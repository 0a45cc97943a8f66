"""Limits that an engine declares: the slack of designs, limits that no design can meet, the gap, and remedies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR
from decimal import Context as Digits

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.contract.numeric.milli_units import NO_BREAK, SHOWN_UNITS, in_thousandths
from engines.contract.plan import Bound, PlanCheck
from engines.contract.problem import EngineParams
from engines.contract.progress.step import Infeasibility
from engines.contract.quantities import Quantity

LIMIT_SLACK = Quantity(
    "limit_slack", "Limit slack", "", "none", "constraint",
    "Smallest distance to any limit, as a share of that limit. Negative: a limit is violated. 1: no limits are set.",
)  # fmt: skip
_DIGITS = 6
Columns = Mapping[str, npt.ArrayLike]
Remedies = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Limit:
    """A parameter that bounds a column of designs; the value None sets no limit.

    Attributes:
        param: name of the parameter.
        column: name of the bounded column.
        title: name of the column within a sentence ("latency").
        unit: unit of the parameter.
        upper: True for an upper limit, False for a lower one.
        scale: units of the column per unit of the parameter: 1e6 for megabytes and a column in bytes.
        per: divisor column of a limit on a quotient; the comparison multiplies instead of dividing.
        remedies: further (way to meet the limit, field to change) pairs.
        has_slack: True if designs that violate it are evaluated and get a negative slack; False if the engine refuses them.
    """

    param: str
    column: str
    title: str
    unit: str
    upper: bool = True
    scale: float = 1.0
    per: str = ""
    remedies: Remedies = ()
    has_slack: bool = True

    def values(self, columns: Columns) -> FloatArray:
        """Return the limited value of each design, in the unit of the parameter, shape as the columns."""
        found = np.asarray(columns[self.column], dtype=np.float64) / self.scale
        return np.asarray(found / np.asarray(columns[self.per]) if self.per else found)

    def room(self, bound: float, columns: Columns) -> FloatArray:
        """Return the slack to `bound` as a share of it, below 0 exactly for designs that violate it, shape as the columns."""
        found = np.asarray(columns[self.column], dtype=np.float64) / self.scale
        most = bound * np.asarray(columns[self.per], dtype=np.float64) if self.per else np.float64(bound)
        left = most - found if self.upper else found - most
        return np.asarray(left / np.where(most == 0, 1.0, most))

    def words(self, value: float) -> str:
        """Return `value` with its unit, rounded to the side on which a design with `value` still meets it as a limit."""
        if self.upper and self.unit in SHOWN_UNITS:
            return in_thousandths(value, self.unit)
        digits = Digits(prec=_DIGITS, rounding=ROUND_CEILING if self.upper else ROUND_FLOOR)
        number = f"{digits.create_decimal(repr(float(value))).normalize():f}"
        return f"{number}{NO_BREAK}{self.unit}" if self.unit else number

    def change(self, value: float, *, named: bool = True) -> str:
        """Return the change of the limit that admits `value`: "Allow at least 3 ms", or named "allow at least 3 ms of latency"."""
        words = f"{'Allow at least' if self.upper else 'Ask for at most'} {self.words(value)}"
        return f"{words[:1].lower()}{words[1:]} of {self.title}" if named else words


Allowed = Mapping[Limit, float]


def allowed_by(limits: Iterable[Limit], params: EngineParams) -> dict[Limit, float]:
    """Return limit -> value for the limits that parameters set, in the units of the parameters."""
    values = ((limit, getattr(params, limit.param)) for limit in limits)
    return {limit: float(value) for limit, value in values if value is not None}


def minimum_slack(allowed: Allowed, columns: Columns) -> FloatArray:
    """Return the smallest slack of each design over all limits, 1 without limits, shape as the columns."""
    room = np.ones(np.shape(next(iter(columns.values()))))
    for limit, bound in allowed.items():
        room = np.minimum(room, limit.room(bound, columns))
    return room


def beyond(
    title: str, demand: float, bound: float, unit: str, remedies: Sequence[tuple[str, str]] = ()
) -> Infeasibility:
    """Return an infeasibility with the absolute difference of `demand` and `bound` as its gap."""
    return Infeasibility(title, float(demand), float(bound), unit, abs(float(demand - bound)), tuple(remedies))


def unmet(
    limit: Limit,
    best: float,
    bound: float,
    others: Iterable[Limit] = (),
    title: str = "",
    *,
    reached: bool = True,
) -> Infeasibility:
    """Return the infeasibility of a limit that no design meets, alone or together with `others`.

    Args:
        limit: the violated limit.
        best: value of the design nearest to the limit, in the unit of the parameter.
        bound: value of the limit.
        others: limits that this design meets.
        title: replaces the title of the limit in the message.
        reached: True if a design has `best`; False if it is only a bound, and the first remedy warns that it may not be enough.
    """
    others = tuple(others)
    doubt = "" if reached else f"; {'more' if limit.upper else 'less'} may be needed"
    beside = f" within the limits on {' and '.join(other.title for other in others)}" if others else ""
    remedies = (
        (f"{limit.change(best, named=False)}{doubt}.", f"params.{limit.param}"),
        *((f"Relax the limit on {other.title}.", f"params.{other.param}") for other in others),
        *limit.remedies,
    )
    demand, there = (best, bound) if limit.upper else (bound, best)
    return beyond((title or limit.title) + beside, demand, there, limit.unit, remedies)


def ruled_out(allowed: Allowed, bounds: Iterable[Bound]) -> dict[Limit, Infeasibility]:
    """Return limit -> infeasibility for limits that no design can meet according to `bounds`, before a run starts."""
    known = {bound.column: bound for bound in bounds}
    found = {}
    for limit, most in allowed.items():
        if limit.column in known and not limit.per:
            best, reached = known[limit.column].value / limit.scale, known[limit.column].reached
            if best > most if limit.upper else best < most:
                found[limit] = unmet(limit, best, most, reached=reached)
    return found


def limit_checks(allowed: Allowed, bounds: Iterable[Bound]) -> tuple[PlanCheck, ...]:
    """Return one failed check of "Will it fit?" for each limit that no design can meet according to `bounds`."""
    lines = []
    for limit, found in ruled_out(allowed, bounds).items():
        title, side = limit.title[:1].upper() + limit.title[1:], "most" if limit.upper else "least"
        asked = f"{title} of at {side} {limit.words(allowed[limit])}"
        best = limit.words(found.demand if limit.upper else found.bound)
        lines.append(f"{asked}: no design {'needs less' if limit.upper else 'reaches more'} than {best}")
    return tuple(PlanCheck(False, line, hopeless=True) for line in lines)


def nearest(allowed: Allowed, designs: Designs) -> Infeasibility:
    """Return the infeasibility of a run without a feasible design, with the smallest change of limits that admits one.

    The size of a change is the sum over limits of the violation as a share of the limit. The first remedy names all values of the
    smallest change; changes of a single limit follow, smaller ones first.

    Raises:
        ValueError: a design meets all limits.
    """
    limits = tuple(allowed)
    short = np.array([np.maximum(-limit.room(bound, designs.columns), 0.0) for limit, bound in allowed.items()])
    total = np.nan_to_num(short, nan=np.inf).sum(axis=0)
    row = int(total.argmin())
    if total[row] == 0:
        raise ValueError("nearest must be called for limits that no design keeps.")
    broken = sorted(np.flatnonzero(short[:, row] > 0).tolist(), key=lambda number: -short[number, row])
    first, values = limits[broken[0]], [limit.values(designs.columns) for limit in limits]
    alone = sorted(_changes_of_one(short), key=lambda each: float(total[each[1]]))
    others = (
        [limit for number, limit in enumerate(limits) if number not in broken] if (short[broken[0]] == 0).any() else []
    )
    found = unmet(first, float(values[broken[0]][row]), allowed[first], others)
    together = " and ".join(limits[number].change(float(values[number][row])) for number in broken)
    remedies = (
        *([(f"{together[:1].upper()}{together[1:]}.", f"params.{first.param}")] if len(broken) > 1 else []),
        *(
            (f"{limits[number].change(float(values[number][at]), named=False)}.", f"params.{limits[number].param}")
            for number, at in alone
        ),
        *first.remedies,
    )
    return replace(found, remedies=remedies)


def _changes_of_one(short: FloatArray) -> list[tuple[int, int]]:
    """Return (index of limit, row of design) for each limit that is the only violated one of a design; the nearest such design."""
    found = []
    for number, own in enumerate(short):
        rows = np.flatnonzero((own > 0) & (np.delete(short, number, axis=0) == 0).all(axis=0))
        if len(rows):
            found.append((number, int(rows[own[rows].argmin()])))
    return found


def message_of(found: Infeasibility) -> str:
    """Return the sentence that states an infeasibility, with demand and bound."""
    unit = f" {found.unit}" if found.unit else ""
    return f"No design meets the limit on {found.limit}, {found.demand:.6g}{unit} against {found.bound:.6g}{unit}."

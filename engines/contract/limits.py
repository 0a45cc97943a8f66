"""Limits that an engine declares: what room designs leave to them, which cannot be kept, by how much, and what would mend it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from decimal import Context as Digits

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import BoolArray, FloatArray
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
    """A parameter that bounds a column of designs; None in it sets no limit.

    Attributes:
        param: name of the parameter.
        column: what it bounds.
        title: that in words within a sentence ("latency").
        unit: of the parameter.
        upper: whether designs may have at most so much; else at least.
        scale: units of the column in one of the parameter: 1e6 for megabytes of a column in bytes.
        per: the column that `column` is divided by, for a limit on a quotient; it is compared without dividing.
        remedies: what else would mend a limit that cannot be kept, each with the field to change.
        has_slack: whether designs that break it are scored, and have slack below 0; else the engine refuses them.
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
        """Return what designs have of it, in the unit of the parameter, shape as the columns."""
        found = np.asarray(columns[self.column], dtype=np.float64) / self.scale
        return np.asarray(found / np.asarray(columns[self.per]) if self.per else found)

    def room(self, bound: float, columns: Columns) -> FloatArray:
        """Return the room to `bound` as a share of it, below 0 exactly where it is broken, shape as the columns."""
        found = np.asarray(columns[self.column], dtype=np.float64) / self.scale
        most = bound * np.asarray(columns[self.per], dtype=np.float64) if self.per else np.float64(bound)
        left = most - found if self.upper else found - most
        return np.asarray(left / np.where(most == 0, 1.0, most))

    def words(self, value: float) -> str:
        """Return `value` with its unit, rounded to the side on which it can be kept as a limit."""
        if self.upper and self.unit in SHOWN_UNITS:
            return in_thousandths(value, self.unit)
        digits = Digits(prec=_DIGITS, rounding=ROUND_CEILING if self.upper else ROUND_FLOOR)
        number = f"{digits.create_decimal(repr(float(value))).normalize():f}"
        return f"{number}{NO_BREAK}{self.unit}" if self.unit else number


Allowed = Mapping[Limit, float]


def allowed_by(limits: Iterable[Limit], params: EngineParams) -> dict[Limit, float]:
    """Return the limits that parameters set, in the units of these."""
    values = ((limit, getattr(params, limit.param)) for limit in limits)
    return {limit: float(value) for limit, value in values if value is not None}


def minimum_slack(allowed: Allowed, columns: Columns) -> FloatArray:
    """Return the column of `LIMIT_SLACK`, of the shape of the other columns."""
    room = np.ones(np.shape(next(iter(columns.values()))))
    for limit, bound in allowed.items():
        room = np.minimum(room, limit.room(bound, columns))
    return room


def beyond(
    title: str, demand: float, bound: float, unit: str, remedies: Sequence[tuple[str, str]] = ()
) -> Infeasibility:
    """Return an infeasibility by what is needed and what there is, whichever has to be the larger."""
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
    """Return why a limit cannot be met, alone or with `others`.

    Args:
        limit: that one.
        best: the nearest to it that a design comes, in the unit of the parameter.
        bound: what is asked for.
        others: limits that are kept.
        title: what is limited, in place of the limit's own words.
        reached: whether a design has `best`; else no design passes it, and the first remedy says that it may not be enough.
    """
    others, ask = tuple(others), "Allow at least" if limit.upper else "Ask for at most"
    doubt = "" if reached else f"; {'more' if limit.upper else 'less'} may be needed"
    beside = f" within the limits on {' and '.join(other.title for other in others)}" if others else ""
    remedies = (
        (f"{ask} {limit.words(best)}{doubt}.", f"params.{limit.param}"),
        *((f"Relax the limit on {other.title}.", f"params.{other.param}") for other in others),
        *limit.remedies,
    )
    demand, there = (best, bound) if limit.upper else (bound, best)
    return beyond((title or limit.title) + beside, demand, there, limit.unit, remedies)


def ruled_out(allowed: Allowed, bounds: Iterable[Bound]) -> dict[Limit, Infeasibility]:
    """Return the limits that no design keeps, as is known of the columns before anything runs."""
    known = {bound.column: bound for bound in bounds}
    found = {}
    for limit, most in allowed.items():
        if limit.column in known and not limit.per:
            best, reached = known[limit.column].value / limit.scale, known[limit.column].reached
            if best > most if limit.upper else best < most:
                found[limit] = unmet(limit, best, most, reached=reached)
    return found


def limit_checks(allowed: Allowed, bounds: Iterable[Bound]) -> tuple[PlanCheck, ...]:
    """Return the lines of "Will it fit?" for limits that no design keeps."""
    lines = []
    for limit, found in ruled_out(allowed, bounds).items():
        title, side = limit.title[:1].upper() + limit.title[1:], "most" if limit.upper else "least"
        asked = f"{title} of at {side} {limit.words(allowed[limit])}"
        best = limit.words(found.demand if limit.upper else found.bound)
        lines.append(f"{asked}: no design {'needs less' if limit.upper else 'reaches more'} than {best}")
    return tuple(PlanCheck(False, line, hopeless=True) for line in lines)


def nearest(allowed: Allowed, designs: Designs) -> Infeasibility:
    """Return why no design meets the limits: the first limit that none meets, else the first that none meets with those before it.

    What is needed is that of the design which comes nearest to this limit, of those that keep the limits before it.

    Raises:
        ValueError: a design keeps all limits.
    """
    kept: BoolArray = np.ones(len(designs), dtype=bool)
    alone = {limit: limit.room(bound, designs.columns) for limit, bound in allowed.items()}
    before: list[Limit] = []
    for limit in sorted(allowed, key=lambda each: bool((alone[each] >= 0).any())):
        rows = np.flatnonzero(kept)
        kept = kept & (alone[limit] >= 0)
        if not kept.any():
            best = rows[np.argmax(alone[limit][rows])]
            return unmet(limit, float(limit.values(designs.columns)[best]), allowed[limit], before)
        before.append(limit)
    raise ValueError("nearest must be called for limits that no design keeps.")


def message_of(found: Infeasibility) -> str:
    """Return an infeasibility in one line."""
    unit = f" {found.unit}" if found.unit else ""
    return f"No design meets the limit on {found.limit}, {found.demand:.6g}{unit} against {found.bound:.6g}{unit}."

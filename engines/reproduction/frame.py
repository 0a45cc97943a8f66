"""Frame of every reproduction: runs, parts that make rows of their outcomes, and readings.

A `Part` is a function from a look at runs to rows. It is called with a look that gives blanks to list its rows without computing,
with one that notes what is asked for to know what to run, and with the outcomes in the end: so it must ask for the same runs
whatever they found, and name and reason of a row must not depend on that either.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import nan
from typing import Any, Generic, Protocol, TypeVar

from engines.contract.engine import Executor
from engines.reproduction.comparisons import Comparison, Ours

Outcome = TypeVar("Outcome")


class Case(ABC, Generic[Outcome]):
    """One run. Derive a frozen dataclass whose fields say what is run: equal cases are run once, in whatever process."""

    @abstractmethod
    def run(self) -> Outcome:
        """Return the computed outcome of the case."""

    @abstractmethod
    def blank(self) -> Outcome:
        """Return a placeholder where nothing is computed; values in it are thrown away."""


class NumberCase(Case[float]):
    """A run that finds one number; as `Case`."""

    def blank(self) -> float:
        """Return NaN for the value, for a reproduction that was not computed."""
        return nan


class OutcomeReader(Protocol):
    """Gives the outcome of a run."""

    def __call__(self, case: Case[Outcome], /) -> Outcome:
        """Return the outcome of `case`."""
        ...


Outcomes = dict[Case[Any], Any]


@dataclass(frozen=True)
class Part:
    """Comparisons that are computed together; the unit of progress, and of going on after a stop.

    Attributes:
        title: title of the computed part, different from those of other parts.
        rows: the comparisons, of published values and of the runs that it looks at. Cheap: at most arithmetic.
        quick: whether it is among the few that matter most.
    """

    title: str
    rows: Callable[[OutcomeReader], Iterable[Comparison]]
    quick: bool = False

    def listed(self) -> tuple[Comparison, ...]:
        """Return the comparisons without computed values."""
        return tuple(row.with_ours(Ours(nan, None, None)) for row in self.rows(_blank))

    def computed(self, known: Outcomes, executor: Executor) -> tuple[Comparison, ...]:
        """Return the comparisons with computed values.

        Args:
            known: outcomes of runs that other parts looked at; those of this one's own are put in.
            executor: executor of the runs.
        """
        wanted: dict[Case[Any], None] = {}

        def note(case: Case[Outcome]) -> Outcome:
            wanted[case] = None
            return case.blank()

        for _ in self.rows(note):
            pass
        new = [case for case in wanted if case not in known]
        known.update(zip(new, executor.map(_run, None, new), strict=True))
        return tuple(self.rows(known.__getitem__))


@dataclass(frozen=True)
class Reproduction:
    """The published results of a method, computed again.

    Attributes:
        engines: names of those that are run; another version of one puts what was computed out of date.
        headline: name of the comparison that represents the method where there is room for one.
        parts: in order.
        readings: name of each reading -> what it is, the default first; {} where the publication leaves nothing open.
    """

    engines: tuple[str, ...]
    headline: str
    parts: tuple[Part, ...]
    readings: Mapping[str, str] = field(default_factory=dict)


def _blank(case: Case[Outcome]) -> Outcome:
    return case.blank()


def _run(_: None, case: Case[Any]) -> Any:
    return case.run()

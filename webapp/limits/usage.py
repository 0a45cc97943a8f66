"""Usage of a project and a person: the sum of the counts of each application, see `count`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from webapp.limits.effective_limits import Allowance, of_person, of_project
from webapp.teams.models import Project

NEAR = 0.8
NAMES = ("active_runs", "stored_mb", "study_cells")
# "project" or "person", and its key -> how many runs, or bytes.
Counter = Callable[[str, int], int]
_COUNTERS: dict[str, dict[str, Counter]] = {name: {} for name in NAMES}


@dataclass(frozen=True)
class Use:
    """How much of one limit is taken.

    Attributes:
        name: "active_runs", "stored_mb" or "study_cells".
        of: "project" or "person".
        used: usage in the unit of the limit: runs or MB.
        limit: None where there is none.
    """

    name: str
    of: str
    used: float
    limit: int | None

    @property
    def left(self) -> float | None:
        """Return the remaining allowance, at least 0; None without a limit."""
        return None if self.limit is None else max(0.0, self.limit - self.used)

    @property
    def near(self) -> bool:
        """Whether four fifths of the limit are taken, or more."""
        return self.limit is not None and self.used >= NEAR * self.limit


def count(name: str, label: str, counter: Counter) -> None:
    """Count what an application stores; called once, when the applications are ready.

    Args:
        name: name of the limit, as in `Use`.
        label: what is counted; a second counter of the same label takes the place of the first.
        counter: returns runs, or bytes for "stored_mb", from short queries.
    """
    _COUNTERS[name][label] = counter


def uses(project: Project, person_id: int) -> list[Use]:
    """Return the usage of a project by all members, then that of a person in all projects."""
    return [*uses_of_project(project.pk), *uses_of_person(person_id)]


def uses_of_project(project_id: int) -> list[Use]:
    """Return the usage of a project."""
    limits = of_project(project_id)
    return [_use(name, "project", project_id, limits) for name in NAMES]


def uses_of_person(person_id: int) -> list[Use]:
    """Return the usage of a person in all projects: runs, agents' measurements for them, and stored files of documents."""
    limits = of_person(person_id)
    return [_use(name, "person", person_id, limits) for name in NAMES]


def near(project: Project, person_id: int) -> list[Use]:
    """Return the limits of which four fifths are taken; what has no limit is not even counted."""
    both = (("project", project.pk, of_project(project.pk)), ("person", person_id, of_person(person_id)))
    asked = [(name, *each) for each in both for name in NAMES if getattr(each[2], name) is not None]
    return [use for each in asked if (use := _use(*each)).near]


def used(name: str, of: str, key: int) -> float:
    """Return the usage of a limit, in its unit.

    Args:
        name: name of the limit, as in `Use`.
        of: "project" or "person".
        key: key of that project or person.
    """
    taken = sum(counter(of, key) for counter in _COUNTERS[name].values())
    return taken / 1e6 if name == "stored_mb" else float(taken)


def _use(name: str, of: str, key: int, limits: Allowance) -> Use:
    return Use(name, of, used(name, of, key), getattr(limits, name))

"""What a project and a person have taken, each figure from one query over an index.

Bytes are those of runs, kept in each run's row as it is stored (`webapp.runs.stored_bytes`), of what agents measured (of a person:
what they asked for), and of the files of documents. A file that several runs or documents name is stored once and counts for each.
What was deleted counts until it is removed for good.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, Sum

from webapp.limits.allowed import Allowance, of_person, of_project
from webapp.measuring.models import Measurement
from webapp.runs.models import DocumentFile, Run
from webapp.teams.models import Project

ACTIVE = (Run.Status.QUEUED, Run.Status.RUNNING)
NEAR = 0.8
NAMES = ("active_runs", "stored_mb", "study_cells")


@dataclass(frozen=True)
class Use:
    """How much of one limit is taken.

    Attributes:
        name: "active_runs", "stored_mb" or "study_cells".
        of: "project" or "person".
        used: in the limit's unit: runs or MB.
        limit: None where there is none.
    """

    name: str
    of: str
    used: float
    limit: int | None

    @property
    def left(self) -> float | None:
        """What may still be taken, never below 0; None without a limit."""
        return None if self.limit is None else max(0.0, self.limit - self.used)

    @property
    def near(self) -> bool:
        """Whether four fifths of the limit are taken, or more."""
        return self.limit is not None and self.used >= NEAR * self.limit


def uses(project: Project, person_id: int) -> list[Use]:
    """What is taken in a project by everybody, then by a person in all projects."""
    return [*uses_of_project(project.pk), *uses_of_person(person_id)]


def uses_of_project(project_id: int) -> list[Use]:
    """What is taken in a project."""
    limits = of_project(project_id)
    return [_use(name, "project", project_id, limits) for name in NAMES]


def uses_of_person(person_id: int) -> list[Use]:
    """What a person takes in all projects: their runs, what agents measured for them, and files of documents that they stored."""
    limits = of_person(person_id)
    return [_use(name, "person", person_id, limits) for name in NAMES]


def near(project: Project, person_id: int) -> list[Use]:
    """The limits of which four fifths are taken; what has no limit is not even counted."""
    both = (("project", project.pk, of_project(project.pk)), ("person", person_id, of_person(person_id)))
    asked = [(name, *each) for each in both for name in NAMES if getattr(each[2], name) is not None]
    return [use for each in asked if (use := _use(*each)).near]


def used(name: str, of: str, key: int) -> float:
    """How much of a limit is taken, in its unit.

    Args:
        name: of the limit, as in `Use`.
        of: "project" or "person".
        key: of that project or person.
    """
    runs = Run.objects.filter(project=key) if of == "project" else Run.objects.filter(owner=key)
    if name == "active_runs":
        return float(runs.filter(status__in=ACTIVE).count())
    if name == "study_cells":
        return float(runs.filter(study__isnull=False, deleted__isnull=True).count())
    documents = Q(version__document__project=key) if of == "project" else Q(version__created_by=key)
    of_runs = runs.order_by().aggregate(total=Sum("stored_bytes"))["total"] or 0
    measured = Measurement.objects.filter(**({"device__project": key} if of == "project" else {"asked_by": key}))
    of_agents = measured.order_by().aggregate(total=Sum("stored_bytes"))["total"] or 0
    of_files = DocumentFile.objects.filter(documents).aggregate(total=Sum("blob__size"))["total"] or 0
    return (int(of_runs) + int(of_agents) + int(of_files)) / 1e6


def _use(name: str, of: str, key: int, limits: Allowance) -> Use:
    return Use(name, of, used(name, of, key), getattr(limits, name))

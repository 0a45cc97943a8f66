"""Which limits hold: those of a project or a person where an administrator gave them some, else the site's settings."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from webapp.limits.models import OwnLimits, PersonLimits, ProjectLimits


@dataclass(frozen=True)
class RunAllowance:
    """The limits of one run.

    Attributes:
        minutes: compute time of all attempts together; None for no limit.
        memory_mb: memory in MB of its process; None for no limit.
    """

    minutes: float | None
    memory_mb: float | None


@dataclass(frozen=True)
class Allowance:
    """The limits of a project, or a person, in all; None for no limit.

    Attributes:
        active_runs: waiting or computing at the same time.
        stored_mb: storage of runs and of documents' files.
        study_cells: runs of studies.
    """

    active_runs: int | None
    stored_mb: int | None
    study_cells: int | None

    @property
    def unlimited(self) -> bool:
        """Whether nothing of it is limited."""
        return self.active_runs is None and self.stored_mb is None and self.study_cells is None


def of_run(project_id: int, person_id: int) -> RunAllowance:
    """Return the limits of a run of that user in that project: the tighter of both."""
    both = [_of_project(project_id), _of_person(person_id)]
    minutes = [_chosen(own, "run_minutes", settings.PARETOSCOPE_RUN_MINUTES_MAX) for own in both]
    memory = [_chosen(own, "run_memory_mb", settings.PARETOSCOPE_RUN_MEMORY_MAX_MB) for own in both]
    return RunAllowance(_tighter(minutes), _tighter(memory))


def of_project(project_id: int) -> Allowance:
    """Return the limits of a project."""
    own = _of_project(project_id)
    return Allowance(
        _chosen(own, "active_runs", settings.PARETOSCOPE_PROJECT_RUNS),
        _chosen(own, "stored_mb", settings.PARETOSCOPE_PROJECT_MB),
        _chosen(own, "study_cells", settings.PARETOSCOPE_PROJECT_STUDY_CELLS),
    )


def of_person(person_id: int) -> Allowance:
    """Return the limits of a user over all projects."""
    own = _of_person(person_id)
    return Allowance(
        _chosen(own, "active_runs", settings.PARETOSCOPE_PERSON_RUNS),
        _chosen(own, "stored_mb", settings.PARETOSCOPE_PERSON_MB),
        _chosen(own, "study_cells", settings.PARETOSCOPE_PERSON_STUDY_CELLS),
    )


def _of_project(project_id: int) -> OwnLimits | None:
    return ProjectLimits.objects.filter(pk=project_id).first()


def _of_person(person_id: int) -> OwnLimits | None:
    return PersonLimits.objects.filter(pk=person_id).first()


def _chosen(own: OwnLimits | None, name: str, of_site: int) -> int | None:
    """Return a limit, None where there is none (0)."""
    found = None if own is None else getattr(own, name)
    return (of_site if found is None else int(found)) or None


def _tighter(limits: list[int | None]) -> float | None:
    found = [limit for limit in limits if limit is not None]
    return float(min(found)) if found else None

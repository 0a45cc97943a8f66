"""Checks before a run starts or data is stored: whether the limits allow it.

Whoever has limits is locked for the rest of the transaction, so that two starts at the same moment do not both take the last place.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth import get_user_model

from engines.contract.integer_format import rounded
from engines.running.time_limits import FIELD as MINUTES
from engines.running.time_limits import minutes_words
from webapp.limits import effective_limits, usage
from webapp.limits.errors import LimitReachedError
from webapp.teams.models import Project

_ASK = "or ask an administrator for more"
_WAYS = {
    "active_runs": f"Wait until one has ended, stop one, {_ASK}.",
    "stored_mb": f"Delete items that you no longer need (they are removed for good after 30 days), {_ASK}.",
    "study_cells": f"Delete runs of studies, {_ASK}.",
}
_THINGS = {
    "active_runs": "runs waiting or computing",
    "stored_mb": "MB stored",
    "study_cells": "runs in studies",
}


def require_room(
    project_id: int, person_id: int | None, *, runs: int = 0, cells: int = 0, stored_bytes: int = 0
) -> None:
    """Refuse what goes beyond a limit of the project or the person. Called in the transaction that stores it.

    Args:
        project_id: project that stores it.
        person_id: whose it is; None where it is theirs already and only comes into the project.
        runs: how many begin to wait. A run also needs that something is left of what may be stored.
        cells: number of additional runs of studies.
        stored_bytes: additional storage, if known.

    Raises:
        LimitReachedError: with the field, what was asked for, and what is left.
    """
    asked = {"active_runs": runs, "study_cells": cells, "stored_mb": stored_bytes / 1e6 or (0.001 if runs else 0.0)}
    _fits("project", project_id, effective_limits.of_project(project_id), asked)
    if person_id is not None:
        _fits("person", person_id, effective_limits.of_person(person_id), asked)


def allowed_minutes(project_id: int, person_id: int, minutes: float | None) -> float | None:
    """Return the time limit of a new run: what was asked for, or the most that there is where nothing was.

    Raises:
        LimitReachedError: more was asked for than a run may compute.
    """
    most = effective_limits.of_run(project_id, person_id).minutes
    if most is None:
        return minutes
    if minutes is not None and minutes > most:
        words = f"{MINUTES}: a run may compute for at most {minutes_words(most)} here. Got {minutes_words(minutes)} instead."
        raise LimitReachedError(MINUTES, minutes, f"at most {minutes_words(most)}", words, most, 0.0)
    return most if minutes is None else minutes


def require_minutes(project_id: int, person_id: int, computed_s: float, more_minutes: float | None) -> float | None:
    """Return the most minutes that a run which continues may compute in all; None without a limit.

    Args:
        project_id: project id of the run.
        person_id: its owner.
        computed_s: compute time so far.
        more_minutes: what was asked for; None where nothing was, so that any rest will do.

    Raises:
        LimitReachedError: nothing is left, or less than was asked for.
    """
    most = effective_limits.of_run(project_id, person_id).minutes
    if most is None:
        return None
    left = max(0.0, most - computed_s / 60.0)
    if left <= 0.0 or (more_minutes is not None and more_minutes > left + 1e-9):
        wanted = "more time" if more_minutes is None else f"{minutes_words(more_minutes)} more"
        words = (
            f"more_minutes: a run may compute for at most {minutes_words(most)} here, and "
            f"{minutes_words(left) if left else 'nothing'} of that is left. Got {wanted} instead."
        )
        raise LimitReachedError(
            "more_minutes", more_minutes, f"at most {minutes_words(left)}", words, most, most - left
        )
    return most


def require_memory(project_id: int, person_id: int, memory_mb: float) -> None:
    """Refuse a run whose plan needs more memory than a run may have.

    Raises:
        LimitReachedError: it does.
    """
    most = effective_limits.of_run(project_id, person_id).memory_mb
    if most is not None and memory_mb > most:
        words = (
            f"memory_mb: a run may have at most {most:.0f} MB of memory. The estimate of this run is {memory_mb:.0f} MB. "
            f"Make the problem smaller, {_ASK}."
        )
        raise LimitReachedError("memory_mb", round(memory_mb), f"at most {most:.0f} MB", words, most, 0.0)


def _fits(of: str, key: int, limits: effective_limits.Allowance, asked: Mapping[str, float]) -> None:
    bounded = {name: limit for name in asked if asked[name] and (limit := getattr(limits, name)) is not None}
    if not bounded:
        return
    _lock(of, key)
    for name, limit in bounded.items():
        _require(name, of, asked[name], usage.used(name, of, key), limit)


def _require(name: str, of: str, wanted: float, used: float, limit: int) -> None:
    left = max(0.0, limit - used)
    if wanted <= left:
        return
    has = "You have" if of == "person" else "The project has"
    needs = (
        f"this needs {rounded(wanted)} more"
        if name != "stored_mb" or wanted >= 0.1
        else "this needs room for its results"
    )
    words = f"{name}: {has} {rounded(used)} of {rounded(limit)} {_THINGS[name]}; {rounded(left)} left, and {needs}. {_WAYS[name]}"
    raise LimitReachedError(name, round(wanted, 3), f"at most {rounded(left)} more", words, limit, used)


def _lock(of: str, key: int) -> None:
    """Lock the row until the transaction ends; rows that refer to it may still be stored by others."""
    rows = Project.objects.all() if of == "project" else get_user_model().objects.all()
    rows.select_for_update(no_key=True).filter(pk=key).values_list("pk").first()

"""The project selected in the header, to which the user's new items belong."""

from __future__ import annotations

from typing import Any

from webapp.teams.models import Project
from webapp.teams.visibility import Principal, editable_projects, personal_project

_KEY = "project"


def choose(request: Any, project: Project) -> None:
    """Remember the project for as long as the session lasts."""
    request.session[_KEY] = project.pk


def chosen(request: Any, person: Principal) -> Project:
    """Return the project that was chosen, as long as the person may make things there, else their own.

    Raises:
        NotVisible: nobody is signed in.
    """
    key = request.session.get(_KEY) if request is not None and hasattr(request, "session") else None
    found = editable_projects(person).filter(pk=key).first() if isinstance(key, int) else None
    return found or personal_project(person)

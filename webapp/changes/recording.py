"""Which models are watched, and what is written down of them.

django-auditlog sees what is stored and deleted one by one, in the admin too; what changes many rows in one statement is told by
`note`, by what does it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditlog.registry import auditlog
from auditlog.signals import pre_log
from django.apps import apps
from django.db.models import Model

from webapp.base.acting import who_acts
from webapp.changes.models import Change

# Model -> the fields whose changes are people's doing; what workers write into the same row is none of them.
WATCHED: Mapping[str, tuple[str, ...]] = {
    "auth.User": ("username", "email", "password", "is_active", "is_staff", "is_superuser"),
    "teams.Project": ("slug", "title"),
    "teams.Membership": ("project", "user", "role"),
    "teams.Invitation": ("project", "person", "role", "expires"),
    "limits.ProjectLimits": ("project", "run_minutes", "run_memory_mb", "active_runs", "stored_mb", "study_cells"),
    "limits.PersonLimits": ("person", "run_minutes", "run_memory_mb", "active_runs", "stored_mb", "study_cells"),
    "sharing.ShareLink": ("project", "kind", "number", "note", "expires"),
    "webhooks.Webhook": ("project", "url", "events", "active"),
    "measuring.AgentDevice": ("project", "name", "revoked"),
    "api.ApiToken": ("user", "name", "hint", "scope", "project", "expires"),
    "catalogue.Document": ("project", "kind", "slug", "deleted"),
    "catalogue.DocumentVersion": ("document", "number", "title", "content_hash", "reason"),
    "runs.Run": (
        *("project", "owner", "title", "parent", "study", "engine", "engine_version", "params", "seed"),
        *("stop_after_minutes", "measure", "priority", "deleted"),
    ),
    "studies.Study": ("project", "owner", "title", "engine", "engine_version", "document", "deleted"),
    "talk.Note": ("project", "kind", "number", "design", "pinned", "owner", "text", "deleted"),
    "talk.Tag": ("project", "kind", "number", "word"),
    "reports.Report": ("project", "owner", "title", "deleted"),
    "reports.ReportVersion": ("report", "number", "title", "text"),
    "comparisons.Comparison": ("project", "owner", "title", "entries", "axes", "deleted"),
}
_HIDDEN = {"auth.User": ("password",)}


def watch() -> None:
    """Watch every model of `WATCHED`; once, when the applications are ready."""
    for label, fields in WATCHED.items():
        auditlog.register(
            apps.get_model(label),
            include_fields=list(fields),
            mask_fields=list(_HIDDEN.get(label, ())),
            mask_callable="webapp.changes.recording.hidden",
        )
    pre_log.connect(_somebody_acts, dispatch_uid="changes.somebody_acts", weak=False)


def hidden(value: str) -> str:
    """What stands in the log in place of a secret."""
    return "(not shown)" if value and value != "None" else ""


def note(obj: Model, verb: str, changes: Mapping[str, tuple[Any, Any]]) -> None:
    """Write down what was done to `obj` by a statement that no signal sees; nothing where nobody acts.

    Args:
        obj: a stored row.
        verb: one of `Change.Verb`.
        changes: field or measure -> (before, after), as plain values.
    """
    if who_acts() is None:
        return
    Change.objects.log_create(
        obj,
        action=Change.Action.UPDATE,
        verb=verb,
        changes={name: list(values) for name, values in changes.items()},
    )


def _somebody_acts(sender: Any, **_facts: Any) -> bool:
    return who_acts() is not None

"""Which models are watched, and what is written down of them.

django-auditlog sees what is stored and deleted one by one, in the admin too; what changes many rows in one statement is told by
`note`, by what does it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditlog.registry import auditlog
from auditlog.signals import pre_log
from django.db.models import Model

from webapp.base.actor import who_acts
from webapp.changes.models import Change
from webapp.items.registry import items


def watch() -> None:
    """Watch every logged item; once, when the applications are ready."""
    for item in items("logged").values():
        auditlog.register(
            item.rows.model,
            include_fields=list(item.logged),
            mask_fields=list(item.secret),
            mask_callable="webapp.changes.change_recorder.hidden",
        )
    pre_log.connect(_somebody_acts, dispatch_uid="changes.somebody_acts", weak=False)


def hidden(value: str) -> str:
    """Return the text that replaces a secret in the log."""
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

"""The stored data of a change: the entry of django-auditlog with the additions of this product."""

from __future__ import annotations

from typing import Any

from auditlog.models import AbstractLogEntry, LogEntryManager
from django.db import models

from webapp.base.actor import who_acts
from webapp.teams.models import Project
from webapp.teams.ordered_json import OrderedJSONField


def project_number(obj: models.Model) -> int | None:
    """Return the key of the project that `obj` belongs to, or is; None where it belongs to none."""
    if isinstance(obj, Project):
        return int(obj.pk)
    value: Any = obj
    *path, last = str(getattr(type(obj), "PROJECT_PATH", "project")).split("__")
    for part in path:
        value = getattr(value, part)
    found: int | None = getattr(value, f"{last}_id", None)
    return found


class ChangeManager(LogEntryManager):
    """Makes entries that know their project."""

    def log_create(self, instance: models.Model, force_log: bool = False, **fields: Any) -> Change | None:
        """Return an entry about `instance`; None without changes."""
        fields.setdefault("project_id", project_number(instance))
        made: Change | None = super().log_create(instance, force_log, **fields)
        return made


class Change(AbstractLogEntry):
    """A change of one object by a user or program. It is never modified and outlives the object.

    Attributes:
        project: where the object belongs, or belonged: anyone who sees the project sees its changes. None for accounts.
        verb: action in a word.
        means: by browser, by a program through REST, or on the command line.
        who: name of the account at that time; it outlives the account.
        token: name of the program's token; "" without one.
        changes: field -> [before, after], as plain values; `cid` is the identifier of the request.
    """

    class Verb(models.TextChoices):
        """The kind of a change."""

        MADE = "made", "made"
        CHANGED = "changed", "changed"
        DELETED = "deleted", "deleted"
        RESTORED = "restored", "restored"
        PURGED = "purged", "removed for good"
        STOPPED = "stopped", "stopped"
        CONTINUED = "continued", "continued"
        SIGNED_IN = "signed-in", "signed in"
        SIGNED_OUT = "signed-out", "signed out"
        SIGN_IN_REFUSED = "refused", "sign-in refused"

    class Means(models.TextChoices):
        """By what it was done."""

        BROWSER = "browser", "browser"
        API = "api", "API"
        COMMAND = "command", "command line"

    project = models.ForeignKey(
        Project, null=True, blank=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    # As every column of JSON here: keys in their order on both databases. The last two are django-auditlog's, and stay empty.
    changes = OrderedJSONField(null=True)
    serialized_data = OrderedJSONField(null=True, editable=False)
    additional_data = OrderedJSONField(null=True, blank=True, editable=False)
    verb = models.CharField(max_length=12, choices=Verb)
    means = models.CharField(max_length=10, choices=Means)
    who = models.CharField(max_length=150, blank=True, default="")
    token = models.CharField(max_length=80, blank=True, default="")

    objects = ChangeManager()

    class Meta(AbstractLogEntry.Meta):
        ordering = ["-pk"]
        verbose_name = "change"
        verbose_name_plural = "changes"
        indexes = [
            models.Index(fields=["project", "-id"], name="changes_of_project"),
            models.Index(fields=["content_type", "object_id", "-id"], name="changes_of_object"),
        ]

    def __str__(self) -> str:
        return f"{self.who or 'somebody'}: {self.object_repr} {self.verb}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the entry, with who acts and by which means."""
        if self._state.adding:
            self._note_who()
            self.verb = self.verb or self._verb()
        super().save(*args, **kwargs)

    def _note_who(self) -> None:
        who = who_acts()
        if who is None:
            return
        account = who.account()
        self.actor_id = None if account is None else account.pk
        self.means, self.who, self.token, self.cid = who.means(), who.name()[:150], who.token(), who.request_id

    def _verb(self) -> str:
        if self.action == self.Action.CREATE:
            return self.Verb.MADE
        if self.action == self.Action.DELETE:
            return self.Verb.PURGED
        before, after = (self.changes or {}).get("deleted", (None, None))
        if before == after:
            return self.Verb.CHANGED
        return self.Verb.RESTORED if _nothing(after) else self.Verb.DELETED


def _nothing(value: Any) -> bool:
    return value in (None, "", "None")

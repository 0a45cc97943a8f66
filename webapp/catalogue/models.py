"""Documents and their immutable versions."""

from __future__ import annotations

from typing import Any, get_args

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import models

from hardware.family import DocumentKind
from webapp.teams.deletable import Deletable
from webapp.teams.models import Project
from webapp.teams.ordered_json import OrderedJSONField

KINDS: tuple[str, ...] = get_args(DocumentKind)


class Document(Deletable):
    """A named document of a project. Its versions store the content; built-in documents are files, not rows.

    Attributes:
        retired: since when an official document is not offered any more; null while it is. By its name it can still be read.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=20, choices=[(kind, kind.title()) for kind in KINDS])
    slug = models.SlugField(max_length=80)
    created = models.DateTimeField(auto_now_add=True)
    retired = models.DateTimeField(null=True, default=None, editable=False)

    OFFICIAL_PATH = "project__official"

    class Meta:
        ordering = ["kind", "slug"]
        constraints = [models.UniqueConstraint(fields=["project", "kind", "slug"], name="one_document_per_name")]

    def __str__(self) -> str:
        return str(self.slug)


class VersionQuerySet(models.QuerySet["DocumentVersion"]):
    """Versions cannot be changed, not in bulk either."""

    def update(self, **values: Any) -> int:
        """Return refused, except for forgetting the author of a version when that account is deleted."""
        if set(values) - {"created_by"}:
            raise PermissionDenied("A document version is immutable. Store a new version instead.")
        return super().update(**values)


class DocumentVersion(models.Model):
    """One version of a document: numbered from 1 on, immutable, identified by the hash of its content.

    Attributes:
        schema: the content's own `schema` key ("chiplet-package/1").
        summary: what the version describes, in a few words, made when it was stored.
        content_hash: SHA-256 (hex) of the canonical JSON of `content`.
        reason: why it was stored, in the words of who did; "" where nobody said.
    """

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    schema = models.CharField(max_length=60)
    title = models.CharField(max_length=200)
    summary = models.CharField(max_length=300, blank=True)
    content = OrderedJSONField()
    content_hash = models.CharField(max_length=64, db_index=True)
    reason = models.CharField(max_length=500, blank=True, default="")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    objects = VersionQuerySet.as_manager()
    PROJECT_PATH = "document__project"
    OFFICIAL_PATH = "document__project__official"

    class Meta:
        ordering = ["document", "-number"]
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="one_row_per_document_version")]

    def __str__(self) -> str:
        return f"{self.document.slug}@{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the version; a stored one is refused.

        Raises:
            PermissionDenied: if the version is stored already.
        """
        if not self._state.adding:
            raise PermissionDenied("A document version is immutable. Store a new version instead.")
        super().save(*args, **kwargs)


class ValueReport(models.Model):
    """A report about a value of a built-in device, stored for review.

    Attributes:
        project: whose members see the report.
        device: slug of the device.
        key: dotted, of the value in the device's document.
        value: correct value, with its unit.
        source: source of the value.
        reviewed: when an administrator settled it; null until then.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="value_reports")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    device = models.SlugField(max_length=80)
    key = models.CharField(max_length=200)
    value = models.CharField(max_length=200)
    source = models.CharField(max_length=500)
    created = models.DateTimeField(auto_now_add=True)
    reviewed = models.DateTimeField(null=True, default=None, editable=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.key} of {self.device}"

"""The catalogue in Django's admin: YAML in, checked exactly as anywhere else, with the difference to the version before."""

from __future__ import annotations

import difflib
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.forms import ModelForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from engines.contract.document_text import to_yaml
from engines.contract.errors import ProblemError
from webapp.catalogue import service
from webapp.catalogue.models import Document, DocumentVersion
from webapp.catalogue.outdated import outdated_runs
from webapp.runs.admin import ReadOnly
from webapp.teams.visibility import Principal


class DocumentForm(ModelForm):
    """A document's project, kind and the YAML of its next version."""

    principal: Principal
    content = forms.CharField(
        widget=forms.Textarea(
            attrs={"rows": 40, "cols": 120, "spellcheck": "false", "style": "font-family: monospace"}
        ),
        help_text="YAML. Saving stores the next version; versions themselves never change.",
        label="Content",
    )

    class Meta:
        model = Document
        fields = ("project", "kind")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        newest = self.instance.versions.order_by("-number").first() if self.instance.pk else None
        if newest is not None:
            self.fields["content"].initial = to_yaml(newest.content)

    def clean(self) -> dict[str, Any]:
        """Check the content with the engines' own loaders.

        Raises:
            ValidationError: beside the field that is wrong.
        """
        cleaned = super().clean() or self.cleaned_data
        kind = self.instance.kind if self.instance.pk else cleaned.get("kind")
        if "content" not in cleaned or not kind:
            return cleaned
        try:
            cleaned["checked"] = service.validate(self.principal, kind, cleaned["content"])
        except ProblemError as error:
            self.add_error("content", str(error))
            return cleaned
        if self.instance.pk and cleaned["checked"]["slug"] != self.instance.slug:
            self.add_error("content", f"slug: must be {self.instance.slug}. Add a document for another slug.")
        return cleaned


class VersionInline(ReadOnly, admin.TabularInline):
    """The versions on their document's page."""

    model = DocumentVersion
    fields = ("number", "title", "summary", "content_hash", "created_by", "created")
    readonly_fields = fields
    ordering = ("-number",)
    extra = 0
    show_change_link = True


@admin.register(Document)
class DocumentAdmin(admin.ModelAdmin):
    """Documents; saving one stores a version."""

    form = DocumentForm
    list_display = ("slug", "kind", "project", "created")
    list_filter = ("kind",)
    list_select_related = ("project",)
    search_fields = ("slug", "project__slug")
    inlines = (VersionInline,)

    def get_form(self, request: HttpRequest, obj: Document | None = None, change: bool = False, **kwargs: Any) -> Any:
        """The form, which checks as the person who sends it."""
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (form,), {"principal": request.user})

    def get_readonly_fields(self, request: HttpRequest, obj: Document | None = None) -> tuple[str, ...]:
        """Project and kind belong to a document's identity; what the last edit made out of date is told."""
        return ("project", "kind", "runs_out_of_date") if obj else ()

    @admin.display(description="Runs with an older version")
    def runs_out_of_date(self, document: Document) -> str:
        """Links to the runs that pinned an older version than the newest."""
        runs = outdated_runs(document)
        links = ((reverse("admin:runs_run_change", args=[run.pk]), run) for run in runs[:50])
        return format_html_join(", ", '<a href="{}">{}</a>', links) or "none"

    def save_model(self, request: HttpRequest, obj: Document, form: Any, change: bool) -> None:
        """Store the next version; the document itself is made with the first."""
        checked = form.cleaned_data["checked"]
        version, created = service.store_unrestricted(request.user, obj.project, obj.kind, checked)
        obj.pk, obj.slug, obj._state.adding = version.document_id, version.document.slug, False
        if created:
            text = f"Version {version.number} is stored. Runs with an older version: {outdated_runs(obj).count()}."
        else:
            text = f"Nothing has changed: version {version.number} has the same content."
        self.message_user(request, text, messages.SUCCESS if created else messages.WARNING)


@admin.register(DocumentVersion)
class DocumentVersionAdmin(ReadOnly, admin.ModelAdmin):
    """A version with its YAML and what it changed."""

    list_display = ("document", "number", "title", "schema", "created_by", "created")
    list_filter = ("document__kind", "schema")
    list_select_related = ("document", "created_by")
    search_fields = ("document__slug", "title", "content_hash")
    fields = (
        "document",
        "number",
        "title",
        "summary",
        "schema",
        "content_hash",
        "created_by",
        "created",
        "changes",
        "yaml",
    )
    readonly_fields = fields

    @admin.display(description="Changes")
    def changes(self, version: DocumentVersion) -> str:
        """The difference to the version before, as a unified diff of the YAML."""
        earlier = DocumentVersion.objects.filter(document=version.document, number=version.number - 1).first()
        before = to_yaml(earlier.content).splitlines() if earlier else []
        after = to_yaml(version.content).splitlines()
        names = (f"version {version.number - 1}", f"version {version.number}")
        lines = difflib.unified_diff(before, after, *names, lineterm="")
        return format_html("<pre>{}</pre>", "\n".join(lines)) if earlier else "the first version"

    @admin.display(description="YAML")
    def yaml(self, version: DocumentVersion) -> str:
        """The content as YAML."""
        return format_html("<pre>{}</pre>", to_yaml(version.content))

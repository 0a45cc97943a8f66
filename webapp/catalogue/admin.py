"""The catalogue in Django's admin: what is official, and documents as YAML, checked exactly as anywhere else.

Hardware has a form in the product; the admin leads there.
"""

from __future__ import annotations

import difflib
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html

from engines.contract.encoding.document_text import to_yaml
from engines.contract.errors import ProblemError
from webapp.base.read_only_admin import ReadOnly
from webapp.catalogue import service
from webapp.catalogue.differences import differences
from webapp.catalogue.document_edits import ChangedMeanwhileError, only_after
from webapp.catalogue.models import KINDS, Document, DocumentVersion, ValueReport
from webapp.catalogue.official_admin import OfficialMixin
from webapp.teams.models import Project
from webapp.teams.visibility import Principal

# Edited in the product's own form.
WITH_FORM = ("hardware",)
_MOST_KEYS = 12


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
    reason = forms.CharField(
        max_length=service.LONGEST_REASON, required=False, help_text="Why; what is official needs one.", strip=True
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = Document
        fields = ("project", "kind")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "kind" in self.fields:
            choices = [(kind, kind.title()) for kind in KINDS if kind not in WITH_FORM]
            self.fields["kind"] = forms.ChoiceField(
                choices=choices, help_text="Hardware is made in the catalogue's form, and made official here."
            )
        newest = self._newest()
        if newest is not None and "content" in self.fields:
            self.fields["content"].initial, self.fields["seen"].initial = to_yaml(newest.content), newest.number

    def _newest(self) -> DocumentVersion | None:
        return self.instance.versions.order_by("-number").first() if self.instance.pk else None

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
        project = self.instance.project if self.instance.pk else cleaned.get("project")
        if self.instance.pk:
            self._compare_with_seen(cleaned)
        elif project is not None:
            self._look_for_the_same(project, kind, cleaned["checked"]["slug"])
        if project is not None and project.official and not cleaned.get("reason"):
            self.add_error("reason", "An official entry needs a reason.")
        return cleaned

    def _look_for_the_same(self, project: Project, kind: str, slug: str) -> None:
        """Check that an added document takes no place from an existing one."""
        same = Document.objects.filter(project=project, kind=kind, slug=slug, deleted__isnull=True)
        if same.exists():
            self.add_error("content", f"slug: {project.slug} has {slug} already. Change it on its own page.")

    def _compare_with_seen(self, cleaned: dict[str, Any]) -> None:
        """Show a second editor what the first one changed; saving again goes on top of it."""
        newest = self._newest()
        if newest is None or cleaned.get("seen") == newest.number:
            return
        keys = [each.key for each in differences(newest.content, cleaned["checked"])]
        shown = ", ".join(keys[:_MOST_KEYS]) + (f" and {len(keys) - _MOST_KEYS} more" if len(keys) > _MOST_KEYS else "")
        who = newest.created_by.get_username() if newest.created_by else "somebody"
        words = (
            f"{who} has saved version {newest.number} since you opened this. Your version differs from it "
            f"in: {shown or 'nothing'}. Save again to store yours on top of it, or reload this page to "
            "discard yours."
        )
        self.add_error("content", words)
        self.data = {**self.data.dict(), "seen": str(newest.number)}  # type: ignore[attr-defined]


class VersionInline(ReadOnly, admin.TabularInline):
    """The versions on their document's page."""

    model = DocumentVersion
    fields = ("number", "title", "reason", "summary", "content_hash", "created_by", "created")
    readonly_fields = fields
    ordering = ("-number",)
    extra = 0
    show_change_link = True


@admin.register(Document)
class DocumentAdmin(OfficialMixin, admin.ModelAdmin):
    """Documents; saving one stores a version."""

    form = DocumentForm
    list_display = ("slug", "kind", "project", "official", "created")
    list_filter = ("kind", "project__official", ("retired", admin.EmptyFieldListFilter))
    list_select_related = ("project",)
    search_fields = ("slug", "project__slug")
    inlines = (VersionInline,)

    def get_form(self, request: HttpRequest, obj: Document | None = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the form, which checks as the person who sends it."""
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (form,), {"principal": request.user})

    def get_readonly_fields(self, request: HttpRequest, obj: Document | None = None) -> tuple[str, ...]:
        """Project and kind belong to a document's identity."""
        return ("project", "kind", "official_state") if obj else ()

    def get_fields(self, request: HttpRequest, obj: Document | None = None) -> Any:
        """Return the fields: hardware is edited in the product's form, so its page here has no field of text."""
        if obj is not None and obj.kind in WITH_FORM:
            return self.get_readonly_fields(request, obj)
        return super().get_fields(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Document | None = None) -> bool:
        """Return whether text may be edited: not where there is a form."""
        return (obj is None or obj.kind not in WITH_FORM) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Document | None = None) -> bool:
        """Return False for official documents, which are retired instead of deleted."""
        return (obj is None or not obj.project.official) and super().has_delete_permission(request, obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        """Return the documents with their projects, which show what is official."""
        return super().get_queryset(request).select_related("project")

    @admin.display(description="Official", boolean=True)
    def official(self, document: Document) -> bool | None:
        """Return yes, no, or retired."""
        return None if document.retired else document.project.official

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form again to whoever was overtaken between the check and the store, which undoes it; its check says why."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except ChangedMeanwhileError:
            return super().changeform_view(request, *args, **kwargs)

    def stored_message(self, version: DocumentVersion) -> str:
        """Return the message after a version is stored."""
        return f"Version {version.number} is stored."

    def save_model(self, request: HttpRequest, obj: Document, form: Any, change: bool) -> None:
        """Store the next version; the document itself is made with the first."""
        cleaned = form.cleaned_data
        version, created = service.store_unrestricted(
            request.user,
            obj.project,
            obj.kind,
            cleaned["checked"],
            only_after(cleaned.get("seen") or 0),
            cleaned.get("reason", ""),
        )
        obj.pk, obj.slug, obj._state.adding = version.document_id, version.document.slug, False
        unchanged = f"No changes: version {version.number} has the same content."
        text = self.stored_message(version) if created else unchanged
        self.message_user(request, text, messages.SUCCESS if created else messages.WARNING)


@admin.register(DocumentVersion)
class DocumentVersionAdmin(ReadOnly, admin.ModelAdmin):
    """A version with its YAML and what it changed."""

    list_display = ("document", "number", "kind", "project", "title", "schema", "created_by", "created")
    list_filter = ("document__kind", "schema")
    list_select_related = ("document__project", "created_by")
    search_fields = ("document__slug", "title", "content_hash")
    fields = (
        "document",
        "number",
        "title",
        "summary",
        "reason",
        "schema",
        "content_hash",
        "created_by",
        "created",
        "changes",
        "yaml",
    )
    readonly_fields = fields

    @admin.display(description="Kind", ordering="document__kind")
    def kind(self, version: DocumentVersion) -> str:
        """Return what the document is: names are one per kind and project alone."""
        return str(version.document.get_kind_display())

    @admin.display(description="Project", ordering="document__project__title")
    def project(self, version: DocumentVersion) -> str:
        """Return the project of the document."""
        return str(version.document.project.title)

    @admin.display(description="Changes")
    def changes(self, version: DocumentVersion) -> str:
        """Return the difference to the version before, as a unified diff of the YAML."""
        earlier = DocumentVersion.objects.filter(document=version.document, number=version.number - 1).first()
        before = to_yaml(earlier.content).splitlines() if earlier else []
        after = to_yaml(version.content).splitlines()
        names = (f"version {version.number - 1}", f"version {version.number}")
        lines = difflib.unified_diff(before, after, *names, lineterm="")
        return format_html("<pre>{}</pre>", "\n".join(lines)) if earlier else "the first version"

    @admin.display(description="YAML")
    def yaml(self, version: DocumentVersion) -> str:
        """Return the content as YAML."""
        return format_html("<pre>{}</pre>", to_yaml(version.content))


@admin.register(ValueReport)
class ValueReportAdmin(ReadOnly, admin.ModelAdmin):
    """Reported values of built-in devices, those that wait for review first."""

    list_display = ("device", "key", "value", "source", "owner", "project", "created", "reviewed")
    list_filter = (("reviewed", admin.EmptyFieldListFilter),)
    list_select_related = ("owner", "project")
    search_fields = ("device", "key", "value", "source")
    ordering = ("reviewed", "-pk")
    actions = ("settle",)
    fields = list_display
    readonly_fields = fields

    @admin.action(description="Mark as reviewed", permissions=["view"])
    def settle(self, request: HttpRequest, reports: QuerySet[ValueReport]) -> None:
        """Mark the chosen reports as reviewed."""
        count = reports.filter(reviewed__isnull=True).update(reviewed=timezone.now())
        self.message_user(request, f"{count} reviewed.", messages.SUCCESS)

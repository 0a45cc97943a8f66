"""The decisions of administrators about a document in Django's admin: that it is official, retired, or offered again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html_join

from engines.contract.errors import ProblemError
from webapp.catalogue import official_documents
from webapp.catalogue.models import Document
from webapp.catalogue.service import LONGEST_REASON
from webapp.teams.permissions import Action, Principal, is_official, may


class ReasonForm(forms.Form):
    """Why."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=forms.TextInput(attrs={"size": 80}),
        help_text="Shown in the change log and at the version.",
    )


@dataclass(frozen=True)
class Decision:
    """An administrative decision: its button, its explanation and its action."""

    verb: str
    words: str
    act: Callable[[Principal, Document, str], object]


DECISIONS = {
    "promote": Decision(
        "Make official",
        "The newest version becomes official: all projects can use it, and only administrators change it. "
        "The project keeps its own document unchanged. An existing official document of that name gets "
        "this as its next version.",
        official_documents.promote,
    ),
    "retire": Decision(
        "Retire",
        "It is no longer offered. It can still be read by its name, and runs that pinned it keep it.",
        official_documents.retire,
    ),
    "bring-back": Decision("Offer again", "All projects can use it again.", official_documents.bring_back),
}


def decisions_for(document: Document) -> tuple[str, ...]:
    """Return the names of the decisions that can be taken about a document as it is."""
    if not is_official(document):
        return ("promote",)
    return ("bring-back",) if document.retired else ("retire",)


def edit_address(document: Document) -> str:
    """Return the address of the form that edits official hardware and leads back here."""
    return f"/hardware/new?{urlencode({'from': f'{document.project.slug}/{document.slug}'}, safe='/')}"


class OfficialMixin:
    """Pages of a model's admin on which administrators decide about a document."""

    def get_urls(self: Any) -> list[Any]:
        """Return the pages of the decisions before Django's own."""
        view = self.admin_site.admin_view(self.decide)
        return [path("<int:number>/<slug:name>/decide/", view, name="catalogue_document_decide"), *super().get_urls()]  # type: ignore[misc]

    def decide(self: Any, request: HttpRequest, number: int, name: str) -> HttpResponse:
        """Ask for the reason, then carry out the decision."""
        document = get_object_or_404(Document.objects.select_related("project"), pk=number, deleted__isnull=True)
        if not (may(request.user, Action.ADMINISTER) and self.has_view_permission(request, document)):
            raise PermissionDenied
        page = reverse("admin:catalogue_document_change", args=[number])
        if name not in decisions_for(document):
            self.message_user(request, "This was already decided.", messages.WARNING)
            return redirect(page)
        decision, form = DECISIONS[name], ReasonForm(request.POST or None)
        if form.is_valid():
            try:
                decision.act(request.user, document, form.cleaned_data["reason"])
            except ProblemError as error:
                form.add_error("reason" if error.field == "reason" else None, str(error))
            else:
                return redirect(self.after(request, name, document) or page)
        context = {
            **self.admin_site.each_context(request),
            "title": f"{decision.verb}: {document.slug}",
            "document": document,
            "words": decision.words,
            "verb": decision.verb,
            "form": form,
        }
        return TemplateResponse(request, "admin/catalogue/document/decide.html", context)

    def after(self: Any, request: HttpRequest, name: str, document: Document) -> str:
        """Say what was done; the page to go on with."""
        made = official_documents.official_document(document) if name == "promote" else None
        self.message_user(request, f"{document.slug}: {DECISIONS[name].verb.lower()} is done.", messages.SUCCESS)
        return reverse("admin:catalogue_document_change", args=[made.pk]) if made else ""

    @admin.display(description="Official")
    def official_state(self, document: Document) -> str:
        """Return whether it is official, and what can be done about it."""
        links = [
            (reverse("admin:catalogue_document_decide", args=[document.pk, name]), f"{DECISIONS[name].verb}…")
            for name in decisions_for(document)
        ]
        if is_official(document) and document.kind == "hardware":
            links.insert(0, (edit_address(document), "Edit form and YAML"))
        state = "no" if not is_official(document) else "retired" if document.retired else "yes, for all projects"
        return format_html_join(" · ", "{}{}", ((state, ""),)) + format_html_join(
            "", ' · <a class="official-action" href="{}">{}</a>', links
        )

"""Decisions of administrators about documents: official, retired, offered again."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.errors import ProblemError
from webapp.api.shapes import documents as shapes
from webapp.api.shapes.base import answer, read
from webapp.api.views.common import NOT_ALLOWED, NOT_FOUND, REFUSED
from webapp.catalogue import official_documents
from webapp.catalogue.models import Document
from webapp.catalogue.service import builtin_entries, get_entry
from webapp.teams.visibility import require_visible

_DECISIONS = {
    "promote": official_documents.promote,
    "retire": official_documents.retire,
    "offer": official_documents.bring_back,
}


class OfficialView(APIView):
    """Whether a document is official."""

    @extend_schema(
        operation_id="documents_official",
        request=shapes.OfficialDecision,
        responses={200: shapes.DocumentDetail, **REFUSED, **NOT_ALLOWED, **NOT_FOUND},
        tags=["catalogue"],
    )
    def post(self, request: Request, kind: str, slug: str) -> Response:
        """Make a document of a project that you see official, retire an official one, or offer it again; for administrators."""
        body = read(shapes.OfficialDecision, request)
        if body.project == "" and any(entry.slug == slug for entry in builtin_entries(kind)):
            reason = "A built-in document has no project."
            raise ProblemError("project", body.project, "the project of a stored document", reason=reason)
        documents = Document.objects.select_related("project")
        found = require_visible(request.user, documents, kind=kind, slug=slug, project__slug=body.project)
        _DECISIONS[body.wish](request.user, found, body.reason)
        shelf = official_documents.official_project().slug
        return answer(shapes.DocumentDetail, get_entry(request.user, kind, f"{shelf}/{slug}"))

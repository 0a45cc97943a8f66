"""Documents of the catalogue."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.encoding.document_text import to_yaml
from engines.contract.errors import ProblemError
from engines.documents.families import family_of
from webapp.api import arguments
from webapp.api.pagination import PAGE, PageNumbers
from webapp.api.preconditions import CHANGED, NEW, SEEN, TAG, expected_version, tagged, version_tag
from webapp.api.shapes import documents as shapes
from webapp.api.shapes.base import answer, many, paginated, read, written
from webapp.api.views.common import NOT_ALLOWED, NOT_FOUND, PAGES, REFUSED, number, project_of, query
from webapp.catalogue import service
from webapp.catalogue.models import KINDS
from webapp.catalogue.official_documents import official_shelf
from webapp.catalogue.value_tables import values_csv
from webapp.teams.models import Membership
from webapp.teams.visibility import visible

OF_VERSION = [
    number("version", "Number of the version; the newest by default."),
    query("project", OpenApiTypes.STR, "Slug of the project, where several have a document of that name."),
]


class DocumentListView(APIView):
    """The catalogue."""

    pagination_class: type[BasePagination] = PageNumbers

    @extend_schema(
        operation_id="documents_list",
        parameters=[
            query("kind", OpenApiTypes.STR, "Only this kind.", choices=KINDS),
            query("schema", OpenApiTypes.STR, "Only these schemas, separated by commas.", many=True),
            *PAGES,
        ],
        responses={200: paginated(shapes.Document), **REFUSED},
        tags=["catalogue"],
    )
    def get(self, request: Request) -> Response:
        """Return the newest version of every document that you may use, built-ins first."""
        arguments.only(request, "kind", "schema", *PAGE)
        kinds, schemas = arguments.words(request, "kind", KINDS), arguments.words(request, "schema")
        pages = PageNumbers()
        lines: Any = service.DocumentLines(request.user, kinds, schemas)  # as much of a list as a page needs
        page: Any = pages.paginate_queryset(lines, request, view=self)
        return pages.get_paginated_response(written(many(shapes.Document), page))

    @extend_schema(
        operation_id="documents_create",
        parameters=[SEEN, NEW],
        request=shapes.NewDocument,
        responses={
            201: shapes.DocumentDetail,
            200: shapes.DocumentDetail,
            **REFUSED,
            **NOT_ALLOWED,
            **NOT_FOUND,
            **CHANGED,
        },
        tags=["catalogue"],
    )
    def post(self, request: Request) -> Response:
        """Store content as a document's next version; equal content gives the newest version back (200)."""
        body = read(shapes.NewDocument, request)
        kind = family_of(body.content).kind
        project = official_shelf(request.user, body.project) or project_of(request, body.project)
        expected = expected_version(request)
        version, created = service.store(request.user, project, kind, body.content, expected, body.reason)
        entry = service.get_entry(request.user, kind, f"{project.slug}/{version.document.slug}", version.number)
        state = status.HTTP_201_CREATED if created else status.HTTP_200_OK
        return answer(shapes.DocumentDetail, entry, state, {"ETag": version_tag(entry.version, entry.content_hash)})


class DocumentDetailView(APIView):
    """One document."""

    @extend_schema(
        operation_id="documents_read",
        parameters=[*OF_VERSION, TAG],
        responses={200: shapes.DocumentDetail, **NOT_FOUND},
        tags=["catalogue"],
    )
    def get(self, request: Request, kind: str, slug: str) -> Response:
        """Return one version of a document with its content."""
        entry = entry_of(request, kind, slug)
        tag = version_tag(entry.version, entry.content_hash)
        return tagged(request, answer(shapes.DocumentDetail, entry), tag)


class DocumentYamlView(APIView):
    """One document as YAML."""

    @extend_schema(
        operation_id="documents_yaml",
        parameters=OF_VERSION,
        responses={(200, "application/yaml"): OpenApiTypes.OBJECT, **NOT_FOUND},
        tags=["catalogue"],
    )
    def get(self, request: Request, kind: str, slug: str) -> HttpResponse:
        """Return one version of a document as YAML, to be edited and stored again."""
        entry = entry_of(request, kind, slug)
        name = f"{entry.slug}-{entry.version}.yaml"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(to_yaml(entry.content), content_type="application/yaml; charset=utf-8", headers=headers)


class DocumentValuesView(APIView):
    """The values of a hardware document as a table."""

    @extend_schema(
        operation_id="documents_values",
        parameters=OF_VERSION,
        responses={(200, "text/csv"): OpenApiTypes.STR, **NOT_FOUND},
        tags=["catalogue"],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return every value of a hardware document with unit, confidence and source, one row each."""
        entry = entry_of(request, "hardware", slug)
        headers = {"Content-Disposition": f'attachment; filename="{entry.slug}-{entry.version}.csv"'}
        return HttpResponse(values_csv(entry), content_type="text/csv; charset=utf-8", headers=headers)


class DocumentVersionsView(APIView):
    """The versions of a document."""

    @extend_schema(
        operation_id="documents_versions",
        parameters=OF_VERSION[1:],
        responses={200: many(shapes.DocumentVersion), **NOT_FOUND},
        tags=["catalogue"],
    )
    def get(self, request: Request, kind: str, slug: str) -> Response:
        """Return the stored versions, newest first; none for a built-in, which is a file with the one version 1."""
        try:
            versions = service.versions_of(request.user, kind, _name(request, slug))
        except ProblemError as error:
            raise NotFound(str(error)) from error
        return answer(many(shapes.DocumentVersion), list(versions))


class ProjectListView(APIView):
    """One's projects."""

    @extend_schema(operation_id="projects_list", responses={200: many(shapes.Project)}, tags=["projects"])
    def get(self, request: Request) -> Response:
        """Return the projects that you belong to, with your role in each."""
        arguments.only(request)
        memberships = visible(request.user, Membership.objects.select_related("project")).filter(
            user__in=[request.user.pk]
        )
        found = [
            {
                "slug": each.project.slug,
                "title": each.project.title,
                "role": each.role,
                "personal": each.project.personal_of_id == request.user.pk,
            }
            for each in memberships.order_by("project__slug")
        ]
        return answer(many(shapes.Project), found)


def entry_of(request: Request, kind: str, slug: str) -> service.DocumentEntry:
    """Return the document version of a URL with its `version` and `project`.

    Raises:
        NotFound: there is none that the user may see.
    """
    version = arguments.integer(request, "version", 0) or None
    try:
        return service.get_entry(request.user, kind, _name(request, slug), version)
    except ProblemError as error:
        raise NotFound(str(error)) from error


def _name(request: Request, slug: str) -> str:
    project = request.query_params.get("project")
    return f"{project}/{slug}" if project else slug

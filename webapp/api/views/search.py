"""The search over REST."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.errors import ProblemError
from webapp.api import arguments
from webapp.api.shapes.base import answer, many
from webapp.api.shapes.search import SearchHit
from webapp.api.views.common import REFUSED, query
from webapp.items.registry import items
from webapp.search.service import found
from webapp.search.words import words_of

MOST_PER_KIND = 20


class SearchView(APIView):
    """Search by words."""

    @extend_schema(
        operation_id="search",
        parameters=[query("q", OpenApiTypes.STR, "Words, or beginnings of words, all of which must be there.")],
        responses={200: many(SearchHit), **REFUSED},
        tags=["search"],
    )
    def get(self, request: Request) -> Response:
        """Return newest runs, studies, comparisons and documents of your projects that hold every word, at most 20 of a kind."""
        arguments.only(request, "q")
        text = request.query_params.get("q", "")
        if not words_of(text):
            raise ProblemError("q", text, "words to look for")
        hits = [(kind, each) for kind in items("searchable") for each in found(request.user, text, kind, MOST_PER_KIND)]
        shown = [
            {
                "kind": kind,
                "number": each.pk,
                "title": each.slug if kind == "document" else each.title,
                "project": each.project.slug,
            }
            for kind, each in hits
        ]
        return answer(many(SearchHit), shown)

"""Deleted items, and their restoration."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from webapp.api import arguments
from webapp.api.shapes import changes as shapes
from webapp.api.shapes.base import answer, many
from webapp.api.views.common import NOT_ALLOWED, NOT_FOUND, REFUSED
from webapp.deletions.service import deleted_things, restore


class DeletedView(APIView):
    """List of the deleted items."""

    @extend_schema(operation_id="deleted", responses={200: many(shapes.DeletedItem), **REFUSED}, tags=["deletions"])
    def get(self, request: Request) -> Response:
        """Return the deleted items of the projects that you edit, newest first.

        The own address of a deleted thing answers 404. To those who may know it, the answer says so in `deleted`: a list of `kind`,
        `number`, `at`, `by` and `restore`, the address that brings it back (null where you may not).
        """
        arguments.only(request)
        return answer(many(shapes.DeletedItem), deleted_things(request.user))


class RestoreView(APIView):
    """A deleted thing comes back."""

    @extend_schema(
        operation_id="restore",
        request=None,
        responses={200: shapes.DeletedItem, **REFUSED, **NOT_ALLOWED, **NOT_FOUND},
        tags=["deletions"],
    )
    def post(self, request: Request, kind: str, number: int) -> Response:
        """Restore a deleted item; an item that exists stays unchanged."""
        return answer(shapes.DeletedItem, restore(request.user, kind, number))

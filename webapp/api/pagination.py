"""How lists are cut into pages: by number, or by a cursor, which misses and repeats nothing while new entries come."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from rest_framework.pagination import CursorPagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

PAGE = ("page", "page_size")
CURSOR = "cursor"


class NumbersFirst(Paginator):  # type: ignore[type-arg]  # no generic while the site runs
    """A paginator that finds by numbers alone what is on a page: a database sorts them sooner than whole rows."""

    def page(self, number: int | str) -> Page[Any]:
        """Return the requested page."""
        found = super().page(number)
        if isinstance(found.object_list, QuerySet):
            numbers = list(found.object_list.prefetch_related(None).values_list("pk", flat=True))
            found.object_list = self.object_list.filter(pk__in=numbers)  # type: ignore[attr-defined]
        return found


class PageNumbers(PageNumberPagination):
    """`?page=2&page_size=100`; 50 entries a page unless asked otherwise, 500 at most."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500


class Cursors(CursorPagination):
    """Cursor pagination: `?cursor=` with the value of `next`; newest entries first.

    By number and not by time: all runs of a study have one time, and places among equals move as new ones come.
    """

    page_size = PageNumbers.page_size
    page_size_query_param = PageNumbers.page_size_query_param
    max_page_size = PageNumbers.max_page_size
    cursor_query_param = CURSOR
    ordering = "-pk"

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """Return the entries of one page, found by their numbers alone: a database sorts them sooner than whole rows."""
        light: QuerySet[Any] = queryset.select_related(None).prefetch_related(None).only("pk")
        numbers = [each.pk for each in super().paginate_queryset(light, request, view) or []]
        found = queryset.in_bulk(numbers)
        return [found[number] for number in numbers if number in found]


class Pages(PageNumbers):
    """By number, or with `?cursor=` by a cursor; that counts nothing, so that long lists cost no more than short ones."""

    django_paginator_class = NumbersFirst

    def __init__(self) -> None:
        self._cursors: Cursors | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """Return one page of the queryset."""
        if CURSOR not in request.query_params or not isinstance(queryset, QuerySet):
            return super().paginate_queryset(queryset, request, view)
        self._cursors = Cursors()
        return self._cursors.paginate_queryset(queryset, request, view)

    def get_paginated_response(self, data: Any) -> Response:
        """Return the page, with the addresses of its neighbours; by a cursor the count is null."""
        if self._cursors is None:
            return super().get_paginated_response(data)
        return Response({"count": None, **self._cursors.get_paginated_response(data).data})

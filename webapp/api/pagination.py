"""How lists are cut into pages."""

from rest_framework.pagination import PageNumberPagination

PAGE = ("page", "page_size")


class PageNumbers(PageNumberPagination):
    """`?page=2&page_size=100`; 50 entries a page unless asked otherwise, 500 at most."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500

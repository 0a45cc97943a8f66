"""Tables for spreadsheets: `?bom=1`, which buttons of pages have, puts the mark first that tells Excel their encoding."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable
from itertools import chain
from typing import Any

from django.http import HttpRequest


def csv_mark(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Return the middleware that adds the mark only for requests that ask for it."""

    def answer(request: HttpRequest) -> Any:
        response = get_response(request)
        if "bom" in request.GET and response.headers.get("Content-Type", "").startswith("text/csv"):
            if response.streaming:
                response.streaming_content = chain([BOM_UTF8], response.streaming_content)
            else:
                response.content = BOM_UTF8 + response.content
        return response

    return answer

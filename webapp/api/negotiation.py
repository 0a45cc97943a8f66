"""Content types that a request may accept: those in the description of its view, and JSON."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.utils.mediatypes import media_type_matches


class DescribedTypes(DefaultContentNegotiation):
    """Accepts the types of files too, which views answer with themselves; their errors are JSON as everywhere."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        """Select as usual; for a type that only the view's description has, the first renderer, which answers errors."""
        try:
            return super().select_renderer(request, renderers, format_suffix)
        except NotAcceptable:
            described = _described(request)
            if "*/*" in described or any(
                media_type_matches(each, asked) for each in described for asked in self.get_accept_list(request)
            ):
                return renderers[0], renderers[0].media_type
            raise


def _described(request: Request) -> list[str]:
    view = request.parser_context["view"]
    schema = getattr(getattr(view, str(request.method).lower(), None), "kwargs", {}).get("schema")
    if schema is None:
        return []
    inspector = schema()
    inspector.view = view
    answers = inspector.get_response_serializers()
    return [key[1] for key in answers if isinstance(key, tuple)] if isinstance(answers, dict) else []

"""Request bodies in YAML, read with the same limits as documents of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from webapp.catalogue.documents import MAX_CONTENT_BYTES, from_yaml


class YamlParser(BaseParser):
    """`Content-Type: application/yaml`."""

    media_type = "application/yaml"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The mapping in the body.

        Raises:
            ProblemError: it is not YAML, not a mapping, or too large.
            ParseError: it is not UTF-8.
        """
        try:
            return from_yaml(stream.read(MAX_CONTENT_BYTES + 1).decode())
        except UnicodeDecodeError as error:
            raise ParseError("The body must be UTF-8.") from error

"""Request bodies in YAML, read with the same limits as documents of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser

from engines.documents import MAX_CONTENT_BYTES
from webapp.catalogue.documents import from_yaml


class YamlParser(BaseParser):
    """`Content-Type: application/yaml`."""

    media_type = "application/yaml"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The mapping in the body.

        Raises:
            ProblemError: it is not YAML in UTF-8, not a mapping, or too large.
        """
        return from_yaml(stream.read(MAX_CONTENT_BYTES + 1), "body").content

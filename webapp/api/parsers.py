"""Request bodies: JSON, forms, and YAML with the same limits as documents of the catalogue. Only text that databases store."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import IO, Any

from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, DataAndFiles, JSONParser, MultiPartParser

from engines.contract.encoding.document_text import MAX_CONTENT_BYTES
from engines.contract.errors import ProblemError
from webapp.api.large_bodies import await_turn
from webapp.catalogue.documents import from_yaml
from webapp.runs.inputs.documents import check_texts

MAX_JSON_BYTES = 2 * 1024 * 1024  # a document of the catalogue has at most 2 MB
# An empty list takes 30 times its bytes in memory. Two megabytes of the densest built-in documents would hold a fifth of both.
MOST_VALUES, MOST_CONTAINERS = 500_000, 100_000
_ESCAPE = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")


class JsonParser(JSONParser):
    """`Content-Type: application/json`."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the parsed JSON of the body.

        Raises:
            ProblemError: it is not JSON in UTF-8, holds too many values, or a text in it holds NUL or half of a surrogate pair.
            RequestDataTooBig: it is longer than `MAX_JSON_BYTES`.
            BusyError: other large bodies are being read.
        """
        data = stream.read(MAX_JSON_BYTES + 1)
        if len(data) > MAX_JSON_BYTES:
            raise RequestDataTooBig(f"more than {MAX_JSON_BYTES} bytes of JSON")
        check_counts(data)
        await_turn(parser_context, len(data))
        try:
            found: dict[str, Any] = super().parse(io.BytesIO(data), media_type, parser_context)
        except ParseError as error:
            raise ProblemError("body", str(error), "JSON in UTF-8") from error
        if _ESCAPE.search(data):  # nothing else in JSON stands for such a character
            check_body(found)
        return found


class FormParser(MultiPartParser):
    """`Content-Type: multipart/form-data`."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> DataAndFiles[Any, Any]:
        """Return the fields and files.

        Raises:
            ProblemError: it is not such a form, or a field or the name of a file holds NUL.
        """
        try:
            found = super().parse(stream, media_type, parser_context)
        except ParseError as error:
            raise ProblemError("body", str(error), "a form (multipart/form-data)") from error
        for name, values in found.data.lists():
            check_texts("body", name)
            check_texts(name, values)
        for name, files in found.files.lists():
            check_texts(name, [str(file.name) for file in files])
        return found


def check_counts(data: bytes) -> None:
    """Refuse JSON of too many values, counted in its bytes before it is parsed; what stands in texts counts as well.

    Raises:
        ProblemError: there are more than `MOST_VALUES`, or more than `MOST_CONTAINERS` lists and mappings.
    """
    values, containers = data.count(b","), data.count(b"[") + data.count(b"{")
    if values > MOST_VALUES or containers > MOST_CONTAINERS:
        accepted = f"JSON with at most {MOST_VALUES:,} values, of them {MOST_CONTAINERS:,} lists and mappings"
        raise ProblemError("body", f"about {values:,} values, {containers:,} lists and mappings", accepted)


def check_body(body: Any) -> None:
    """Refuse a body with text that no database stores; the field begins with its uppermost key."""
    if not isinstance(body, Mapping):
        return check_texts("body", body)
    for key, value in body.items():
        check_texts("body", key)
        check_texts(key, value)
    return None


class YamlParser(BaseParser):
    """`Content-Type: application/yaml`."""

    media_type = "application/yaml"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the mapping in the body.

        Raises:
            ProblemError: it is not YAML in UTF-8, not a mapping, or too large.
            BusyError: other large bodies are being read.
        """
        data = stream.read(MAX_CONTENT_BYTES + 1)
        found = from_yaml(data, "body").content
        await_turn(parser_context, len(data))  # only now: others need not wait for the process that reads it
        check_body(found)
        return found

"""YAML that people hand in: read in a child process with limits, never in the process that serves pages."""

from __future__ import annotations

from engines.contract.encoding.document_text import MAX_CONTENT_BYTES, ReadDocument
from engines.contract.errors import ProblemError
from engines.running.runner.file_reader import read_in_child


def from_yaml(text: str | bytes, name: str = "document") -> ReadDocument:
    """Return the content of a YAML (or JSON) text, with the lines of its keys.

    Raises:
        ProblemError: the text is too long, is not YAML, uses aliases or repeated keys, or is not a mapping.
    """
    data = text.encode(errors="replace") if isinstance(text, str) else text
    if len(data) > MAX_CONTENT_BYTES:  # before a process is started for it
        raise ProblemError("document", f"{len(data)} bytes", f"a text of at most {MAX_CONTENT_BYTES} bytes")
    return read_in_child("yaml", data, name)

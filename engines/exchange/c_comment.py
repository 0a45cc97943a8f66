"""User text in C comments, escaped so that it cannot end the comment or cause compiler warnings."""

from __future__ import annotations

import re

# A space parts what ends or begins a comment, and trigraphs (`??/` is a backslash, which joins lines).
_PARTED = re.compile(r"(?<=\*)(?=/)|(?<=/)(?=\*)|(?<=\?)(?=\?)")


def plain(text: str) -> str:
    """Return text fit for a comment of one line.

    Line breaks, control characters, marks of direction and half surrogates become spaces, a backslash becomes a slash; letters of
    every script stay. Text without anything to print becomes "(no name)".
    """
    printable = "".join(each if each.isprintable() else " " for each in text.replace("\\", "/"))
    return _PARTED.sub(" ", " ".join(printable.split())) or "(no name)"

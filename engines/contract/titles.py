"""Titles and names that users enter."""

from __future__ import annotations

import unicodedata

from engines.contract.errors import ProblemError

LONGEST_TITLE = 200
# Letters and symbols that show nothing: fillers of Hangul, the empty pattern of Braille.
_EMPTY = "\u115f\u1160\u3164\uffa0\u2800"
# They turn the order of what is beside them.
_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def checked_title(field: str, text: object, longest: int = LONGEST_TITLE) -> str:
    """Return the title on one line, with runs of white space as single spaces.

    Args:
        field: field that the error names.
        text: the entered value.
        longest: largest number of characters.

    Raises:
        ProblemError: it is not text, has no visible character, is too long, or contains characters that cannot be shown.
    """
    if not isinstance(text, str):
        raise ProblemError(field, type(text).__name__, "a text")
    for character in text.strip():
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or character in _TURNING:
            accepted = "text on one line without control characters and halves of surrogate pairs"
            raise ProblemError(field, f"the character U+{ord(character):04X}", accepted)
    words = " ".join(text.split())
    if not visible_text(words):
        raise ProblemError(field, text[:longest], f"1 to {longest} characters, at least one of them visible")
    if len(words) > longest:
        raise ProblemError(field, f"{len(words)} characters", f"1 to {longest} characters")
    return words


def given_title(*given: object) -> str:
    """Return the first of these titles that is not empty, cut after `LONGEST_TITLE` characters.

    Raises:
        ProblemError: as `checked_title`.
    """
    text = next(filter(None, given))
    return checked_title("title", text[:LONGEST_TITLE] if isinstance(text, str) else text)


def visible_text(text: str) -> bool:
    """Return whether a text has at least one visible character."""
    return any(unicodedata.category(each)[0] not in "CZM" and each not in _EMPTY for each in text)

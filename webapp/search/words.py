"""Texts as words, the same on both databases: whatever their own parsers make of hyphens, dots and accents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

MOST_WORDS = 3000
_WORD = re.compile(r"[^\W_]+")
_LONGEST_WORD = 60


def words_of(*texts: object) -> list[str]:
    """Letters and digits in a row, in lower case, without accents, each once and in order of first use."""
    found: dict[str, None] = {}
    for text in texts:
        plain = "".join(c for c in unicodedata.normalize("NFKD", str(text).lower()) if not unicodedata.combining(c))
        found.update(dict.fromkeys(word[:_LONGEST_WORD] for word in _WORD.findall(plain)))
        if len(found) > MOST_WORDS:
            break
    return list(found)[:MOST_WORDS]


def kind_word(kind: str) -> str:
    """The word that stands for a kind; nobody types it."""
    return f"kind0{kind}"


def project_word(project: int) -> str:
    """The word that stands for a project."""
    return f"project0{project}"


def sqlite_question(kind: str, projects: Iterable[int], wanted: Iterable[str]) -> str:
    """What FTS5 is asked: the kind, one of the projects, and every word or its beginning."""
    among = " OR ".join(project_word(each) for each in projects)
    return " AND ".join([kind_word(kind), f"({among})", *(f'"{word}"*' for word in wanted)])


def postgresql_question(kind: str, projects: Iterable[int], wanted: Iterable[str]) -> str:
    """The same for `to_tsquery`."""
    among = " | ".join(project_word(each) for each in projects)
    return " & ".join([kind_word(kind), f"({among})", *(f"{word}:*" for word in wanted)])

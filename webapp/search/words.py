"""Texts as words, the same on both databases: whatever their own parsers make of hyphens, dots and accents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

MOST_WORDS = 3000
_WORD = re.compile(r"[^\W_]+")
_LONGEST_WORD = 60


def words_of(*texts: object) -> list[str]:
    """Return the letters and digits in a row, in lower case, without accents, each once and in order of first use."""
    found: dict[str, None] = {}
    for text in texts:
        plain = "".join(c for c in unicodedata.normalize("NFKD", str(text).lower()) if not unicodedata.combining(c))
        found.update(dict.fromkeys(word[:_LONGEST_WORD] for word in _WORD.findall(plain)))
        if len(found) > MOST_WORDS:
            break
    return list(found)[:MOST_WORDS]


def kind_word(kind: str) -> str:
    """Return the index word of a kind, which no user types."""
    return f"kind0{kind}"


def project_word(project: int) -> str:
    """Return the word that represents a project."""
    return f"project0{project}"


def sqlite_question(kind: str, projects: Iterable[int], wanted: Iterable[str]) -> str:
    """Return the query for FTS5: the kind, one of the projects, and every word or its beginning."""
    among = " OR ".join(project_word(each) for each in projects)
    asked = (f'("{word}"*{_or(word, kind, " OR ")})' for word in wanted)
    return " AND ".join([kind_word(kind), f"({among})", *asked])


def postgresql_question(kind: str, projects: Iterable[int], wanted: Iterable[str]) -> str:
    """Return the same for `to_tsquery`."""
    among = " | ".join(project_word(each) for each in projects)
    asked = (f"({word}:*{_or(word, kind, ' | ')})" for word in wanted)
    return " & ".join([kind_word(kind), f"({among})", *asked])


def asked_words(query: str, kind: str) -> list[str]:
    """Return the words of a query, without that of the kind itself where there are others: pages say "run 0019"."""
    words = words_of(query)
    return [word for word in words if word.removesuffix("s") != kind] or words


def _or(word: str, kind: str, sign: str) -> str:
    """Return the number that a word may name, as in "0019", "run19" and "run0019"."""
    number = re.fullmatch(rf"(?:{kind}s?)?0*([1-9][0-9]*)", word)
    return f"{sign}{number[1]}" if number and number[1] != word else ""

"""Terms of the product with their definitions, one data file for the page *Glossary*, the tooltips of all pages and the docs."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache

from frontend.folders import ASSETS

PATH = "/glossary"


@dataclass(frozen=True)
class Term:
    """A term of the glossary.

    Attributes:
        term: the word or words, as they stand within a sentence.
        definition: full sentences, which are also the tooltip.
        forms: other forms that mean the same, such as plurals and abbreviations.
    """

    term: str
    definition: str
    forms: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        """Return the fragment of the address of this term on the page *Glossary*."""
        return re.sub(r"[^a-z0-9]+", "-", self.term.lower()).strip("-")


@lru_cache(maxsize=1)
def terms() -> tuple[Term, ...]:
    """Return all terms by the alphabet."""
    rows = json.loads((ASSETS / "glossary.json").read_text("utf-8"))
    return tuple(Term(row["term"], row["definition"], tuple(row["forms"])) for row in rows)


def metric_anchor(engine: str, column: str) -> str:
    """Return the fragment of the address of a metric: "soc-mapping.latency_s"."""
    return f"{engine}.{column}"


def metric_address(engine: str, column: str) -> str:
    """Return the address of the definition of a metric; it stays as long as engine and column keep their names."""
    return f"{PATH}#{metric_anchor(engine, column)}"


def docs_page() -> str:
    """Return the page of the docs that lists all terms, in Markdown."""
    lines = [f"| {each.term} | {each.definition} |" for each in terms()]
    head = "# Glossary\n\nEach term has one meaning on all pages, in messages and in these docs.\n\n| Term | Meaning |\n|---|---|\n"
    return head + "\n".join(lines) + "\n"

"""The documents that an input of an engine accepts, as text for errors, with the default document if there is one."""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract.engine import InputKind

MOST_NAMED = 10


def listed(slugs: Sequence[str], rest: str, preferred: str = "") -> str:
    """Return up to `MOST_NAMED` slugs, the preferred one first, then those of projects, and where to find the others.

    Args:
        slugs: slugs of all documents that are accepted.
        rest: reference to the other entries, such as a command.
        preferred: the usual one of them.
    """
    ordered = sorted(slugs, key=lambda slug: (slug != preferred, "/" not in slug))  # stable: the rest keep their order
    named = [f"{slug} (preferred)" if slug == preferred else slug for slug in ordered[:MOST_NAMED]]
    more = len(ordered) - len(named)
    return ", ".join(named) + (f" and {more} more: {rest}" if more else "")


def accepted_words(kind: InputKind, slugs: Sequence[str], rest: str) -> str:
    """Return the accepted documents of an input: "a hardware document (System on a chip): jetson-agx-xavier (preferred), ..."."""
    words = f"a {kind.kind} document ({kind.title})"
    return f"{words}: {listed(slugs, rest, kind.preferred)}" if slugs else f"{words}; there is none yet"

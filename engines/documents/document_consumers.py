"""Which engines take a document: what pages and commands offer for it."""

from __future__ import annotations

from engines.registry import installed_engines


def takers_of(kind: str, schema: str) -> list[tuple[str, str]]:
    """Return the engine and first slot of every engine with a slot for such a document, in the order in which engines are offered.

    Args:
        kind: kind of the document.
        schema: the content's own `schema` key.
    """
    found = []
    for engine in installed_engines():
        fitting = [slot for slot, wanted in engine.inputs.items() if wanted.takes(kind, schema)]
        found += [(engine.name, slot) for slot in fitting[:1]]
    return found


def taker_of(kind: str, schema: str, chosen: str = "") -> tuple[str, str] | None:
    """Return the engine chosen before, or the first that accepts such a document, and the name of the input."""
    return min(takers_of(kind, schema), key=lambda taker: taker[0] != chosen, default=None)

"""Documents that take long to plan: networks of thousands of operations, and scenarios of them."""

from __future__ import annotations

from typing import Any


def long_network(slug: str, operations: int) -> dict[str, Any]:
    """A network of that many equal convolutions."""
    sizes = {"kind": "conv", "k": 16, "c": 16, "y": 28, "x": 28, "r": 3, "s": 3, "pad": 1}
    rows = [{"name": f"l{number}", **sizes} for number in range(operations)]
    words = {"title": "Long", "short_title": "Long", "source": "made up"}
    return {"schema": "network/1", "slug": slug, **words, "operations": rows}


def scenario(slug: str, times: int) -> dict[str, Any]:
    """The network "long" as many times."""
    models = [{"network": "long", "batch": 1}] * times
    return {"schema": "scenario/1", "slug": slug, "title": "Often", "source": "made up", "models": models}

"""One engine in two releases of the same version: the later one has a parameter more, with a default."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import Field

from engines import registry
from engines.contract.engine import Engine
from tests.support.toy_engine import ToyEngine, ToyParams


class Earlier(ToyEngine):
    """The engine as it was."""

    name = "grown"


class LaterParams(ToyParams):
    """What the earlier one took, and one more."""

    reuse: bool = Field(False, title="Reuse", description="A way of searching that came later.")


class Later(Earlier):
    """The engine as it is now."""

    Params = LaterParams


@contextmanager
def released(engine: type[Engine]) -> Iterator[None]:
    """The release with this one is installed within."""
    registry.register(engine.name, engine)
    try:
        yield
    finally:
        registry.unregister(engine.name)

"""Parts of a run that applications built on runs keep and its bundle carries, by the name of their field in the manifest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from webapp.runs.models import Run


class BundlePart(NamedTuple):
    """A part of bundles.

    Attributes:
        rows: what is written of a run, as JSON-able data; of none there is no such member.
        store: what keeps them of an imported run; the rows were checked by `engines.exchange`.
    """

    rows: Callable[[Run], Sequence[Mapping[str, Any]]]
    store: Callable[[Run, Sequence[Mapping[str, Any]]], object]


PARTS: dict[str, BundlePart] = {}

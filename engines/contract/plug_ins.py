"""Classes that other packages announce by entry points."""

from __future__ import annotations

import warnings
from collections.abc import Mapping


def announced(group: str, taken: Mapping[str, str]) -> dict[str, str]:
    """Return name -> "module:Class" of what other packages announce.

    What takes the name of another is left out with a warning: it must not stop the site.

    Args:
        group: of entry points ("paretoscope.engines").
        taken: name -> path of the product's own.
    """
    from importlib.metadata import entry_points  # costs 20 ms, which a run's child process never needs

    found: dict[str, str] = {}
    for point in entry_points(group=group):
        other = taken.get(point.name) or found.get(point.name)
        if other is not None and other != point.value:
            what = group.rpartition(".")[2].removesuffix("s").capitalize()
            words = f"{what} {point.name!r} of {point.value} left out: the name is taken by {other}."
            warnings.warn(words, stacklevel=3)
            continue
        found[point.name] = point.value
    return found

"""Where each figure of a document is from: the `sources` mapping, spread over the figures that it covers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hardware.errors import HardwareError


def covers(pattern: str, key: str) -> bool:
    """Return whether `pattern` (`*` for one part) is `key` or stands above it."""
    wanted, parts = pattern.split("."), key.split(".")
    return len(wanted) <= len(parts) and all(w in ("*", p) for w, p in zip(wanted, parts, strict=False))


def spread_sources(sources: Mapping[str, str], figures: Iterable[str], file: str) -> dict[str, str]:
    """Return figure -> its source; of the patterns that cover a figure the longest counts, then the one with fewer stars.

    Raises:
        HardwareError: a figure without a source, or a source that covers no figure.
    """
    figures = list(figures)
    unused = set(sources)
    spread: dict[str, str] = {}
    for figure in figures:
        covering = [pattern for pattern in sources if covers(pattern, figure)]
        if not covering:
            raise HardwareError(
                file,
                f"sources.{figure}",
                None,
                f"given, here or for a key around it ({figure.split('.')[0]}): where the figure is from",
            )
        unused.difference_update(covering)
        best = max(covering, key=lambda pattern: (pattern.count("."), -pattern.count("*")))
        spread[figure] = sources[best]
    for pattern in sorted(unused):
        raise HardwareError(file, f"sources.{pattern}", sources[pattern], "for a key that the document has")
    return spread

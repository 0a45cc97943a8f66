"""Where each figure of a document is from: the `sources` mapping, spread over the figures that it covers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

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
    nearest = _nearest(sources, figures)
    for figure in figures:
        if figure not in nearest:
            accepted = f"given, here or for a key around it ({figure.split('.')[0]})"
            raise HardwareError(file, f"sources.{figure}", None, accepted, reason="Each value needs a source.")
    _refuse_unused(sources, figures, "sources", file)
    return {figure: sources[pattern] for figure, pattern in nearest.items()}


def spread_confidence(
    confidence: Mapping[str, str], sources: Mapping[str, str], figures: Iterable[str], file: str
) -> dict[str, str]:
    """Return figure -> how sure it is, for those of which the document says it.

    A confidence is that of a source: a figure with a source nearer than its confidence was changed since, and has none.

    Raises:
        HardwareError: a confidence that covers no figure.
    """
    if not confidence:
        return {}
    figures = list(figures)
    _refuse_unused(confidence, figures, "confidence", file)
    told = _nearest(sources, figures)
    return {
        figure: confidence[pattern]
        for figure, pattern in _nearest(confidence, figures).items()
        if pattern.count(".") >= told[figure].count(".")
    }


def _nearest(marks: Mapping[str, str], figures: Iterable[str]) -> dict[str, str]:
    """Return figure -> the nearest pattern that covers it; figures that none covers are left out."""
    starred = [pattern for pattern in marks if "*" in pattern]
    nearest = {}
    for figure in figures:
        above = [key for key in _with_sections(figure) if key in marks]
        above += [pattern for pattern in starred if covers(pattern, figure)]
        if above:
            nearest[figure] = max(above, key=lambda pattern: (pattern.count("."), -pattern.count("*")))
    return nearest


def _refuse_unused(marks: Mapping[str, str], figures: Iterable[str], name: str, file: str) -> None:
    known = {key for figure in figures for key in _with_sections(figure)}
    for pattern in sorted(marks):
        if pattern not in known and not ("*" in pattern and any(covers(pattern, figure) for figure in figures)):
            raise HardwareError(file, f"{name}.{pattern}", marks[pattern], "a key that the document has")


@lru_cache(maxsize=2**14)  # documents of a family have the same keys, and a survey loads all of them
def _with_sections(key: str) -> tuple[str, ...]:
    parts = key.split(".")
    return tuple(".".join(parts[:end]) for end in range(1, len(parts) + 1))

"""Counts, ranges and initials as pages say them."""

from __future__ import annotations

from frontend.figures.numbers import NO_BREAK, duration, fixed, integer, significant

_SHORTEST_S = 0.1  # what takes less is over before anybody has read it


def short_count(number: float) -> str:
    """Return a count in at most three digits and a prefix: 950, 4 200, 42.0 k, 1.90 M, 5.2 × 10¹⁹."""
    if number >= 1e15:
        return integer(number)
    for limit, divisor, prefix in ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if number >= limit:
            return f"{significant(number / divisor)}{NO_BREAK}{prefix}"
    return integer(number)


def time_range(low: float, high: float) -> str:
    """Return an estimate as a range: "3–6 s", "1 min 0 s–2 min 0 s"; one figure where both ends read the same, "under 0.1 s"."""
    if high < _SHORTEST_S:
        return f"under {_SHORTEST_S}{NO_BREAK}s"
    if high < 60:
        ends = [fixed(value, 1 if value < 1 else 0) for value in (low, high)]
        return (ends[0] if ends[0] == ends[1] else "–".join(ends)) + f"{NO_BREAK}s"
    words = [duration(value) for value in (low, high)]
    return words[0] if words[0] == words[1] else "–".join(words)


def initials(name: str) -> str:
    """Return two letters for an avatar."""
    words = [word for word in name.replace(".", " ").replace("_", " ").replace("-", " ").split() if word]
    return ("".join(word[0] for word in words[:2]) if len(words) > 1 else name[:2]).upper()

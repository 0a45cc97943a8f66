"""How long a run still takes, by its speed of late: a load that came or went, and time in which nothing computed, tell nothing."""

from __future__ import annotations

from collections.abc import Sequence

_OF_LATE_S = 60.0


def left_s(marks: Sequence[tuple[float, float]], computed_s: float, now_s: float) -> float | None:
    """Return the estimated remaining time in seconds; None without a basis.

    Args:
        marks: when a report came, in seconds of a clock, and which fraction was done: of one attempt, in order.
        computed_s: seconds of computing so far over all attempts; they tell where the marks tell no speed yet.
        now_s: present time of this clock.
    """
    if not marks:
        return None
    last_s, done = marks[-1]
    before = [mark for mark in marks[:-1] if mark[0] < last_s and mark[1] < done]
    if not before:
        return computed_s * (1.0 - done) / done if computed_s > 0 and done > 0 else None
    recent = [mark for mark in before if mark[0] >= last_s - _OF_LATE_S] or before[-1:]
    first_s, first = recent[0]
    usual_s = (last_s - first_s) / len(recent)  # from one report to the next
    # A report that is overdue says that the run is slower by now.
    spent_s = max(last_s, now_s - usual_s) - first_s
    since_s = min(max(0.0, now_s - last_s), usual_s)
    return max(0.0, (1.0 - done) * spent_s / (done - first) - since_s)

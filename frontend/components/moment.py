"""Moments in words, which `assets/times.js` keeps true while the page is open; pointing at one tells it exactly."""

from __future__ import annotations

from datetime import datetime

from dash import html

from frontend.figures.numbers import NO_BREAK, ago, duration


def moment(at: datetime, now: datetime, class_name: str = "") -> html.Time:
    """Return the age of a time in words: "3 min ago"."""
    return _time(ago(at, now), at, class_name, "data-ago")


def since(at: datetime, now: datetime, class_name: str = "") -> html.Time:
    """Return for how long already: "3 min 12 s"."""
    whole = max(0, int((now - at).total_seconds()))
    return _time(duration(whole) if whole >= 10 else f"{whole}{NO_BREAK}s", at, class_name, "data-since")


def _time(words: str, at: datetime, class_name: str, kept: str) -> html.Time:
    exact = at.strftime("%Y-%m-%d %H:%M:%S UTC")
    return html.Time(words, dateTime=at.isoformat(), title=exact, className=class_name, **{kept: ""})

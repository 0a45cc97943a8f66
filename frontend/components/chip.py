"""Chips: a word or two about something's state or origin."""

from __future__ import annotations

from typing import Any, Literal

from dash import html
from dash.development.base_component import Component

from frontend.components.icon import icon as draw_icon

Tone = Literal["plain", "good", "warn", "bad", "acc", "line"]

_STATUS: dict[str, tuple[str, Tone]] = {
    "queued": ("Queued", "plain"),
    "running": ("Running", "acc"),
    "stopped": ("Stopped", "warn"),
    "done": ("Done", "good"),
    "failed": ("Failed", "bad"),
    "importing": ("Importing", "plain"),
}


def chip(*children: Component | str, tone: Tone = "plain", icon: str = "", title: str = "") -> html.Span:
    """Return a chip; several children stand side by side."""
    content: list[Any] = ([draw_icon(icon, "s")] if icon else []) + list(children)
    given = {"title": title} if title else {}
    return html.Span(content, className="chip" if tone == "plain" else f"chip {tone}", **given)


def status_chip(status: str, outcome: str = "") -> html.Span:
    """Return the state of a run: its status, or "Infeasible" where that is its outcome."""
    if outcome == "infeasible":
        return chip("Infeasible", tone="warn", icon="alert-triangle")
    words, tone = _STATUS.get(status, (status, "plain"))
    dot = html.Span(className=f"dot {tone}" if tone != "plain" else "dot")
    return chip(dot, words, tone=tone)


def imported_chip(words: str) -> html.Span:
    """Return the mark of a run from another installation; its tooltip lists the checks made at import."""
    return chip("Imported", tone="line", icon="upload", title=words)

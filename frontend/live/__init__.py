"""Answers without Dash: state and designs of a live run, and the design of a pick. The browser asks; pages know nothing of it."""

from __future__ import annotations

import importlib

MODULES = ("frontend.live.state", "frontend.live.pick")


def register_answers() -> None:
    """Import every module with an answer, which registers it."""
    for name in MODULES:
        importlib.import_module(name)

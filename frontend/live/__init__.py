"""What passes beside Dash: a live run's state and designs, and what a pick shows. Pages know nothing of it; the browser asks."""

from __future__ import annotations

import importlib

MODULES = ("frontend.live.state", "frontend.live.pick")


def register_answers() -> None:
    """Import every module with an answer, which registers it."""
    for name in MODULES:
        importlib.import_module(name)

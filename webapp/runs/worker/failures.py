"""How a child process failed, as the run stores it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from engines.running.runner.child_exit import ChildExit


def failure_detail(ending: ChildExit, memory_limit_mb: float, log_tail: Sequence[str]) -> dict[str, Any]:
    """Return everything known about how the child ended, as `Run.outcome_detail`."""
    told = {key: value for key, value in asdict(ending.failed).items() if value} if ending.failed else {}
    return {
        "kind": ending.reason,
        "text": ending.message,
        "exit_code": ending.exit_code,
        "signal": ending.signal_name,
        "memory_limit_mb": memory_limit_mb,
        "exception": told.get("type", ""),
        "traceback": told.get("traceback", ""),
        "field": told.get("field", ""),
        "accepted": told.get("accepted", ""),
        "log_tail": list(log_tail),
    }

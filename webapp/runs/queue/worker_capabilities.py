"""Capabilities of this machine: torch, a GPU, data sets. Checked repeatedly, since they change while a worker runs."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import time
from pathlib import Path

from django.conf import settings

_SETTLED_S = 60.0


def abilities_of_this_machine() -> frozenset[str]:
    """Return the capabilities of this machine by the setting, or as detected: torch if installed, gpu if present, data always."""
    named = set(settings.PARETOSCOPE_WORKER_OFFERS)
    if "auto" not in named:
        return frozenset(named - {"none"})
    found = {"data"}
    if _torch_is_whole():
        found.add("torch")
        if Path("/dev/nvidia0").exists():
            found.add("gpu")
    return frozenset(found)


def _torch_is_whole() -> bool:
    """Return whether torch is there with all of its files: an installation takes a minute, and a run must not begin in the middle.

    Installers write the file INSTALLER after all others. Where there is none, a folder that has not changed for a minute is whole.
    """
    importlib.invalidate_caches()  # a folder listed a moment ago is listed again
    package = importlib.util.find_spec("torch")
    if package is None or package.origin is None:
        return False  # a folder that is being filled is a namespace without origin
    try:
        if importlib.metadata.distribution("torch").read_text("INSTALLER") is not None:
            return True
    except importlib.metadata.PackageNotFoundError:
        pass
    try:
        return time.time() - Path(package.origin).parent.stat().st_mtime >= _SETTLED_S
    except OSError:
        return False

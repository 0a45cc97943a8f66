"""The folder of a site's data where PARETOSCOPE_VAR names none. Standard library only."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
# Whether the packages come from a wheel, and from no checkout.
INSTALLED = _ROOT.name == "_packages"


def data_folder() -> Path:
    """Return `var` in a checkout, the user's own folder where the packages come from a wheel."""
    if not INSTALLED:
        return _ROOT / "var"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Paretoscope"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "paretoscope"

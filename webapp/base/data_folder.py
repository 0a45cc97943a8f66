"""The folder of a site's data where PARETOSCOPE_VAR names none. Standard library only."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder(root: Path) -> Path:
    """Return `var` in a checkout, the user's own folder where the packages in `root` come from a wheel."""
    if root.name != "_packages":
        return root / "var"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Paretoscope"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "paretoscope"

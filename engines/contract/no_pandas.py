"""Keeps pyarrow from loading pandas, which nothing here uses.

At its first conversion pyarrow looks whether pandas is installed and imports it if so: a third of a second of a core and 50 MB, in
every run and in every web process.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _NotFound(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == "pandas":
            raise ModuleNotFoundError("pandas is hidden from pyarrow.", name=fullname)
        return None


def forgo_pandas() -> None:
    """Make pyarrow look for pandas once, in vain. Others may import it before and after; pyarrow then makes no DataFrames.

    Without effect where pandas is loaded, or pyarrow has looked already.
    """
    import numpy as np
    import pyarrow as pa

    if "pandas" in sys.modules:
        return
    finder = _NotFound()
    sys.meta_path.insert(0, finder)
    try:
        pa.array([])
        pa.array(np.empty(0))  # what numpy's columns need is loaded as well
    finally:
        sys.meta_path.remove(finder)

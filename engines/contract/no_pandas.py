"""A hook that keeps pyarrow from importing pandas, which the product does not use.

At its first conversion pyarrow imports pandas if it is installed. That takes a third of a second and 50 MB in every run and web
process.
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
    """Hide pandas from the one import that pyarrow tries. Other code may import pandas; pyarrow then cannot make DataFrames.

    It has no effect if pandas is loaded already, or if pyarrow has already tried.
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

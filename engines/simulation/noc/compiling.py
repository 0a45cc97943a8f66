"""How functions are compiled: once, and kept on disk."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

_FILES = ("columns", "compiling", "kernel", "packets", "rings", "routers", "work")


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled for other compiled functions alone: numba need not make it callable from Python."""
    options: dict[str, Any] = {
        "error_model": "numpy",
        "nogil": True,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
    }
    compiled: Callable[..., Any] = numba.njit(function, **options)
    return compiled


def outer(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled on its first call, and kept beside its file or in the user's cache; in memory alone where neither can be written.

    What is kept is as trustworthy as Python's own compiled files, which stand in the same folder.
    """
    try:
        compiled: Callable[..., Any] = numba.njit(function, cache=True, error_model="numpy", nogil=True)
    except RuntimeError:
        compiled = numba.njit(function, error_model="numpy", nogil=True)
    return compiled


def stamp() -> int:
    """Changes with any of the files that are compiled together; numba itself looks at the outermost one alone."""
    here = Path(__file__).resolve().parent
    return zlib.crc32(b"".join((here / f"{name}.py").read_bytes() for name in _FILES))

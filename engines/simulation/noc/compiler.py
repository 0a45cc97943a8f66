"""How functions are compiled: once, and kept on disk."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.extending import intrinsic

# Of array expressions there are none to rewrite, nothing that is counted is made or kept: numba need not look for either.
_LEAN: dict[str, Any] = {"error_model": "numpy", "nogil": True, "no_rewrites": True, "_nrt": False}
_njit: Any = numba.njit  # its types do not know two of these
_FILES = ("columns", "compiler", "kernel", "mini_chains", "packets", "routers", "work")


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function compiled for other compiled functions alone: numba need not make it callable from Python."""
    compiled: Callable[..., Any] = _njit(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, **_LEAN)
    return compiled


def outer(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is compiled on its first call, and kept next to its file or in the user's cache.

    In memory alone where neither can be written.

    What is kept is as trustworthy as Python's own compiled files, which stand in the same folder.
    """
    try:
        compiled: Callable[..., Any] = _njit(function, cache=True, **_LEAN)
    except RuntimeError:
        compiled = _njit(function, **_LEAN)
    return compiled


def stamp() -> int:
    """Return the changes with any of the files that are compiled together; numba itself looks at the outermost one alone."""
    here = Path(__file__).resolve().parent
    return zlib.crc32(b"".join((here / f"{name}.py").read_bytes() for name in _FILES))


def _start_of(typing_context: Any, memory: Any) -> Any:
    """Return the pointer to the first of an array's integers, for as long as a person holds the array.

    Places in an array are looked at for counting from its end, those behind a pointer are not: compiling takes two thirds of the
    time, and so does what is compiled.
    """

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    pointer: Any = types.CPointer
    return pointer(memory.dtype)(memory), lower


start_of: Any = intrinsic(_start_of)

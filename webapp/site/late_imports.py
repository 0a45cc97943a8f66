"""Warnings about requests that load modules: two threads that load parts of one package at once may see it half loaded."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable
from typing import Any

MOST_MODULES = 5  # a library may load some small part of its own on use

Application = Callable[..., Iterable[bytes]]
logger = logging.getLogger(__name__)


def tell_late_imports(application: Application) -> Application:
    """Return `application`, with a warning in the log for each request that loads more than `MOST_MODULES` modules."""

    def told(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        before = len(sys.modules)
        answer = application(environ, start_response)
        if len(sys.modules) - before > MOST_MODULES:
            names = ", ".join(list(sys.modules)[before:])
            logger.warning("%s %r loads modules: %s", environ.get("REQUEST_METHOD"), environ.get("PATH_INFO"), names)
        return answer

    return told

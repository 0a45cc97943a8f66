"""Paretoscope as one name: `paretoscope.explore`, `paretoscope.survey`, `paretoscope.connect(url)`, imported on first use.

The import makes the packages `hardware`, `engines`, `webapp` and `frontend` importable; a wheel keeps them in a folder of its own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from paretoscope.packages import add_packages

if TYPE_CHECKING:
    from engines import Exploration, explore
    from engines.exploration import survey_devices as survey
    from paretoscope_client import Paretoscope

    __version__: str

__all__ = ["Exploration", "__version__", "connect", "explore", "survey"]
_NAMES = {
    "Exploration": ("engines.exploration", "Exploration"),
    "__version__": ("webapp", "VERSION"),
    "explore": ("engines.exploration", "explore"),
    "survey": ("engines.exploration", "survey_devices"),
}

add_packages()


def __getattr__(name: str) -> Any:
    """Import a name of `__all__` on first use, so that `import paretoscope` alone stays cheap."""
    if name not in _NAMES:
        raise AttributeError(f"module 'paretoscope' has no attribute {name!r}; it offers {__all__}")
    module, attribute = _NAMES[name]
    return getattr(import_module(module), attribute)


def connect(url: str, token: str) -> Paretoscope:
    """Return a client of the site at `url`, such as "http://127.0.0.1:8000", with a token of its page *API tokens*.

    Raises:
        ImportError: the packages of the client are missing; the message says how to install them.
    """
    try:
        from paretoscope_client import Paretoscope
    except ModuleNotFoundError as error:
        raise ImportError(f"connect needs the package {error.name}: pip install 'paretoscope[client]'.") from error
    return Paretoscope(url, token)

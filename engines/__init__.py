"""Search and scheduling engines for hardware/software co-design of edge AI. Pure Python: no web framework, no settings."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.exploration import Exploration, explore

__all__ = ["Exploration", "explore"]


def __getattr__(name: str) -> Any:
    """Import `explore` on first use, so that `import engines` alone stays cheap.

    Its module is called `exploration`: a module of the function's own name would take its place here once imported.
    """
    if name in __all__:
        from engines import exploration

        return getattr(exploration, name)
    raise AttributeError(f"module 'engines' has no attribute {name!r}; it offers {__all__}")

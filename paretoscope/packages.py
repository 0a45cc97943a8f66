"""The folder of the product's packages, and how it gets onto the import path. Standard library only.

A wheel installs the one name `paretoscope`; the packages lie inside it, in `_packages`. In a checkout they lie beside it.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path

PACKAGES = ("hardware", "engines", "webapp", "frontend")
# Of the same distribution, in folders of their own as in a checkout.
_FURTHER = ("client", "agent")
_INSIDE = Path(__file__).resolve().parent / "_packages"
INSTALLED = _INSIDE.is_dir()
FOLDER = _INSIDE if INSTALLED else _INSIDE.parents[1]


def add_packages() -> None:
    """Append the folder of the packages to the import path, once.

    Raises:
        ImportError: another package has the name of one of ours. A command prints the reason and ends instead.
    """
    known = {Path(entry).resolve() for entry in sys.path}
    sys.path.extend(str(folder) for folder in (FOLDER, *(FOLDER / name for name in _FURTHER)) if folder not in known)
    sys.modules.setdefault("paretoscope._packages", None)  # type: ignore[arg-type]  # no module gets a second name
    if not (sentence := foreign_package()):
        return
    if Path(sys.argv[0]).name in ("paretoscope", "-m"):  # the command, or `python -m` on the way to it
        raise SystemExit(sentence)
    raise ImportError(sentence)


def foreign_package() -> str:
    """Return the error message on an installed package with the name of one of ours; "" if there is none."""
    for name in PACKAGES:
        module = sys.modules.get(name)
        spec = module.__spec__ if module else PathFinder.find_spec(name)
        places = [Path(place).resolve() for place in (spec and spec.submodule_search_locations) or ()]
        if (FOLDER / name).resolve() not in places:
            origin = (spec and spec.origin) or places
            return (
                f"Paretoscope needs its own package {name!r}, but Python finds {origin}. "
                "Rename that one, or start Python in another folder or environment."
            )
    return ""

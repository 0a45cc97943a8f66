"""Plug-ins: engines, cost models and document families that other packages announce as entry points."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.errors import RegistrationError

# Of engines, cost models and families; it changes when plug-ins for the one before would no longer work.
CONTRACT = 1
_KINDS = {"paretoscope.engines": "engine", "paretoscope.estimators": "cost model", "paretoscope.families": "family"}


@dataclass(frozen=True)
class PlugIn:
    """An engine, cost model or document family that an installed package announces.

    Attributes:
        kind, name, path: kind such as "engine", name of the entry point, "module:Class".
        package, version: name and version of the distribution.
        problem: reason why it cannot be used; "" if it works.
    """

    kind: str
    name: str
    path: str
    package: str
    version: str
    problem: str = ""


def announced(group: str, taken: Mapping[str, str]) -> dict[str, str]:
    """Return name -> "module:Class" for the entry points of other packages in a group.

    An entry point with a name that is taken is ignored with a warning, so that it cannot stop the site.

    Args:
        group: group of entry points ("paretoscope.engines").
        taken: name -> path of the product's own classes.
    """
    from importlib.metadata import entry_points  # costs 20 ms, which a run's child process never needs

    found: dict[str, str] = {}
    for point in entry_points(group=group):
        other = taken.get(point.name) or found.get(point.name)
        if other is not None and other != point.value:
            what = group.rpartition(".")[2].removesuffix("s").capitalize()
            words = f"{what} {point.name!r} of {point.value} left out: the name is taken by {other}."
            warnings.warn(words, stacklevel=3)
            continue
        found[point.name] = point.value
    return found


def installed_plug_ins(group: str, load: Callable[[str], Any], offered: Mapping[str, str]) -> tuple[PlugIn, ...]:
    """Return the plug-ins of a group, each loaded once as a check, sorted by package and name.

    Args:
        group: group of entry points.
        load: loads a plug-in by name; raises `RegistrationError` if it does not work.
        offered: name -> path of the class that the product offers under this name.
    """
    from importlib.metadata import entry_points

    found = []
    for point in entry_points(group=group):
        problem, owner = "", offered.get(point.name)
        if owner != point.value:
            problem = f"The name {point.name!r} is taken by {owner}. Uninstall one of both packages."
        else:
            try:
                load(point.name)
            except RegistrationError as error:
                problem = str(error)
        package, version = (point.dist.name, point.dist.version) if point.dist else ("", "")
        found.append(PlugIn(_KINDS[group], point.name, point.value, package, version, problem))
    return tuple(sorted(found, key=lambda each: (each.package, each.kind, each.name)))


def check_contract(what: str, target: Any) -> None:
    """Check the contract version that a plug-in declares; 1 where it declares none.

    Raises:
        RegistrationError: it was written for another version.
    """
    version = getattr(target, "contract", 1)
    if version != CONTRACT:
        raise RegistrationError(
            f"{what} is for contract {version}, and this release of Paretoscope has contract {CONTRACT}. Install a release of "
            "its package for this contract."
        )

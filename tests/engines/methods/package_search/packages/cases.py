from __future__ import annotations

from engines.methods.package_search.packages.space import PackageSpace, build_space
from engines.methods.package_search.params import PackageSearchParams
from hardware.package.loader import builtin_hardware, load_package

BASE = load_package(builtin_hardware()["simba-3x3-het-sides"])


def space(**params: object) -> PackageSpace:
    return build_space(BASE, PackageSearchParams(**params))  # type: ignore[arg-type]

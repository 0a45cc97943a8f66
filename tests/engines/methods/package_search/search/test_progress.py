from __future__ import annotations

from engines.contract.designs import Designs
from engines.methods.package_search.outcome import front_files, front_of, run_results
from engines.methods.package_search.params import PackageSearchParams
from engines.methods.package_search.quantities import QUANTITIES
from engines.methods.package_search.search.progress import Progress
from tests.engines.methods.package_search.cases import SETTING, SPACE


def test_a_run_that_found_nothing_still_tells_how_it_went() -> None:
    nothing = Designs.empty(QUANTITIES)
    front = front_of(nothing, PackageSearchParams())
    names = [result.name for result in run_results(SPACE, nothing, front, Progress(), None, [])]
    assert "search" in names and "by-nvdla-chiplets" not in names
    assert front_files({}, SETTING.base, nothing, front) == ()

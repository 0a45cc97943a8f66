import numpy as np

from engines.chiplets.problem.decision import PackageSchedule
from engines.contract.designs import Designs
from engines.contract.results import Note, Table
from engines.methods.package_search.decision import encode
from engines.methods.package_search.outcome import front_files, front_of, run_results
from engines.methods.package_search.packages.candidate import candidate_of
from engines.methods.package_search.params import PackageSearchParams
from engines.methods.package_search.quantities import COLUMNS
from engines.methods.package_search.search.progress import Progress
from tests.engines.methods.package_search.cases import PROBLEM, SETTING, SPACE

DECISION = encode(candidate_of(SETTING.base), "edp", PackageSchedule(()))


def designs(points: list[tuple[float, float]], unused: float = 0.0) -> Designs:
    columns = {name: np.zeros(len(points)) for name in COLUMNS}
    columns |= {"latency_s": np.array([p[0] for p in points]), "energy_j": np.array([p[1] for p in points])}
    columns["unused_chiplets"] = np.full(len(points), unused)
    count = len(points)
    return Designs(columns, [DECISION] * count, np.arange(count), ["search"] * count)


def test_points_that_differ_by_rounding_stand_once_with_how_many_they_are() -> None:
    found = designs([(1.0, 2.0), (1.0, 2.0 * (1 + 1e-13)), (2.0, 1.0), (3.0, 3.0)])
    front = np.array([0, 1, 2])
    table = next(r for r in run_results(SPACE, found, front, Progress(), None, []) if r.name == "front")
    assert isinstance(table, Table)
    assert table.table_columns[0].values == ("Design 0", "Design 2")
    assert np.asarray(table.table_columns[1].values).tolist() == [2.0, 1.0]
    content = PROBLEM.inputs["hardware"].content
    assert [file.name for file in front_files(content, SETTING.base, found, front)] == ["packages/design-0.yaml"]


def test_the_front_is_of_the_chosen_objectives() -> None:
    found = designs([(1.0, 2.0), (2.0, 1.0), (3.0, 3.0)])
    assert front_of(found, PackageSearchParams(minimise_edp=False, minimise_area=False)).tolist() == [0, 1]
    assert front_of(
        found, PackageSearchParams(minimise_energy=False, minimise_edp=False, minimise_area=False)
    ).tolist() == [0]


def test_unused_chiplets_are_told() -> None:
    found = designs([(1.0, 2.0)], unused=2.0)
    notes = [r.text for r in run_results(SPACE, found, np.array([0]), Progress(), None, []) if isinstance(r, Note)]
    assert any("1 of 1 trade-offs on the front have chiplets that no model uses" in text for text in notes)

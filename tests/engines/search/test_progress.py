from engines.contract.results import HYPERVOLUME, Series
from engines.search.progress import progress_curve


def test_a_curve_of_progress_stands_beside_the_hypervolume() -> None:
    curve = progress_curve("share", "Share", [10, 20], "Mappings", Series("Found", [1.0, 2.0], "%"))
    assert (curve.role, curve.belongs_to, curve.x.tolist(), curve.x_title) == (
        "progress",
        HYPERVOLUME,
        [10.0, 20.0],
        "Mappings",
    )

from engines.contract.results import HYPERVOLUME
from engines.methods.map_and_conquer.report import performance_curve


def test_the_least_p_grows_beside_the_hypervolume() -> None:
    curve = performance_curve([60.0, 120.0], [2.0, 1.5])
    assert (curve.role, curve.belongs_to, curve.x.tolist()) == ("progress", HYPERVOLUME, [60.0, 120.0])
    assert curve.series[0].y.tolist() == [2.0, 1.5] and curve.series[0].unit == "J·s"

import numpy as np

from engines.cost.calibration.assumed import with_assumed_kinds
from engines.documents.builtin import get_builtin
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import load_soc

XAVIER = load_soc(get_builtin("hardware", "jetson-agx-xavier").content)
MAGNAS = load_calibration(builtin_calibrations()["xavier-magnas"])


def test_units_get_the_kinds_that_they_run_themselves() -> None:
    widened, added = with_assumed_kinds(MAGNAS, XAVIER, ("conv", "depthwise", "embedding", "gemm", "unpriced"))
    assert added == {"gpu": ("depthwise", "embedding", "gemm"), "dla": ("depthwise", "gemm")}
    assert widened.covered["gpu"] == MAGNAS.covered["gpu"] | {"depthwise", "embedding", "gemm"}
    assert widened.share("gpu", "depthwise") == MAGNAS.share("gpu", "conv")
    assert widened.parameters["gpu.depthwise_share"].role == "assumed"
    assert widened.share("gpu", "gemm") == MAGNAS.share("gpu", "gemm")


def test_what_is_measured_stays_as_it_is() -> None:
    widened, added = with_assumed_kinds(MAGNAS, XAVIER, ("conv", "topk"))
    assert added == {}
    assert widened == MAGNAS
    np.testing.assert_equal(dict(widened.parameters), dict(MAGNAS.parameters))

"""Files that people measure with."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.errors import ProblemError
from engines.cost.calibration_files import MAX_BYTES, read_csv, read_tegrastats

CSV = """layer,unit,latency_ms,power_w,gpu_mhz,memory_mhz,batch
conv1 + relu1,gpu,0.5,10,1377,2133,
,gpu,12.5,,520,,8
"""
# An AGX Xavier with JetPack 4, then names and units of later releases.
XAVIER = (
    "RAM 4181/31928MB (lfb 5996x4MB) CPU [5%@1190,off,off,0%@1190] EMC_FREQ 20%@2133 GR3D_FREQ 99%@1377 AO@40C GPU@41C "
    "GPU 12000/11000 CPU 618/618 SOC 2936/2936 CV 0/0 VDDRQ 2309/309 SYS5V 3306/3306"
)
LATER = (
    "01-01-2024 10:00:00 RAM 1/2MB EMC_FREQ 10%@1600 GR3D_FREQ 50%@[905] VDD_GPU_SOC 4000mW/4000mW VDD_IN 9000mW/9000mW"
)


def test_a_csv_is_read_line_by_line() -> None:
    layer, whole = read_csv(CSV)
    assert (layer.layers, layer.unit, layer.latency_ms, layer.energy_mj) == (("conv1", "relu1"), "gpu", 0.5, 5.0)
    assert layer.clocks_mhz == {"gpu": 1377, "memory": 2133} and layer.line == 2
    assert (whole.layers, whole.energy_mj, whole.batch, whole.clocks_mhz) == ((), None, 8, {"gpu": 520})


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "columns"),
        ("layer,unit\na,gpu", "columns"),
        ("layer,unit,latency_ms,mood\na,gpu,1,good", "columns.mood"),
        ("layer,unit,latency_ms\n", "file"),
        ("layer,unit,latency_ms\na,gpu,fast", "line 2.latency_ms"),
        ("layer,unit,latency_ms\na,gpu,-1", "line 2.latency_ms"),
        ("layer,unit,latency_ms\na,gpu,nan", "line 2.latency_ms"),
        ("layer,unit,latency_ms,batch\na,gpu,1,0", "line 2.batch"),
        ("layer,unit,latency_ms,gpu_mhz\na,gpu,1,x", "line 2.gpu_mhz"),
        ("layer,unit,latency_ms\n" + "a,gpu,1\n" * 20_001, "file"),
        ("x" * (MAX_BYTES + 1), "file"),
    ],
)
def test_a_csv_with_mistakes_names_line_and_column(text: str, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_csv(text)
    assert caught.value.field == field


def test_tegrastats_gives_mean_rails_and_clocks() -> None:
    log = read_tegrastats(XAVIER + "\n" + XAVIER.replace("GPU 12000", "GPU 14000") + "\n\nnoise\n")
    assert log.samples == 2 and log.rails_w["GPU"] == pytest.approx(13)
    assert log.clocks_mhz == {"gpu": 1377, "memory": 2133}
    assert log.power_w(["GPU", "VDDRQ"]) == pytest.approx(15.309)
    later = read_tegrastats(LATER)
    assert later.rails_w == {"VDD_GPU_SOC": 4.0, "VDD_IN": 9.0} and later.clocks_mhz == {"gpu": 905, "memory": 1600}
    with pytest.raises(ProblemError, match="GPU, CPU"):
        log.power_w(["VDD_IN"])
    with pytest.raises(ProblemError, match="rails"):
        read_tegrastats("nothing here")


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (read_csv, read_tegrastats):
        for whole in (text, "layer,unit,latency_ms\n" + text, CSV + text):
            with contextlib.suppress(ProblemError):
                read(whole)

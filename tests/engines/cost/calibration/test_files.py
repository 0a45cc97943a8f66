"""Files that people measure with."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.errors import ProblemError
from engines.cost.calibration.files import MAX_BYTES, read_csv, read_tegrastats

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


# A Thor with JetPack 7 idle and loaded, an AGX Orin with a cluster off, one of the first releases, a TX1.
THOR = (
    "08-08-2026 20:58:23 RAM 3429/125749MB (lfb 120x4MB) CPU [0%,5%,off]@2601 EMC_FREQ @4266 GR3D_FREQ @[1574,1574,1574] "
    "gpu@51.218C/51.218C VDD_GPU 6330mW/6330mW/6330mW VIN 28906mW/14453mW/28906mW"
)
THOR_LOADED = (
    "08-08-2026 21:00:39 RAM 8353/125749MB (lfb 31x4MB) CPU [90%@2601,off] EMC_FREQ 34%@4266 GR3D_FREQ 87%@[1386,1386,0] "
    "NVENC0_FREQ @1691 VIC off tj@66.625C/66.625C VDD_GPU 37939mW/8660mW/37939mW VDD_CPU_SOC_MSS -39mW/12281mW/30059mW"
)
ORIN = (
    "RAM 18207/62841MB (lfb 466x4MB) SWAP 86/31420MB (cached 0MB) CPU [14%@2188,5%@2112] EMC_FREQ {emc} GR3D_FREQ {gpu} VIC off "
    "APE 174 cpu@52.562C VDD_GPU_SOC 2412mW/2412mW VDD_CPU_CV 1607mW/1607mW VIN_SYS_5V0 4025mW/4025mW NC 0mW/0mW"
)
TX1 = "RAM 1235/3994MB (lfb 1x4MB) cpu [0%,0%,0%,0%]@102 EMC 2%@1600 APE 25 GR3D 40%@76 POM_5V_IN 3000/2900"


def orin(*loads: tuple[str, str]) -> str:
    """Lines of an Orin with these clocks of memory and GPU."""
    return "\n".join(ORIN.format(emc=emc, gpu=gpu) for emc, gpu in loads)


@pytest.mark.parametrize(
    ("log", "clocks"),
    [
        (THOR, {"gpu": 1574, "memory": 4266}),
        (THOR + "\n" + THOR_LOADED, {"gpu": 1386, "memory": 4266}),
        (TX1, {"gpu": 76, "memory": 1600}),
        (XAVIER.replace("GR3D_FREQ 99%@1377", "GR3D_FREQ 99%@0 GR3D2_FREQ 99%@917"), {"gpu": 917, "memory": 2133}),
        (orin(("20%@2133", "99%@[0,1377]")), {"gpu": 1377, "memory": 2133}),
        (orin(("20%@2133", "99%@[1300, 1100]")), {"gpu": 1300, "memory": 2133}),
        (orin(("20%@2133", "@[1377,1377]")), {"gpu": 1377, "memory": 2133}),
        (orin(("0%@204", "0%@[306,306]"), ("20%@2133", "99%@[918,918]")), {"gpu": 918, "memory": 2133}),
        (orin(("10%@1000", "25%@[400,0]"), ("30%@2000", "75%@[800,0]")), {"gpu": 700, "memory": 1750}),
        (orin(("0%@2133", "99%@[0,0]"), ("0%@2133", "99%@[off,918]")), {"gpu": 918, "memory": 2133}),
        (orin(("0%@2133", "0%@[306,306]")), {"memory": 2133}),
        (orin(("0%", "99%")), {}),
    ],
)  # fmt: skip
def test_clocks_are_those_of_the_highest_cluster_while_it_works(log: str, clocks: dict[str, float]) -> None:
    assert read_tegrastats(log).clocks_mhz == pytest.approx(clocks)


def test_rails_with_a_highest_power_beside_the_mean_are_read() -> None:
    assert read_tegrastats(THOR).rails_w == {"VDD_GPU": 6.33, "VIN": 28.906}
    assert read_tegrastats(THOR_LOADED).rails_w == {"VDD_GPU": 37.939, "VDD_CPU_SOC_MSS": -0.039}
    assert read_tegrastats(orin(("0%", "0%"))).rails_w == {
        "VDD_GPU_SOC": 2.412, "VDD_CPU_CV": 1.607, "VIN_SYS_5V0": 4.025, "NC": 0
    }  # fmt: skip


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (read_csv, read_tegrastats):
        for whole in (text, "layer,unit,latency_ms\n" + text, CSV + text):
            with contextlib.suppress(ProblemError):
                read(whole)

"""Lines of tegrastats, made after its documented format: AGX Xavier with JetPack 4, Orin NX with JetPack 5."""

from __future__ import annotations

import pytest

from paretoscope_agent.tegrastats import power_w, rails_mw

XAVIER = "RAM 4181/31928MB SWAP 0/15964MB GR3D_FREQ 99%@1377 GPU 12000/11000 CPU 618/618 SOC 2936/2936"
ORIN = "RAM 5/6MB gpu@41.5C VDD_IN 5336mW/5300mW VDD_CPU_GPU_CV 1200mW/1100mW VDD_SOC 1500mW/1490mW"

THOR = "RAM 5/6MB GR3D_FREQ @[1574,1574,1574] gpu@51.2C/51.2C VDD_GPU 6330mW/6330mW/9330mW VIN_SYS_5V0 4800mW/4700mW/5000mW"


def test_it_reads_rails_and_no_memory() -> None:
    assert rails_mw(XAVIER) == {"GPU": 12000, "CPU": 618, "SOC": 2936}
    assert (
        rails_mw(ORIN)["VDD_IN"] == 5336
        and rails_mw(THOR) == {"VDD_GPU": 6330, "VIN_SYS_5V0": 4800}
        and not rails_mw("nothing")
    )


@pytest.mark.parametrize(("line", "watts"), [(ORIN, 5.336), (XAVIER, 15.554), ("", None)])
def test_the_board_counts_where_it_is_told_else_all_rails(line: str, watts: float | None) -> None:
    assert power_w(line, ("VDD_IN", "VIN_SYS_5V0")) == watts

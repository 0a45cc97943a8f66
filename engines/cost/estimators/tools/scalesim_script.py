"""SCALE-Sim 3.0.0 answers questions about layers; run by the tool's own Python, without the product's packages.

Input: a list of {"name", "rows", "columns", "dataflow", "buffer_kb", "layer": [IFMAP height and width, filter height and width,
channels, filters, stride]}. Output: a line of {"cycles", "buffer_accesses", "off_chip_accesses"} each, in their order.
"""

from __future__ import annotations

import configparser
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

_BANKS = {"CustomLayout": "False", "SRAMBankBandwidth": 10, "SRAMBankNum": 10, "SRAMBankPort": 2}
_TENSORS = ("Ifmap", "Filter", "Ofmap")
_HEAD = "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides, Sparsity,\n"


def simulated(question: dict[str, Any], folder: Path) -> dict[str, float]:
    """Return cycles and accesses of one layer."""
    from scalesim.layout_utils import layouts
    from scalesim.scale_config import scale_config
    from scalesim.single_layer_sim import single_layer_sim
    from scalesim.topology_utils import topologies

    _write_configuration(folder / "array.cfg", question)
    (folder / "layer.csv").write_text(_HEAD + f"L,{','.join(map(str, question['layer']))},1:1,\n")
    configuration, topology = scale_config(), topologies()
    configuration.read_conf_file(str(folder / "array.cfg"))
    topology.load_arrays(topofile=str(folder / "layer.csv"), mnk_inputs=False)
    simulation = single_layer_sim()
    simulation.set_params(
        layer_id=0, config_obj=configuration, topology_obj=topology, layout_obj=layouts(), verbose=False
    )
    simulation.run()
    _, cycles, *_ = simulation.get_compute_report_items()
    detail = (
        simulation.get_detail_report_items()
    )  # start, stop and accesses of three buffers, then of three kinds of traffic
    accesses = [float(each) for each in detail[2::3]]
    return {"cycles": float(cycles), "buffer_accesses": sum(accesses[:3]), "off_chip_accesses": sum(accesses[3:])}


def _write_configuration(path: Path, question: dict[str, Any]) -> None:
    """Write the array as SCALE-Sim reads it: no stalls, no sparsity, plain layouts, operands far apart in memory."""
    array = {"ArrayHeight": question["rows"], "ArrayWidth": question["columns"], "Dataflow": question["dataflow"]}
    array |= {f"{name}SramSzkB": question["buffer_kb"] for name in _TENSORS}
    array |= {f"{name}Offset": place * 10**9 for place, name in enumerate(_TENSORS)}
    configuration = configparser.ConfigParser()
    configuration.read_dict({
        "general": {"run_name": "layer"},
        "architecture_presets": {**array, "ReadRequestBuffer": 32, "WriteRequestBuffer": 32},
        "layout": {f"{tensor}{name}": value for tensor in _TENSORS[:2] for name, value in _BANKS.items()},
        "sparsity": {"SparsitySupport": "false"},
        "run_presets": {"InterfaceBandwidth": "CALC", "UseRamulatorTrace": "False"},
    })  # fmt: skip
    with path.open("w") as file:
        configuration.write(file)


def main() -> None:
    """Answer the questions on standard input."""
    questions = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # SCALE-Sim prints bars and remarks
    with tempfile.TemporaryDirectory() as folder:
        for question in questions:
            answers.write(json.dumps(simulated(question, Path(folder))) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()

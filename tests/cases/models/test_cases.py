"""Files that readers of other tools are reported to read wrong, each with the totals that follow from its sizes by hand.

A product of m x c by c x k is m*c*k multiply-accumulates (MACs), a convolution outputs x kernel x inputs per group. Parameters are
numbers that were learnt, each tensor once. `expected.json` names the report that a file follows.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engines import explore
from engines.contract.errors import ProblemError
from engines.cost.calibration.files import read_tegrastats
from engines.cost.calibration.matching import match_rows
from engines.cost.calibration.profiles import read_profile
from engines.cost.calibration.reader import read_calibration
from engines.documents.builtin import get_builtin
from engines.learning.weights_file import read_weights
from engines.workloads.importing.maestro_reader import read_maestro
from engines.workloads.importing.onnx.onnx_reader import read_onnx
from engines.workloads.importing.zigzag_reader import read_document
from engines.workloads.loader import load_network

FOLDER = Path(__file__).parent
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text())
PROFILED = "named_like_a_resnet.onnx"  # the network of all profiles
Answer = tuple[dict[str, Any] | None, str]


def cases(*endings: str) -> list[str]:
    """Names of the files with these endings that are judged."""
    whole = {name for name, want in EXPECTED.items() if not set(want) <= {"note", "report"}}
    return [name for name in EXPECTED if name in whole and name.endswith(endings)]


def answer(name: str, dims: Any = None) -> Answer:
    """The report, or the refusal in words."""
    data = (FOLDER / name).read_bytes()
    try:
        if name.endswith(".onnx"):
            return dict(read_onnx(data, name, {"dims": dims or {}}).report), ""
        if name.endswith(".m"):
            return dict(read_maestro(data, name, {}).report), ""
        return dict(read_document(data, name, {"dims": {"clock_mhz": 200, "process_node_nm": 28}}).report), ""
    except ProblemError as error:
        return None, str(error)


@pytest.mark.parametrize("name", [name for name in cases(".onnx", ".m", ".yaml") if "board" not in EXPECTED[name]])
def test_a_network_has_its_totals_or_is_refused_by_name(name: str) -> None:
    want = EXPECTED[name]
    report, words = answer(name, want.get("dims"))
    if "asked_for" in want:
        assert want["asked_for"] in (words if report is None else json.dumps(report["open_sizes"]))
        report, words = answer(name, want.get("dims_then"))
        assert "dims_then" not in want or (report is not None and report["macs"] == want["macs_then"])
    elif "message_names" in want:
        assert report is not None or want["message_names"] in words
    elif "refused" in want:
        assert report is None and all(re.search(rf"\b{re.escape(each)}\b", words) for each in want["refused"])
    else:
        assert report is not None, words
        _check_report(report, want)


def _check_report(report: dict[str, Any], want: dict[str, Any]) -> None:
    totals = {key: want[key] for key in ("macs", "parameters") if key in want}
    assert {key: report[key] for key in totals} == totals
    unpriced = sorted(each["operator"] for each in report["operators"] if each["treatment"] == "unpriced")
    assert unpriced == want.get("unpriced", unpriced)
    assert re.search(want.get("notes_say", ""), " ".join(report["notes"]))


@pytest.mark.parametrize("name", [name for name in cases(".yaml") if "board" in EXPECTED[name]])
def test_a_board_whose_memory_is_too_small_says_so(name: str) -> None:
    try:
        found = explore("soc-mapping", hardware=str(FOLDER / name), workload=EXPECTED[name]["board"], seed=1,
                        params={"unmeasured": "datasheet"})  # fmt: skip
        words = json.dumps(found.to_dict(), default=str)
    except ProblemError as error:
        words = str(error)
    assert re.search(EXPECTED[name]["says"], words)


@pytest.mark.parametrize("name", cases(".safetensors"))
def test_a_file_of_weights_has_its_tensors(name: str) -> None:
    found = {each["name"] for each in read_weights((FOLDER / name).read_bytes(), name).content["tensors"]}
    assert set(EXPECTED[name]["weights"]) <= found


@pytest.mark.parametrize("name", cases(".log"))
def test_the_clocks_of_a_log_are_heeded(name: str) -> None:
    want, clocks = EXPECTED[name], dict(read_tegrastats((FOLDER / name).read_text()).clocks_mhz)
    assert {key: pytest.approx(value, abs=1) for key, value in want["clocks"].items()} == {
        key: clocks.get(key) for key in want["clocks"]
    }
    if "without_clock" in want:
        without, report = _fitted(want["without_clock"], name, {})
        given, _ = _fitted(want["without_clock"], name, want["nearest_steps"])
        told = any(str(want["clocks"]["gpu"]) in note for note in report["notes"])
        assert told or without == pytest.approx(given, rel=0.02)


def _fitted(profile: str, log: str, clocks_mhz: dict[str, float]) -> tuple[float, dict[str, Any]]:
    """`gpu.dense_share` of a calibration, and its report."""
    first, second = (FOLDER / profile).read_bytes(), (FOLDER / log).read_bytes()
    options = {
        "measurement_bytes": len(first), "soc": get_builtin("hardware", "jetson-agx-xavier").content, "workload": "n",
        "unit": "gpu", "networks": {"n": read_onnx((FOLDER / PROFILED).read_bytes(), PROFILED, {}).content},
        "clocks_mhz": clocks_mhz, "rails": ["GPU", "VDDRQ"],
        "about": {"slug": "c", "title": "c", "source": "s", "author": "a", "precision": "fp16"},
    }  # fmt: skip
    found = read_calibration(first + second, profile, options)
    return next(each["value"] for each in found.content["parameters"] if each["name"] == "gpu.dense_share"), dict(
        found.report
    )


@pytest.mark.parametrize("name", cases(".json"))
def test_a_profile_is_put_on_the_operators_that_it_measured(name: str) -> None:
    want, network = EXPECTED[name], load_network(read_onnx((FOLDER / PROFILED).read_bytes(), PROFILED, {}).content)
    profile = read_profile((FOLDER / name).read_text())
    try:
        rows = match_rows(profile, lambda _: network, workload=network.slug, unit="gpu").rows
    except ProblemError as error:
        if want.get("or_told", "\0") in str(error):
            return
        raise
    lines = {row.line: set(row.operations) for row in rows}
    assert want.get("unused_line") not in lines
    if "not_only" in want:
        got = lines.get(want["line"], set())
        assert not got or not got <= set(want["not_only"])
    for key, names in want.items():
        numbered = re.fullmatch(r"line_(\d+)", key)
        assert numbered is None or set(names) <= lines.get(int(numbered[1]), set())
    assert set(want.get("operations", ())) <= {each for names in lines.values() for each in names}

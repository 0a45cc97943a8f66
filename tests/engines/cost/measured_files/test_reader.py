"""Each format of measured values, whole and damaged. The files are written by hand, not recorded (`files_for_tests`)."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract.errors import ProblemError
from engines.cost.measured_files.reader import read_values
from tests.engines.cost.measured_files import files_for_tests as files


def read(text: str, name: str = "file.txt", **options: Any) -> dict[str, Any]:
    return read_values(text.encode(), name, options).content


def said(content: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(each["metric"], pytest.approx(each["value"]), each["unit"], each["network"]) for each in content["values"]]


@pytest.mark.parametrize(
    ("text", "name", "format_name", "values"),
    [
        (files.AI_HUB_PROFILE, "job.json", "AI Hub profile job", [("latency", 4e-3, "npu", "")]),
        (files.TRTEXEC_TIMES, "times.json", "trtexec --exportTimes", [("latency", 0.9e-3, "gpu", "")]),
        (files.TRTEXEC_LOG, "trt.log", "trtexec log",
         [("latency", 2.5e-3, "gpu", "resnet50"), ("throughput", 400, "gpu", "resnet50")]),
        (files.ONNXRUNTIME, "prof.json", "onnxruntime profile", [("latency", 4e-3, "", "")]),
        (files.LITERT, "b.txt", "LiteRT benchmark_model", [("latency", 51.891e-3, "", "mobilenet_v1_1.0_224")]),
        (files.RKNN, "r.txt", "rknn eval_perf", [("latency", 0.5e-3, "npu", "")]),
        (files.RKNN + "Total Time(us): 400\n", "r.txt", "rknn eval_perf", [("latency", 0.4e-3, "npu", "")]),
        (files.HAILO, "h.txt", "hailortcli benchmark",
         [("throughput", 1250, "npu", "resnet_v1_50"), ("latency", 2.5e-3, "npu", "resnet_v1_50"),
          ("energy", 2.5e-3, "npu", "resnet_v1_50")]),
        (files.MLPERF_TINY, "results.txt", "MLPerf Tiny results", [("latency", 4e-3, "", ""), ("energy", 85.25e-6, "", "")]),
    ],
)  # fmt: skip
def test_a_format_gives_its_values(text: str, name: str, format_name: str, values: list[tuple[Any, ...]]) -> None:
    content = read(text, name)
    assert content["format"] == format_name
    assert said(content) == values
    assert content["refused"] == []


def test_layers_on_other_units_are_told() -> None:
    content = read(files.AI_HUB_PROFILE)
    assert content["values"][0]["statistic"] == "median of 3 inferences, 2 of 3 layers on npu"
    assert content["operators"]


def test_perf_yaml_gives_a_value_per_device_runtime_and_precision() -> None:
    content = read(files.PERF_YAML, "perf.yaml")
    found = [tuple(each[key] for key in ("device", "network", "runtime", "precision")) for each in content["values"]]
    assert found == [
        ("Samsung Galaxy S25", "Net-One", "tflite", "fp16"),
        ("Samsung Galaxy S25", "Net-One", "tflite", "int8"),
    ]
    assert content["values"][0]["runtime_version"] == "qairt 2.42.0"
    assert "language model" in content["refused"][0]["reason"]


def test_a_table_of_hailortcli_keeps_the_rows_that_failed_as_refused() -> None:
    content = read(files.HAILO_CSV, "h.csv")
    assert [each["metric"] for each in content["values"]] == ["throughput", "latency", "energy"]
    assert [(each["place"], each["what"]) for each in content["refused"]] == [
        ("line 3", "net_two"),
        ("line 4", "net_three"),
    ]


def test_a_table_guesses_its_columns_and_refuses_rows_with_the_reason() -> None:
    content = read(files.TABLE, "table.csv")
    assert content["mapping"] == {
        "device": "Board", "network": "Model", "precision": "dtype", "batch": "Batch size", "licence": "License",
        "value": "Latency [ms]",
    }  # fmt: skip
    assert [(each["value"], each["precision"], each["batch"]) for each in content["values"]] == [
        (pytest.approx(1.98e-3), "int8", 1),
        (pytest.approx(14.2e-3), "fp16", 8),
    ]
    reasons = {each["place"]: each["reason"] for each in content["refused"]}
    assert set(reasons) == {"row 2", "row 4", "row 5", "row 6"}
    assert "decimal point" in reasons["row 2"]
    assert "fp17" in reasons["row 4"]
    assert "batch" in reasons["row 5"]


def test_the_columns_of_public_measurements_are_known() -> None:
    head = "source,device,unit,runtime,precision,model,batch,metric,value,unit_of_value\n"
    rows = "s,d,NPU,tflite,float,net,1,latency_ms,27.14,ms\ns,d,NPU,genie,w4,net,1,ttft_ms,90,ms\n"
    rows += "s,d,NPU,x,int8,net,1,latency_ms,9,1/s\n"
    content = read(head + rows, "ai_hub.csv")
    assert [(each["value"], each["precision"]) for each in content["values"]] == [(pytest.approx(0.02714), "fp16")]
    reasons = [each["reason"] for each in content["refused"]]
    assert "ttft_ms" in reasons[0]
    assert reasons[1] == "The unit 1/s is of throughput, but the row states latency."


def test_a_table_without_a_column_of_values_asks_for_it() -> None:
    content = read("board,net,result\na,b,3\n", "t.csv")
    assert content["values"] == []
    assert content["columns"] == ["board", "net", "result"]
    mapped = read(
        "board,net,result\na,b,3\n",
        "t.csv",
        mapping={"value": "result", "network": "net"},
        stated={"unit_of_value": "ms"},
    )
    assert said(mapped) == [("latency", 3e-3, "", "b")]


@pytest.mark.parametrize("mapping", [{"value": "no column"}, {"nothing": "net"}, {"network": "net"}])
def test_a_mapping_that_does_not_fit_is_refused(mapping: dict[str, str]) -> None:
    with pytest.raises(ProblemError, match="mapping"):
        read("board,net,result\na,b,3\n", "t.csv", mapping=mapping)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{}", "a.json"),
        ("[1, 2]", "a.json"),
        ('{"execution_summary": {}}', "a.json"),
        ('{"execution_summary": {"all_inference_times": [-1]}}', "a.json"),
        ('[{"name": "conv1", "averageMs": 0.5}]', "profile.json"),
        ('[{"startComputeMs": 2, "endComputeMs": 1}]', "times.json"),
        ('[{"ph": "X", "cat": "Node", "name": "conv_kernel_time", "dur": 3}]', "profile.json"),
        ("precisions: {float: 3}", "perf.yaml"),
        ("models: []", "perf.yaml"),
        ("Inference timings in us: Init: 4, First inference: 5", "b.txt"),
        ("Total Time(us): 0", "r.txt"),
        ("FPS     (hw_only)                 = 0.0", "h.txt"),
        ("ulp-mlperf: Median throughput is 0.000 inf./sec.", "results.txt"),
        ("=== Performance summary ===\n", "t.log"),
        ("", "t.csv"),
        ("[" * 10_000, "t.json"),
    ],
)
def test_a_damaged_file_is_refused(text: str, name: str) -> None:
    with pytest.raises(ProblemError):
        read(text, name)


@settings(max_examples=60)
@given(st.data())
def test_any_part_of_a_file_is_read_or_refused(data: Any) -> None:
    whole = data.draw(
        st.sampled_from([files.LITERT, files.RKNN, files.HAILO, files.HAILO_CSV, files.MLPERF_TINY, files.PERF_YAML])
    )
    begin = data.draw(st.integers(0, len(whole)))
    with contextlib.suppress(ProblemError):
        read(whole[begin:], data.draw(st.sampled_from(["a.txt", "a.yaml", "a.csv"])))

"""Rows of public measurements: what they mean in the catalogue, and which of them no estimate stands beside."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from engines.contract.errors import ProblemError
from engines.survey.measurements.devices import device_boards
from engines.survey.measurements.networks import zoo_network
from engines.survey.measurements.rows import COLUMNS, measured_rows, read_rows
from engines.workloads.index import read_index

_LINE = {
    "source": "quic/ai-hub-models", "device": "RK3588", "soc": "RK3588", "unit": "NPU", "runtime": "tflite", "precision": "int8",
    "model": "ResNet50", "model_slug": "resnet50", "input": "1x3x224x224", "batch": "1", "metric": "latency_ms", "value": "12",
    "unit_of_value": "ms",
}  # fmt: skip


def _reason(tmp_path: Path, **changes: str) -> str:
    file = tmp_path / "rows.csv"
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, restval="")
        writer.writeheader()
        writer.writerow({**_LINE, **changes})
    return read_rows(file)[0].reason


def test_every_row_of_the_tables_has_source_licence_and_a_network_or_a_reason() -> None:
    rows = measured_rows()
    assert len(rows) == 6456
    assert all(row.source and row.licence and row.date and row.where for row in rows)
    assert all((row.network in read_index() and row.ground) if not row.reason else row.reason for row in rows)
    assert len({row.device for row in rows if not row.reason and row.devices}) >= 20


def test_boards_find_their_rows_by_the_names_of_the_sources() -> None:
    assert device_boards("Samsung Galaxy S24", "qualcomm-snapdragon-8gen3") == ("snapdragon-8-gen-3",)
    assert device_boards("RK3566/RK3568", "RK3566 or RK3568") == ("rk3566", "rk3568")
    assert device_boards("NUCLEO-L4R5ZI", "STM32L4R5ZIT6U") == ("stm32l4r5",)
    assert device_boards("Hailo-8L", "Hailo-8L") == ("hailo-8l",)
    assert device_boards("Snapdragon 7 Gen 4 QRD", "qualcomm-snapdragon-7gen4") == ()
    found = Counter(row.device for row in measured_rows("snapdragon-8-elite"))
    assert set(found) == {"samsung-galaxy-s25", "snapdragon-8-elite-qrd"}


def test_networks_of_other_sizes_or_totals_are_not_those_of_the_zoo() -> None:
    assert zoo_network("quic/ai-hub-models", "ResNet50", "resnet50", "1x3x224x224").slug == "resnet50"
    assert (
        zoo_network("quic/ai-hub-models", "EfficientNet-B4", "efficientnet-b4", "1x3x224x224").slug
        == "efficientnet-b4-224"
    )
    assert "at 380x380" in zoo_network("elsewhere", "EfficientNet-B4", "efficientnet-b4", "1x3x224x224").words
    assert "at 224x224" in zoo_network("quic/ai-hub-models", "ResNet50", "resnet50", "1x3x448x448").words
    hailo = zoo_network(
        "hailo-ai/hailo_model_zoo", "yolov5s", "yolov5s", "640x640x3", "7.46 M parameters; 17.44 G operations"
    )
    assert "17.44 G operations" in hailo.words
    assert zoo_network("airockchip/rknn_model_zoo", "resnet50-v2-7", "resnet50-v2-7", "1x3x224x224").slug == ""


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, ""),
        ({"batch": "8"}, "of a batch of 8"),
        ({"batch": "1.5"}, "whole number"),
        ({"notes": "layers total=99 npu=90 cpu=9"}, "9 of 99 layers ran on the CPU"),
        ({"unit": "CPU"}, "ran on the CPU"),
        ({"unit": "GPU and 2 DLA together"}, "Several units"),
        ({"unit_of_value": "us"}, "must be ms"),
        ({"value": "-1"}, "above 0"),
        ({"value": "nan"}, "above 0"),
        ({"value": "0.012"}, "is shorter than 1.3"),
        ({"value": "0.5", "model": "alexnet", "model_slug": "alexnet"}, "which the memory bandwidth of"),
        ({"metric": "ttft_ms"}, "language model"),
        ({"model_slug": "nobody", "model": "x"}, "no network nobody"),
    ],
)
def test_rows_that_no_estimate_stands_beside_say_why(changes: dict[str, str], words: str, tmp_path: Path) -> None:
    reason = _reason(tmp_path, **changes)
    assert (words in reason) if words else reason == ""


def test_files_of_other_columns_or_without_text_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    for content in (b"", b"a,b\n1,2\n", b"\xff\xfe\x00", b"source,device\n"):
        other.write_bytes(content)
        with pytest.raises(ProblemError):
            read_rows(other)
    with pytest.raises(ProblemError):
        read_rows(tmp_path / "none.csv")

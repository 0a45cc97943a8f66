from __future__ import annotations

from engines.cost.calibration.words import calibration_words, error_words
from hardware.calibration.loader import builtin_calibrations, load_calibration
from tests.engines.cost.copies_for_tests import copied, fitted
from tests.engines.cost.soc_for_tests import calibration


def test_words_name_the_parent_the_precision_and_whether_anything_was_scaled() -> None:
    same, wide = copied(), copied(memory__bytes_per_cycle=20.0)
    assert calibration_words(fitted(), same) == "fp16, calibration round of board"
    assert calibration_words(fitted(), wide) == "fp16, calibration round of board, scaled to copied"
    assert calibration_words(fitted(), wide, ("cpu",), "int8").startswith(
        "int8 extrapolated from fp16, calibration round"
    )
    assert calibration_words(fitted(), wide, ("npu", "gpu"), "int8") == "int8, NPU, GPU by the data sheet, not measured"


def test_an_error_says_how_many_rows_of_which_source_networks_and_precision() -> None:
    text = error_words(load_calibration(builtin_calibrations()["xavier-map-and-conquer"]))
    assert "latency ×/÷ 1.31 (4 rows)" in text and "in fp16" in text
    assert "visformer-small, vgg19" in text and "without the rows of their network" in text
    assert "The error for other networks, precisions and runtimes is unknown" in text
    assert error_words(calibration()) == ""

"""The words of certainty, decided in one place."""

from __future__ import annotations

import pytest

from engines.contract.certainty import (
    DEFINITIONS,
    LADDER,
    SIGNS,
    Certainty,
    NumberCertainty,
    estimate_certainty,
    weakest,
)


def test_an_estimate_is_never_measured_and_as_sure_as_its_weakest_part() -> None:
    assert estimate_certainty(calibrated=True) == "calibrated"
    assert estimate_certainty(calibrated=True, scaled=True) == "predicted" == estimate_certainty(calibrated=False)
    assert estimate_certainty(calibrated=True, data_sheet=True) == "data sheet"
    assert weakest("calibrated", "predicted") == "predicted" and weakest("data sheet", "predicted") == "data sheet"


@pytest.mark.parametrize("word", LADDER)
def test_every_word_has_one_sign_and_one_sentence(word: Certainty) -> None:
    number = NumberCertainty(word, "fp16, calibration mine", 1.4)
    assert (
        number.sign == SIGNS[word]
        and DEFINITIONS[word] in number.sentence
        and "Fp16, calibration mine." in number.sentence
    )
    assert ("×/÷ 1.40: it holds 90 %" in number.sentence) == (word != "measured")
    assert len(set(SIGNS.values())) == len(LADDER)

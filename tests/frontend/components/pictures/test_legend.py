from __future__ import annotations

from frontend.components.pictures.legend import hardware_legend, model_legend
from tests.frontend.words import words


def test_legends_name_each_kind_once():
    assert words(hardware_legend(["nvdla", "shi-diannao", "nvdla"])).split() == ["NVDLA-like", "Shi-diannao-like"]
    assert words(model_legend(["GPT-L", "hand"])) == "GPTL GPT-L hand"

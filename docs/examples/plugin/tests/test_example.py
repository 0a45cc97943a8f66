"""The plug-in by the conformance suite that Paretoscope ships."""

import pytest

import paretoscope  # noqa: F401  # makes engines and hardware importable
from engines.documents.builtin import get_builtin
from engines.documents.families import load, plug_ins
from engines.documents.problems import make_problem
from engines.testing import EngineSuite, TinyProblem


def test_the_family_is_offered():
    assert [(each.name, each.problem) for each in plug_ins() if each.package == "paretoscope-example"] == [
        ("accelerator", "")
    ]
    accelerator = load(get_builtin("hardware", "example-accelerator").content)
    assert (accelerator.operations_per_s, accelerator.power_w) == (500e9, 2.0)


class TestAcceleratorShare(EngineSuite):
    @pytest.fixture
    def tiny(self):
        inputs = {"hardware": get_builtin("hardware", "example-accelerator")}
        possible = make_problem("accelerator-share", inputs, {"evaluations": 130}, seed=1)
        return TinyProblem(possible, impossible=make_problem("accelerator-share", inputs, {"energy_limit_j": 0.01}))

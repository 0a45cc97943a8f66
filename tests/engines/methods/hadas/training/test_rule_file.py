"""One file with the rule inside gives what torch gives at the end where the rule lets an image leave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import onnx  # noqa: E402
import onnxruntime  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

from engines.methods.hadas.training.rule_file import RuleFile  # noqa: E402
from engines.search.ends.confidence import RULES, Rule, confidence, leaves_at  # noqa: E402
from tests.engines.methods.hadas.training.test_trainer import SHAPE, numbered  # noqa: E402

TEMPERATURES = [0.5, 0.25, 1.0]


@pytest.fixture(scope="module")
def network() -> Any:
    return numbered().network.eval()


@pytest.fixture(scope="module")
def files(network: Any) -> RuleFile:
    return RuleFile(network, SHAPE, TEMPERATURES)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("used", [(True, True), (False, True), (True, False), (False, False)])
def test_outputs_are_those_of_the_first_sure_exit(
    network: Any, files: RuleFile, rule: Rule, used: tuple[bool, bool]
) -> None:
    images = torch.rand(6, 1, 8, 8, generator=torch.Generator().manual_seed(3))
    outputs = network(images).detach().numpy().astype(np.float64)
    sure = confidence(outputs, rule, np.array(TEMPERATURES))
    asked = np.median(sure, axis=0)  # at each end half of the images are surer
    expected = leaves_at(sure, [*used, True], asked)
    if any(used):
        assert len(set(expected.tolist())) > 1
    evaluator = onnxruntime.InferenceSession(files.onnx_bytes(rule), providers=["CPUExecutionProvider"])
    thresholds = np.where(used, asked[:2], 2.0).astype(np.float32)
    for image, own, at in zip(images, outputs, expected.tolist(), strict=True):
        found, end = evaluator.run(None, {"images": image[None].numpy(), "thresholds": thresholds})
        assert int(end) == at + 1
        assert found[0] == pytest.approx(own[at], abs=1e-5)


@pytest.mark.parametrize("rule", RULES)
def test_the_file_keeps_to_the_standard_and_is_not_nested_by_depth(files: RuleFile, rule: Rule) -> None:
    model = onnx.load_from_string(files.onnx_bytes(rule))
    onnx.checker.check_model(model, full_check=True)
    stages = [node for node in model.graph.node if node.op_type == "If"]
    assert len(stages) == 3
    computed = {node.op_type for node in model.graph.node}
    assert "Conv" not in computed  # nothing is computed outside of a stage


def test_what_comes_after_the_end_where_an_image_leaves_is_not_computed(network: Any, files: RuleFile) -> None:
    """Weights of later blocks are not even looked at: nonsense there changes nothing."""
    model = onnx.load_from_string(files.onnx_bytes("entropy"))
    later = [
        weight for weight in model.graph.initializer if weight.name.startswith(("inside_map2", "inside_map3", "head3"))
    ]
    assert later
    for weight in later:
        weight.CopyFrom(onnx.numpy_helper.from_array(np.full(tuple(weight.dims), np.nan, np.float32), weight.name))
    images = torch.rand(1, 1, 8, 8, generator=torch.Generator().manual_seed(3))
    found, end = ReferenceEvaluator(model).run(None, {"images": images.numpy(), "thresholds": np.zeros(2, np.float32)})
    assert int(end) == 1 and found[0] == pytest.approx(network(images)[0, 0].detach().numpy(), abs=1e-5)

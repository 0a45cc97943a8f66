from __future__ import annotations

import pytest
import yaml

from engines.workloads.errors import WorkloadError
from engines.workloads.loader import load_workload_text
from tests.engines.workloads.documents_for_tests import scenario_content


def test_errors_of_a_text_have_the_line() -> None:
    text = yaml.safe_dump(scenario_content({"network": "resnet50", "batch": -1}), sort_keys=False)
    with pytest.raises(WorkloadError) as caught:
        load_workload_text(text, "mine.yaml")
    line = caught.value.line
    assert line is not None
    assert "batch: -1" in text.splitlines()[line - 1]
    assert f"mine.yaml, line {line}" in str(caught.value)


def test_a_text_that_is_no_yaml_is_a_workload_error() -> None:
    with pytest.raises(WorkloadError, match="valid YAML"):
        load_workload_text("a: [")

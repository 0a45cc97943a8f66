from __future__ import annotations

import json

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.running.importance import importance_in_child, read_importance


@pytest.mark.long
def test_a_child_answers_as_this_process_does() -> None:
    decisions = [json.dumps({"units": ["gpu" if bit == "1" else "dla" for bit in f"{n:07b}"]}) for n in range(128)]
    values = np.array([float(decision.count("gpu")) for decision in decisions])
    found = importance_in_child("soc-mapping", decisions, values)
    assert found.titles[0] == "Unit of each block"
    assert found.explained > 0.5
    assert len(found.titles) == 8


def test_too_few_designs_and_designs_all_alike_are_refused() -> None:
    few = json.dumps({"values": [1.0], "decisions": [{"units": ["gpu"]}]}).encode()
    with pytest.raises(ProblemError, match="40 to 5000"):
        read_importance(few, "", {"engine": "soc-mapping"})
    alike = json.dumps({"values": [1.0, 2.0] * 20, "decisions": [{"units": ["gpu"]}] * 40}).encode()
    with pytest.raises(ProblemError, match="differ"):
        read_importance(alike, "", {"engine": "soc-mapping"})

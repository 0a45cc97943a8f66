"""The agent is a package of its own: it imports onnxruntime, numpy and the standard library, and nothing of the product."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "agent" / "paretoscope_agent"


def test_it_imports_nothing_of_the_product() -> None:
    found = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    assert len(found) > 10
    assert found - set(sys.stdlib_module_names) == {"numpy", "onnxruntime", "paretoscope_agent"}

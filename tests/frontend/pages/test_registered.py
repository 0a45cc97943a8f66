"""Pages, callbacks and direct answers are there once the application is built: nothing else would miss one that is not."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
REGISTERING = {"callback", "clientside_callback", "register_page", "answer_directly"}
BUILT = (
    "import json, sys, django\n"
    "django.setup()\n"
    "from frontend.bridge import get_app\n"
    "get_app()\n"
    "print(json.dumps(sorted(sys.modules)))\n"
)


def registers(source: str) -> bool:
    """Whether a module registers something when it is imported."""
    for node in ast.parse(source).body:
        called = node.decorator_list if isinstance(node, ast.FunctionDef) else [getattr(node, "value", None)]
        for call in called:
            if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in REGISTERING:
                return True
    return False


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("@callback(Output('a', 'b'))\ndef f(): ...", True),
        ("dash.register_page(__name__)", True),
        ("answer_directly('/a/', b)", True),
        ("def f(): answer_directly('/a/', b)", False),
    ],
)
def test_what_registers_is_found(source: str, expected: bool) -> None:
    assert registers(source) is expected


def test_all_that_registers_is_imported() -> None:
    paths = [path for folder in ("live", "pages") for path in (ROOT / "frontend" / folder).rglob("*.py")]
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths if registers(path.read_text())}
    assert len(names) > 30
    built = subprocess.run([sys.executable, "-c", BUILT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert names - set(ast.literal_eval(built.stdout)) == set()

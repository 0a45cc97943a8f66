"""What import-linter cannot see: engines and hardware read no environment variables."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PURE = sorted(path for folder in ("hardware", "engines") for path in (ROOT / folder).rglob("*.py"))
# The parent side of a run's process hands on the few variables that any process needs (PATH, HOME); no engine sees it.
ALLOWED = {"engines/running/runner/environment.py"}
READERS = {"environ", "environb", "getenv", "getenvb"}


def environment_reads(tree: ast.AST) -> Iterator[int]:
    """Lines that use `os.environ` or `os.getenv`, under whatever name `os` was imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            yield from (node.lineno for alias in node.names if alias.name in READERS)
        if isinstance(node, ast.Attribute) and node.attr in READERS:
            yield node.lineno


@pytest.mark.parametrize(
    "source", ["import os\nos.environ['A']", "from os import getenv", "import os as o\no.getenv('A')"]
)
def test_a_read_is_found(source: str) -> None:
    assert list(environment_reads(ast.parse(source)))


def test_engines_and_hardware_read_no_environment() -> None:
    reading = {str(path.relative_to(ROOT)) for path in PURE if any(environment_reads(ast.parse(path.read_text())))}
    assert reading == ALLOWED, "who reads it, or an exception that is not needed any more"

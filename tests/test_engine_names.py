"""Generic code knows no engine: what it does with one follows from what the engine declares."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from engines.registry import BUILT_INS

ROOT = Path(__file__).resolve().parent.parent
METHODS = "engines.methods"
# Where engines, and the documents that one of them alone makes, are found by name.
REGISTRIES = {"engines/registry.py", "engines/documents/families.py"}
NAMES = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, BUILT_INS))})(?![\w-])")


def generic_files() -> Iterator[Path]:
    for folder in ("engines", "hardware", "webapp", "frontend"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith("engines/methods/") and "/migrations/" not in name and name not in REGISTRIES:
                yield path


def texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """Every text of a module but docstrings, which may give examples."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    described = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in described:
            yield node


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or ""


def test_generic_code_names_no_engine_and_imports_no_method() -> None:
    found = []
    for path in generic_files():
        source, place = path.read_text(), path.relative_to(ROOT)
        if not NAMES.search(source) and METHODS not in source:  # most files: nothing to parse
            continue
        tree = ast.parse(source)
        # A command of one engine is called by its name.
        own = path.stem.replace("_", "-") if path.parent.name == "commands" else ""
        for text in texts(tree):
            found += [f"{place}:{text.lineno} {name}" for name in NAMES.findall(str(text.value)) if name != own]
        found += [f"{place}:{line} {name}" for line, name in imports(tree) if f"{name}.".startswith(f"{METHODS}.")]
    assert not found, "\n".join(found)


def test_a_name_is_found_as_a_word_and_not_within_another() -> None:
    assert NAMES.findall("/new?engine=scar&hardware=x") == ["scar"]
    assert not NAMES.findall("magnas-vig-s-gin scarce")

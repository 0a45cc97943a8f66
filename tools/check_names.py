"""Refuses names and docstrings that hide what they are: make check.

A module or class is named by a noun of the field, never by a participle, an adverb or a metaphor. A docstring begins with a verb
(functions) or a noun phrase (classes, modules). Both are checked by word lists, not by grammar.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREES = ("hardware", "engines", "webapp", "frontend", "client", "agent", "paretoscope", "tools", "benchmarks", "tests")
# Whole names of modules, and of classes in lower case.
WORDS = """
accelerated accepted acting again ahead answered asked assembled bell beside_workers chosen clocked compared composed
covered decided decomposed deleted differing drawn edited ending estimated evaluated executed explained failed fence
flown followed following found given gone held imported interrupted inverted invited judged keeper kept laboratory
laid lesson look made managed mapped measured moved nested opened packed patient_worker persons picked pinned placed
planned prepared priced printed pruned ranked rated read ready ready_made recorded removed resting ruled said scored
searched sent served shipped shown silence sized solved staged standing started stopped stored surveyed takers talk
timed told trained turns uncompared usual_inputs wanted world written
"""
NAMES = frozenset(WORDS.split())
DOCSTRING_START = re.compile(r"(Of|That|As|Those|Likewise|So many|Who)\b")
# Names that stay, each with its reason.
ALLOWED: dict[str, str] = {}
Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module


def problems_of(path: Path) -> Iterator[str]:
    """Yield "path:line: problem" for each name and docstring of a module that breaks a rule."""
    shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    if path.stem.removeprefix("test_") in NAMES and str(shown) not in ALLOWED:
        yield f"{shown}:1: the module {path.stem} is not named by a noun of the field"
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, Documented):
            continue
        line = getattr(node, "lineno", 1)
        if isinstance(node, ast.ClassDef) and node.name.strip("_").lower() in NAMES:
            yield f"{shown}:{line}: the class {node.name} is not named by a noun of the field"
        if start := DOCSTRING_START.match(ast.get_docstring(node) or ""):
            yield f'{shown}:{line}: the docstring begins with "{start[0]}", not with a verb or a noun phrase'


def main() -> int:
    """Print all problems; return 1 where there are any."""
    problems = [each for tree in TREES for path in sorted((ROOT / tree).rglob("*.py")) for each in problems_of(path)]
    print(*problems, sep="\n" if problems else "")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

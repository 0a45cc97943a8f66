"""Prints how large the code is and how it is cut: make figures.

Lines of the engines by what they are for, sizes of files and functions, docstrings of array functions that give shapes, tests at
the path of their module, circles of imports, and engines that generic code names. Nothing is run; everything is read from the
files.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from tests.test_circles import first_circle, graph_of_all, package_circles

ROOT = Path(__file__).resolve().parent.parent
TREES = ("hardware", "engines", "webapp", "frontend", "paretoscope")
# Rooms with searches and costs of methods, beside the methods themselves.
LIBRARIES = ("chiplets", "mapping")
# What a module is for: reproduction by its folder, else what its name says; the first that fits counts. What fits none is search or
# cost. Whatever stands in a folder of searches counts by its name as well: a run, its report and its plan are plumbing there too.
# What has such a name and is search all the same stands in `SEARCH`.
SEARCH = {
    "engines/chiplets/windows/options.py",  # best schedules of a window
    "engines/mapping/solver/open_results.py",  # states of the exact search
    "engines/methods/sbrs/search/baseline.py",  # the space that a baseline network spans
}
PURPOSES = {
    "parameters": ("params", "*_params", "quantities", "*_quantities", "presets"),
    "plumbing": (
        "engine", "*_engine", "uploaded_weights",
        "report", "comparison",
        "planning", "outcome", "*_outcome", "progress", "batches",
        "decision", "instance", "training_problem", "setup", "run", "pieces", "baseline", "baselines",
        "own_mappings", "limits",
        "diagnosis", "options", "reading", "weights_document", "coverage",
    ),
    "explaining": (
        "explain", "explain_*", "mapping_results", "layer_costs", "deployment*", "broken_limits", "clocks", "timeline", "texts",
        "results", "*_results", "curves", "c_code", "battery_trace", "export", "document", "stated_model", "departures",
        "*_schedule", "arrival_report", "estimator_accuracy", "part_times",
    ),
}  # fmt: skip
ARRAYS = re.compile(r"\b(FloatArray|IntArray|BoolArray|NDArray|ndarray)\b")
SHAPE = re.compile(r"[Ss]hapes? |`[\w() +*-]+ x [\w() +*-]+`|\bof the same shape\b")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def purpose(path: Path) -> str:
    """Return the purpose of a method's module."""
    if any(part.startswith("reproduction") for part in path.parts):
        return "reproduction"
    if path.as_posix() in SEARCH:
        return "search and cost"
    fitting = (name for name, patterns in PURPOSES.items() if any(fnmatch(path.stem, each) for each in patterns))
    return next(fitting, "search and cost")


def spread(values: Sequence[int]) -> str:
    """Return median, ninth decile and largest."""
    ordered = sorted(values)
    return f"{ordered[len(ordered) // 2]} / {ordered[int(0.9 * (len(ordered) - 1))]} / {ordered[-1]}"


def functions(tree: ast.AST) -> Iterator[Function]:
    """Return all functions and methods, nested ones among them."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def takes_arrays(function: Function) -> bool:
    """Return whether an array is named in what a function takes or gives."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    annotations = [each.annotation for each in arguments] + [function.returns]
    return any(ARRAYS.search(ast.unparse(each)) for each in annotations if each is not None)


def modules(root: Path, tree: str) -> dict[Path, str]:
    """Return path below the root -> source."""
    return {path.relative_to(root): path.read_text() for path in sorted((root / tree).rglob("*.py"))}


def lines_by_purpose(root: Path) -> dict[str, Counter[str]]:
    """Return method or library -> purpose -> lines."""
    found: dict[str, Counter[str]] = {}
    for folder in (*(f"engines/{name}" for name in LIBRARIES), "engines/methods"):
        for path, source in modules(root, folder).items():
            room = path.parts[2] if folder == "engines/methods" else path.parts[1]
            if room != "__init__.py":
                found.setdefault(room, Counter())[purpose(path)] += len(source.splitlines())
    return found


def shapes(root: Path, tree: str) -> tuple[int, int]:
    """Return the public functions of arrays with a docstring, and those of them whose docstring gives a shape."""
    counted = told = 0
    for source in modules(root, tree).values():
        for function in functions(ast.parse(source)):
            words = ast.get_docstring(function)
            if words and takes_arrays(function):
                counted += 1
                told += bool(SHAPE.search(words))
    return counted, told


def is_tested_alone(path: Path, source: str) -> bool:
    """Return whether a module is to have a test at its path: whether it holds a function, a method or a lambda of its own.

    Packages' own files, constants, types, parameters and serializers that are declared alone, ids, and addresses have nothing
    that could be called and judged; what uses them is tested. Migrations are tested together, by the database that they make, and
    the hooks of `apps.py` by every test that starts Django.
    """
    if path.stem in ("__init__", "apps") or path.parent.name in ("ids", "migrations"):
        return False
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) for node in ast.walk(ast.parse(source))
    )


def mirrored(root: Path, tree: str) -> tuple[int, int]:
    """Return the modules that are to be tested at their path, and those of them with a test there."""
    paths = [path for path, source in modules(root, tree).items() if is_tested_alone(path, source)]
    return len(paths), sum((root / "tests" / path.with_name(f"test_{path.name}")).is_file() for path in paths)


def engine_names(root: Path) -> list[str]:
    """Return the names of the built-in engines, as the registry has them."""
    return re.findall(
        r'^\s+"([\w-]+)": "engines\.methods\.', (root / "engines" / "registry.py").read_text(), re.MULTILINE
    )


def named_engines(root: Path) -> list[str]:
    """Return `file: name` of every text in generic code that is the name of an engine, and every import of a method there."""
    names, found = set(engine_names(root)), []
    for tree in TREES:
        for path, source in modules(root, tree).items():
            if path.parts[:2] == ("engines", "methods") or path == Path("engines/registry.py"):
                continue
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Constant) and node.value in names:
                    found.append(f"{path}: {node.value}")
                elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("engines.methods."):
                    found.append(f"{path}: {node.module}")
    return found


def report(root: Path) -> Iterator[str]:
    """Yield the figures, line by line."""
    by_purpose = lines_by_purpose(root)
    kinds = ["search and cost", *PURPOSES, "reproduction"]
    yield f"{'lines':16}" + "".join(f"{kind:>17}" for kind in (*kinds, "all but search"))
    total: Counter[str] = Counter()
    for room, counts in sorted(by_purpose.items()):
        total += counts
        yield _row(room, counts, kinds)
    yield _row("all", total, kinds)
    for tree in TREES:
        sources = modules(root, tree)
        sizes = [len(source.splitlines()) for source in sources.values() if source.strip()]
        lengths = [
            (node.end_lineno or 0) - node.lineno + 1 for s in sources.values() for node in functions(ast.parse(s))
        ]
        yield f"{tree}: lines of files {spread(sizes)}, of functions {spread(lengths)} (median / 9th decile / largest)"
    for title, measure, of in (
        ("docstrings of array functions with shapes", shapes, ("engines", "hardware")),
        ("modules with a test at their path", mirrored, TREES),
    ):
        counts_of = [measure(root, tree) for tree in of]
        parts = ", ".join(
            f"{tree} {100 * some / max(all_, 1):.0f} %" for tree, (all_, some) in zip(of, counts_of, strict=True)
        )
        all_of, some_of = (sum(column) for column in zip(*counts_of, strict=True))
        yield f"{title}: {some_of} of {all_of}, {100 * some_of / max(all_of, 1):.0f} % ({parts})"
    graph = graph_of_all()
    yield f"circle of imports: {' -> '.join(first_circle(graph)) or 'none'}"
    in_circles = [(package, group) for package, groups in package_circles(graph).items() for group in groups]
    yield f"circles of packages: {len(in_circles)}"
    yield from (f"  {package}: {len(group)} parts" for package, group in in_circles)
    named = named_engines(root)
    yield f"engines named in generic code: {len(named)}" + "".join(f"\n  {each}" for each in named)


def _row(room: str, counts: Counter[str], kinds: Sequence[str]) -> str:
    cells = [counts[kind] for kind in kinds] + [counts.total() - counts[kinds[0]]]
    return f"{room:16}" + "".join(f"{cell:17,}" for cell in cells)


if __name__ == "__main__":
    sys.stdout.write("\n".join(report(ROOT)) + "\n")

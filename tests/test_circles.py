"""No module imports itself by way of others, be it on use or for types alone."""

import ast
from collections.abc import Mapping, Set
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREES = ("hardware", "engines", "webapp", "frontend")

# Imports that are left out of the count, each with its reason.
ALLOWED: dict[tuple[str, str], str] = {}


def all_modules() -> dict[str, Path]:
    """Dotted name -> file."""
    paths = [path for tree in TREES for path in (ROOT / tree).rglob("*.py")]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return dict(zip(names, paths, strict=True))


def imported(name: str, source: str, is_package: bool, modules: Set[str]) -> set[str]:
    """The modules of `modules` that a module names in its imports, wherever these stand."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = name.split(".") if is_package else name.split(".")[:-1]
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {each if (each := f"{base}.{alias.name}") in modules else base for alias in node.names}
    return (found & modules) - {name}


def first_circle(graph: Mapping[str, Set[str]]) -> list[str]:
    """Modules of which each is imported by the next, the first again at the end; [] where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def graph_of_all() -> dict[str, set[str]]:
    modules = all_modules()
    return {
        name: imported(name, path.read_text(), path.name == "__init__.py", modules.keys())
        for name, path in modules.items()
    }


def test_a_circle_is_found() -> None:
    names = {"a", "a.b", "c"}
    graph = {
        "a": imported("a", "from .b import x", True, names),
        "a.b": imported("a.b", "def f():\n    import c", False, names),
        "c": imported("c", "if TYPE_CHECKING:\n    from a import y", False, names),
    }
    assert set(first_circle(graph)) == names
    assert first_circle(graph | {"c": set()}) == []


def test_there_is_no_circle() -> None:
    graph = graph_of_all()
    assert len(graph) > 500
    for user, used in ALLOWED:
        graph[user].discard(used)
    assert first_circle(graph) == []


def test_exceptions_are_still_needed() -> None:
    graph = graph_of_all()
    for left_out in ALLOWED:
        assert left_out[1] in graph[left_out[0]], left_out
        for user, used in set(ALLOWED) - {left_out}:
            graph[user].discard(used)
        assert first_circle(graph) != [], left_out

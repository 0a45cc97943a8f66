"""No module and no package imports itself by way of others, be it on use or for types alone."""

import ast
from collections.abc import Mapping, Set
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Package -> the folder that it lies in. Circles between these packages are import-linter's: `webapp.site` mounts the frontend.
TREES = {
    **dict.fromkeys(("hardware", "engines", "webapp", "frontend", "paretoscope"), ROOT),
    "paretoscope_client": ROOT / "client",
    "paretoscope_agent": ROOT / "agent",
}


def all_modules() -> dict[str, Path]:
    """Dotted name -> file."""
    return {
        ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"): path
        for tree, folder in TREES.items()
        for path in (folder / tree).rglob("*.py")
    }


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


@cache
def graph_of_all() -> dict[str, set[str]]:
    modules = all_modules()
    return {
        name: imported(name, path.read_text(), path.name == "__init__.py", modules.keys())
        for name, path in modules.items()
    }


def part_graphs(graph: Mapping[str, Set[str]]) -> dict[str, dict[str, set[str]]]:
    """Package -> its modules and packages, each with those of them that it imports, by whatever lies in it."""
    packages: dict[str, dict[str, set[str]]] = {}
    for user, used in graph.items():
        for other in used:
            parts, others = user.split("."), other.split(".")
            shared = next((n for n, (a, b) in enumerate(zip(parts, others, strict=False)) if a != b), 0)
            if shared:  # neither of the two lies in the other one
                parent = packages.setdefault(".".join(parts[:shared]), {})
                parent.setdefault(".".join(parts[: shared + 1]), set()).add(".".join(others[: shared + 1]))
    return packages


def circles(graph: Mapping[str, Set[str]]) -> list[list[str]]:
    """Groups of names each of which imports all others of its group by way of others."""
    reached: dict[str, set[str]] = {}
    for name in graph:
        reached[name], ahead = set(), [name]
        while ahead:
            new = set(graph.get(ahead.pop(), ())) - reached[name]
            reached[name] |= new
            ahead += new
    groups = {frozenset(each for each in reached[name] if name in reached.get(each, ())) for name in graph}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def package_circles(graph: Mapping[str, Set[str]]) -> dict[str, list[list[str]]]:
    """Package -> groups of its modules and packages that import each other in a circle."""
    found = {package: circles(parts) for package, parts in sorted(part_graphs(graph).items())}
    return {package: groups for package, groups in found.items() if groups}


def test_a_circle_is_found() -> None:
    names = {"a", "a.b", "c"}
    graph = {
        "a": imported("a", "from .b import x", True, names),
        "a.b": imported("a.b", "def f():\n    import c", False, names),
        "c": imported("c", "if TYPE_CHECKING:\n    from a import y", False, names),
    }
    assert set(first_circle(graph)) == names
    assert first_circle(graph | {"c": set()}) == []


def test_neither_modules_nor_packages_have_a_circle() -> None:
    graph = graph_of_all()
    assert len(graph) > 500
    assert first_circle(graph) == []
    assert package_circles(graph) == {}


def test_a_circle_of_packages_is_found_where_modules_have_none() -> None:
    graph = {"a.b.x": {"a.c.y"}, "a.c.z": {"a.b.w"}, "a.c.y": {"a.d"}, "a.d": {"e.f"}, "a.b.w": {"a.b.x", "a.b"}}
    assert first_circle(graph) == []
    assert package_circles(graph) == {"a": [["a.b", "a.c"]]}
    assert package_circles(graph | {"a.c.z": set()}) == {}

"""Open dimensions of a network's inputs: their names, and the sizes that the user sets."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import onnx

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.workloads.importing.limits import MAX_OPEN_SIZE
from engines.workloads.importing.onnx.onnx_file import printable
from engines.workloads.importing.refusals import size_options, sizes_that_contradict


@dataclass(frozen=True)
class OpenDimensions:
    """Sizes that were given for open dimensions.

    Attributes:
        places: name of an open dimension of the inputs -> the name with where it stands.
        inner: names with sizes that are of no input; of a tensor in the network, if the network has one of that name.
        empty: sizes of 0 in the file without another one given: name -> where it stands.
    """

    places: Mapping[str, str] = field(default_factory=dict)
    inner: Mapping[str, int] = field(default_factory=dict)
    empty: Mapping[str, str] = field(default_factory=dict)


def fill_open_dimensions(graph: onnx.GraphProto, given: Mapping[str, Any]) -> OpenDimensions:
    """Put the given values where the inputs leave a dimension open.

    A name that is an expression of others ("past + seq") has the size that follows from theirs.

    Raises:
        ProblemError: for all that are missing together, each with its place; for sizes out of bounds or in contradiction.
    """
    constants = {each.name for each in graph.initializer}
    places: dict[str, str] = {}
    empty: dict[str, str] = {}
    open_dimensions: list[tuple[str, Any]] = []
    for each in graph.input:
        if each.name in constants or not each.type.HasField("tensor_type"):
            continue
        if not each.type.tensor_type.HasField("shape"):
            ways = ["Export the network with a shape for each input."]
            raise ProblemError("file", printable(each.name), "an input with a shape", remedies=ways)
        for axis, dimension in enumerate(each.type.tensor_type.shape.dim):
            place = f"axis {axis} of {printable(each.name)}"
            if dimension.HasField("dim_value") and dimension.dim_value > 0:
                continue
            name = printable(dimension.dim_param) or f"{printable(each.name)}.{axis}"
            if dimension.HasField("dim_value") and not dimension.dim_value and name not in given:
                empty[name] = place  # an empty cache; some exporters write it for an open one
                continue
            places.setdefault(name, f"{name} ({place})")
            open_dimensions.append((name, dimension))
    sizes = _sizes(places, given)
    for name, dimension in open_dimensions:
        dimension.dim_value = sizes[name]
    terms = {term for name in places for term in _terms(name)}
    inner = {name: _checked_size(name, given[name]) for name in given if name not in places and name not in terms}
    return OpenDimensions(places, inner, empty)


def _sizes(places: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, int]:
    """Return the size of every open dimension."""
    known = {name: _checked_size(name, size) for name, size in given.items()}
    sizes = {name: known[name] for name in places if name in known}
    for name in places:
        terms = _terms(name)
        if terms and terms <= set(known):
            size = _checked_size(name, _computed(name, known))
            if sizes.setdefault(name, size) != size:
                raise sizes_that_contradict(f"{name} is {size}", given)
    missing = [name for name in places if name not in sizes]
    # What follows from others need not be given.
    missing = [name for name in missing if not _terms(name) or not _terms(name) <= {*places, *known}]
    if missing:
        for name in given:
            if name not in places and not any(name in _terms(each) for each in places):
                raise unknown_name(name, places)
        words = ", ".join(places[name] for name in missing)
        accepted = (
            f"given as whole numbers ({size_options(missing)}) for all dimensions that the network leaves open: {words}"
        )
        asked = [name for name in places if name in given or name in missing]
        raise ProblemError("dims", {name: given.get(name) for name in asked}, accepted)
    return sizes


def unknown_name(name: str, known: Iterable[str]) -> ProblemError:
    """Return the refusal of a size for a dimension that the network does not have, or that is not open."""
    names = ", ".join(known)
    accepted = f"one of the open dimensions {names}" if names else "left out"
    return ProblemError("dims", name, accepted)


def _checked_size(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_OPEN_SIZE:
        raise ProblemError(f"dims.{name}", value, f"a whole number from 0 to {counted(MAX_OPEN_SIZE)}")
    return value


# -- names that are expressions ---------------------------------------------------------------------------------------

_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.floordiv,
    ast.Mod: operator.mod,
}
_PARTS = (ast.Name, ast.Constant, ast.UnaryOp, ast.USub, ast.BinOp, ast.Call, ast.Load, *_OPERATORS)
_FUNCTIONS: Mapping[str, Callable[..., int]] = {"min": min, "max": max}


def _terms(name: str) -> set[str]:
    """Return the names in an expression; none where the name is no expression of others."""
    tree = _parsed(name)
    if tree is None or isinstance(tree, ast.Name) or not all(isinstance(each, _PARTS) for each in ast.walk(tree)):
        return set()
    functions = {id(each.func) for each in ast.walk(tree) if isinstance(each, ast.Call)}
    return {each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and id(each) not in functions}


def _parsed(name: str) -> ast.expr | None:
    try:
        return ast.parse(name, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _computed(name: str, sizes: Mapping[str, int]) -> int | None:
    """Return the value of an expression; None where it is none of whole numbers."""

    def value(tree: ast.expr) -> int:
        match tree:
            case ast.Name(id=term):
                return sizes[term]
            case ast.Constant(value=int(number)):
                return number
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -value(inner)
            case ast.BinOp(left=left, op=kind, right=right):
                return _OPERATORS[type(kind)](value(left), value(right))
            case ast.Call(func=ast.Name(id=function), args=arguments, keywords=[]):
                return _FUNCTIONS[function.lower()](*map(value, arguments))
        raise KeyError(name)

    tree = _parsed(name)
    try:
        return None if tree is None else value(tree)
    except (KeyError, TypeError, ZeroDivisionError, RecursionError):
        return None

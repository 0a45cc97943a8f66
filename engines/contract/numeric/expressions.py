"""User-written objectives: arithmetic over named metrics, parsed against a list of allowed syntax and never executed as code.

Accepted: numbers, the given names, `+ - * / **` (constant exponent), parentheses, `min`, `max`, `sqrt`. Exact searches prune
by bounds, which needs an objective that rises with each of its quantities and is never negative; `Expression.rising` says
whether that follows from its form (quantities themselves are never negative).
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.errors import ProblemError

Trend = Literal["constant", "rising", "falling", "unknown"]

MOST_CHARACTERS = 300
_MOST_DEPTH = 30
_LARGEST = 1e300
_LARGEST_EXPONENT = 10
_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow,
}  # fmt: skip
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {"min": np.minimum, "max": np.maximum, "sqrt": np.sqrt}
_FLIPPED: Mapping[Trend, Trend] = {
    "constant": "constant",
    "rising": "falling",
    "falling": "rising",
    "unknown": "unknown",
}


@dataclass(frozen=True)
class Expression:
    """A parsed expression; equal if the text is."""

    text: str
    names: frozenset[str]
    _tree: ast.expr = field(compare=False, repr=False)

    def value(self, quantities: Mapping[str, FloatArray]) -> FloatArray:
        """Return the value of the expression for arrays of equal shape, one per name; same shape."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.asarray(_value(self._tree, quantities), dtype=np.float64)

    @property
    def rising(self) -> bool:
        """Whether the form proves that the value never falls when a quantity grows, and is never negative."""
        trend, non_negative = _trend(self._tree)
        return non_negative and trend in ("rising", "constant")


def parse_expression(text: str, names: Collection[str], field_name: str) -> Expression:
    """Return the expression that `text` contains.

    Args:
        text: at most `MOST_CHARACTERS` characters.
        names: names of quantities that may occur.
        field_name: field that errors name.

    Raises:
        ProblemError: the text is not an expression or contains a part that is not accepted, which `got` names.
    """
    if not 0 < len(text.strip()) <= MOST_CHARACTERS:
        raise ProblemError(field_name, text[:80], f"an expression of 1 to {MOST_CHARACTERS} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ProblemError(field_name, text, f"an expression like {' * '.join(sorted(names))}") from error
    _check(tree, frozenset(names), field_name, _MOST_DEPTH)
    used = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in _FUNCTIONS)
    if not used:
        raise ProblemError(field_name, text, f"an expression with at least one of {', '.join(sorted(names))}")
    return Expression(text.strip(), used, tree)


def _check(node: ast.expr, names: frozenset[str], field_name: str, depth: int) -> None:
    """Raise `ProblemError` for every node that is not on the list of accepted syntax."""
    accepted = f"numbers, {', '.join(sorted(names))}, + - * / **, min, max, sqrt"
    if depth == 0:
        raise ProblemError(
            field_name, ast.unparse(node)[:80], f"an expression with fewer than {_MOST_DEPTH} nested levels"
        )
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            if not abs(number) < _LARGEST:
                raise ProblemError(field_name, ast.unparse(node)[:80], f"an expression of numbers below {_LARGEST:g}")
        case ast.Name(id=name) if name in names:
            pass
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            _check(operand, names, field_name, depth - 1)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            _check(left, names, field_name, depth - 1)
            _check_exponent(node, right, field_name)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            _check(left, names, field_name, depth - 1)
            _check(right, names, field_name, depth - 1)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            count = 1 if name == "sqrt" else 2
            if len(arguments) != count:
                raise ProblemError(
                    field_name, ast.unparse(node)[:80], f"an expression with {name} of {count} argument(s)"
                )
            for argument in arguments:
                _check(argument, names, field_name, depth - 1)
        case _:
            raise ProblemError(field_name, ast.unparse(node)[:80], accepted)


def _check_exponent(node: ast.expr, exponent: ast.expr, field_name: str) -> None:
    plain = isinstance(exponent, ast.Constant) and isinstance(exponent.value, int | float)
    if not plain or exponent.value > _LARGEST_EXPONENT:  # type: ignore[attr-defined]
        raise ProblemError(
            field_name, ast.unparse(node)[:80], f"an expression with exponents from 0 to {_LARGEST_EXPONENT}"
        )


def _value(node: ast.expr, quantities: Mapping[str, FloatArray]) -> Any:
    match node:
        case ast.Constant(value=number):
            return float(number)  # type: ignore[arg-type]  # checked when it was parsed
        case ast.Name(id=name):
            return quantities[name]
        case ast.UnaryOp(op=op, operand=operand):
            value = _value(operand, quantities)
            return -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](np.float64(_value(left, quantities)), _value(right, quantities))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _FUNCTIONS[name](*(_value(argument, quantities) for argument in arguments))
    raise AssertionError(f"{type(node).__name__} was let through by the check")


def _trend(node: ast.expr) -> tuple[Trend, bool]:
    """Return the trend of a node when quantities grow, and whether its value is proven not to be negative."""
    match node:
        case ast.Constant(value=number):
            return "constant", float(number) >= 0  # type: ignore[arg-type]
        case ast.Name():
            return "rising", True
        case ast.UnaryOp(op=op, operand=operand):
            trend, non_negative = _trend(operand)
            return (_FLIPPED[trend], False) if isinstance(op, ast.USub) else (trend, non_negative)
        case ast.Call(args=arguments):
            parts = [_trend(argument) for argument in arguments]
            return _together([trend for trend, _ in parts]), all(non_negative for _, non_negative in parts)
        case ast.BinOp(left=left, op=op, right=right):
            (first, first_positive), (second, second_positive) = _trend(left), _trend(right)
            both = first_positive and second_positive
            if isinstance(op, ast.Add):
                return _together([first, second]), both
            if isinstance(op, ast.Sub):
                return _together([first, _FLIPPED[second]]), False
            if not both:
                return "unknown", False
            if isinstance(op, ast.Div):
                return _together([first, _FLIPPED[second]]), True
            return _together([first, second]), True
    return "unknown", False


def _together(trends: list[Trend]) -> Trend:
    """Return the trend of a sum, and of a product of parts that are not negative."""
    moving = {trend for trend in trends if trend != "constant"}
    if not moving:
        return "constant"
    return moving.pop() if len(moving) == 1 else "unknown"

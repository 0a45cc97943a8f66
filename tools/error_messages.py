"""The lists of errors: every message with which the product refuses something, and the codes for programs.

`python -m tools.error_messages` reads the messages from the source and writes them to `tests/tools/error_messages.txt`, where "{…}"
stands for a value, and the codes to `docs/errors.md`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from pathlib import Path

from webapp.base.error_codes import CODES

ROOT = Path(__file__).resolve().parent.parent
LIST, PAGE = ROOT / "tests/tools/error_messages.txt", ROOT / "docs/errors.md"
TREES = ("hardware", "engines", "webapp", "frontend", "client", "agent")
# Errors of fields: how many arguments stand before what is accepted.
_FIELDS = {"ProblemError": 2, "DecisionError": 2, "WorkloadError": 2, "CellError": 2, "HardwareError": 3, "require": 3}
_FIELDS |= dict.fromkeys(("NoEstimateError", "TooLittleMemoryError", "UnknownDocumentError"), 2)
_OTHERS = {"NotAllowed", "NotVisible", "NotFound", "Http404", "problem_response", "refused", "wrong_address"}
# Messages to programmers: of what an engine's author, a test or the machine between two processes gets.
_INTERNAL = {
    "ContractError",
    "ProtocolError",
    "RegistrationError",
    "FencedOutError",
    "AttributeError",
    "KeyError",
    "IndexError",
}
_INTERNAL |= {"TypeError", "ValueError", "RuntimeError", "AssertionError", "ModuleNotFoundError", "LookupError"}
_FILLED = "{…}"
_MOST_VARIANTS = 8
Names = Callable[[str], list[ast.expr]]
Assignments = dict[str, tuple[ast.Assign | ast.AugAssign, ...]]
_REFUSES = re.compile(
    r"Error\(|refused\(|require\(|NotAllowed|NotVisible|NotFound|Http404|problem_response|wrong_address"
)
_MAKER = re.compile(r"def (\w+)\((?:[^()]|\([^()]*\))*\) -> [^:\n]*(?:Error|NoReturn)\W*:")


@dataclass(frozen=True)
class ErrorMessage:
    """One message as the source has it.

    Attributes:
        file: path of its module.
        field, accepted: refused field and accepted values; "" for other errors.
        sentences: the reason and the remedies, or the whole message.
    """

    file: str
    field: str
    accepted: str
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        if not self.accepted:
            return " ".join(self.sentences)
        return " ".join((f"{self.field}: must be {self.accepted}.", *self.sentences))


def messages() -> Iterator[ErrorMessage]:
    """Yield the messages of all modules in the order of the source."""
    for tree in TREES:
        for path in sorted((ROOT / tree).rglob("*.py")):
            yield from messages_of(path.read_text(), str(path.relative_to(ROOT)))


def messages_of(source: str, file: str) -> Iterator[ErrorMessage]:
    """Yield the messages of a module."""
    if not _REFUSES.search(source):
        return
    makers = set(_MAKER.findall(source))
    for names, call in _calls(ast.parse(source), {}):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in _INTERNAL or not (name.endswith("Error") or name in _OTHERS or name in _FIELDS or name in makers):
            continue
        said = {each.arg: each.value for each in call.keywords if each.arg}
        advice = [said[key] for key in ("reason", "remedies") if key in said]
        at = _FIELDS.get(name, len(call.args))
        is_field = at < len(call.args)
        if not is_field:
            advice = [*call.args, *said.values()]
        sentences = tuple(
            text for part in advice for node in _items(part, names) for text in _texts(node, names) if " " in text
        )
        field = _texts(call.args[at - 2], names)[0] if is_field else ""
        for text in _texts(call.args[at], names) if is_field else ("",):
            if text.replace(_FILLED, "").strip(" ,:;") or sentences:
                yield ErrorMessage(file, field, text, sentences)


def _calls(node: ast.AST, assigned: Assignments, at: ast.stmt | None = None) -> Iterator[tuple[Names, ast.Call]]:
    """Yield each call that refuses something with what its names may stand for, in the order of the source."""
    for child in ast.iter_child_nodes(node):
        place = child if isinstance(child, ast.stmt) else at
        if isinstance(child, ast.Assign | ast.AugAssign):
            for target in child.targets if isinstance(child, ast.Assign) else [child.target]:
                if isinstance(target, ast.Name):
                    assigned[target.id] = (*assigned.get(target.id, ()), child)
        if isinstance(child, ast.Call) and place is not None:
            yield partial(_assigned_to, assigned, place), child
        yield from _calls(child, dict(assigned) if isinstance(child, ast.FunctionDef) else assigned, place)


def _assigned_to(assigned: Assignments, at: ast.stmt, name: str) -> list[ast.expr]:
    return _reaching(assigned.get(name, ()), at)


def _reaching(found: Sequence[ast.Assign | ast.AugAssign], at: ast.stmt) -> list[ast.expr]:
    """Return the values that are assigned before a statement, back to one that is indented no more than it."""
    values = []
    for each in sorted(found, key=lambda each: -each.lineno):
        if each.lineno <= at.lineno:
            values.append(each.value)
            if each.col_offset <= at.col_offset:
                break
    return values


def _items(node: ast.expr, names: Names) -> list[ast.expr]:
    """Return the sentences of `remedies`: of a list, those in it; of `Remedy(...)`, its text."""
    if isinstance(node, ast.List | ast.Tuple):
        return [each for item in node.elts for each in _items(item, names)]
    if isinstance(node, ast.IfExp):
        return [*_items(node.body, names), *_items(node.orelse, names)]
    if isinstance(node, ast.Name):
        lists = [each for each in names(node.id) if isinstance(each, ast.List | ast.Tuple)]
        return [item for each in lists for item in _items(each, names)] or [node]
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "Remedy":
        return node.args[:1]
    return [node]


def _texts(node: ast.expr, names: Names, seen: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the possible texts of an expression; a name yields all texts assigned to it."""
    if isinstance(node, ast.Constant):
        return (node.value,) if isinstance(node.value, str) else (_FILLED,)
    if isinstance(node, ast.IfExp):
        return _few((*_texts(node.body, names, seen), *_texts(node.orelse, names, seen)))
    if isinstance(node, ast.JoinedStr | ast.BinOp):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node.left, node.right]
        texts = [_texts(part, names, seen) for part in parts]
        if isinstance(node, ast.BinOp) and all(each == (_FILLED,) for each in texts):
            return (_FILLED,)
        return _few("".join(each) for each in product(*texts))
    if isinstance(node, ast.FormattedValue):
        return (_FILLED,) if node.format_spec else _texts(node.value, names, seen)
    if isinstance(node, ast.Name) and node.id not in seen:
        return _few(text for value in names(node.id) for text in _texts(value, names, seen | {node.id})) or (_FILLED,)
    return (_FILLED,)


def _few(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(islice(texts, _MOST_VARIANTS)))


def listing(found: Iterable[ErrorMessage]) -> str:
    """Return the list: each module with its messages below it."""
    lines, file = [], ""
    for message in found:
        if message.file != file:
            file = message.file
            lines += ["", file]
        lines.append(f"  {message}")
    return "\n".join([*lines[1:], ""])


def code_page() -> str:
    """Return the page of the documentation about the codes."""
    head = """# Error codes

Each answer of the [REST interface](api.md#errors) that reports an error has a `code`. So have the exceptions of the
[Python client](notebook.md) and the file that `manage.py explore --json` writes. A code never changes its meaning.
A site shows this list at `/docs/errors/`.

| Code | Status | What happened | How to go on |
|---|---|---|---|
"""
    rows = (
        f"| `{each.code}` | {', '.join(map(str, each.statuses))} | {each.meaning} | {each.remedy} |\n"
        for each in CODES.values()
    )
    return head + "".join(rows)


if __name__ == "__main__":
    LIST.write_text(listing(messages()))
    PAGE.write_text(code_page())

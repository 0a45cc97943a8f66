"""Reads MAESTRO's model files (`.m`): a network of layers with their dimensions.

The format is that of maestro-project/maestro, `data/model` and `data/mapping`. Layers keep MAESTRO's own meaning: `Y X` are
input sizes as the file gives them, without padding. Mappings (`Dataflow`), accelerators and layers of other types than those
below do not have the same meaning here: they are dropped or listed, and named in the report.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.workloads.importing.document import COMPUTED, EXCLUDED, UNPRICED, Entry, assembled
from engines.workloads.importing.rows import Row, convolution_row, gemm_row, matmul_row

MAX_TEXT_BYTES = 2_000_000
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r"[{}:,;]|[^\s{}:,;]+")
_CONVOLUTIONS = ("CONV", "DSCONV", "TRCONV", "FC")


@dataclass
class _Layer:
    """A layer as the file gives it."""

    name: str
    line: int
    kind: str = ""
    stride: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)


def read_maestro(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return the network in a model file of MAESTRO.

    Args:
        data: the file.
        name: its name.
        options: `name`: title, that of the network by default; `exclude`: types of layers that engines may leave out.

    Raises:
        ProblemError: with the line, what was found and what is accepted.
    """
    if len(data) > MAX_TEXT_BYTES:
        raise ProblemError("file", f"{len(data)} bytes", f"a text of at most {counted(MAX_TEXT_BYTES)} bytes")
    if options.get("dims"):
        raise ProblemError(
            "dims", dict(options["dims"]), "left out", reason="A model file already fixes every dimension."
        )
    try:
        reader = _Reader(data.decode())
    except UnicodeDecodeError as error:
        raise ProblemError("file", name, "text in UTF-8") from error
    network, layers = reader.network()
    exclude = set(options.get("exclude") or ())
    entries = [_entry(layer, exclude) for layer in layers]
    for each in exclude - {entry.operator for entry in entries if entry.treatment == EXCLUDED}:
        raise ProblemError("exclude", each, "a type of layers in the file that has no cost model")
    report = {"format": "MAESTRO model file", "inputs": [], "notes": list(reader.notes())}
    return assembled(entries, str(options.get("name") or network), f"{name} (a model file of MAESTRO)", report)


class _Reader:
    """Tokens of a file, with their lines."""

    def __init__(self, text: str) -> None:
        bare = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
        self._tokens: list[tuple[str, int]] = [
            (token, line) for line, words in enumerate(bare.split("\n"), 1) for token in _TOKEN.findall(words)
        ]
        self._place = 0
        self._constants: dict[str, int] = {}
        self._dropped: Counter[str] = Counter()

    def network(self) -> tuple[str, list[_Layer]]:
        """Name and layers of the one network in the file."""
        found: tuple[str, list[_Layer]] | None = None
        while self._place < len(self._tokens):
            word = self._next("Constant, Network or Accelerator")
            if word == "Constant":
                name = self._next("the name of a constant")
                self._constants[name] = self._number()
                self._expect(";")
            elif word == "Network":
                if found is not None:
                    raise self._wrong(word, "one network in a file")
                found = self._next("the name of the network"), list(self._layers())
            else:
                self._drop(word)
        if found is None:
            raise ProblemError("file", "no network", "a network such as Network NAME { Layer NAME { ... } }")
        return found

    def notes(self) -> Iterator[str]:
        """Yield what was dropped, in words."""
        for what, count in sorted(self._dropped.items()):
            times = f" ({count} times)" if count > 1 else ""
            yield f"{what} of the file{times} has no meaning for a network here and is left out."

    def _layers(self) -> Iterator[_Layer]:
        self._expect("{")
        while (word := self._next("Layer or }")) != "}":
            if word != "Layer":
                raise self._wrong(word, "Layer or }")
            yield self._layer()

    def _layer(self) -> _Layer:
        layer = _Layer(self._next("the name of a layer"), self._tokens[self._place - 1][1])
        self._expect("{")
        while (word := self._next("Type, Stride, Dimensions or }")) != "}":
            if word == "Type":
                self._skip_colon()
                layer.kind = self._next("the type of the layer")
            elif word == "Stride":
                layer.stride = self._sizes()
            elif word == "Dimensions":
                layer.sizes = self._sizes()
            elif word not in ",;":
                self._drop(word)
        return layer

    def _sizes(self) -> dict[str, int]:
        self._expect("{")
        sizes: dict[str, int] = {}
        while (word := self._next("a dimension or }")) != "}":
            if word in ",;":
                continue
            self._skip_colon()
            sizes[word] = self._number()
        return sizes

    def _number(self) -> int:
        word = self._next("a whole number or a constant")
        if word in self._constants:
            return self._constants[word]
        if not (word.isascii() and word.isdigit() and len(word) < 16):
            raise self._wrong(word, f"a whole number or one of the constants {', '.join(self._constants) or '(none)'}")
        return int(word)

    def _drop(self, word: str) -> None:
        """Skip what has no meaning here: `word: value`, or `word { ... }` with all that lies inside."""
        self._dropped[word] += 1
        opened = 0
        while True:
            token = self._next(f"the rest of {word}")
            opened += (token == "{") - (token == "}")
            if opened < 0:
                raise self._wrong(token, f"what {word} says")
            if opened == 0 and token != ":" and (token == "}" or self._peek() != "{"):
                return

    def _peek(self) -> str:
        return self._tokens[self._place][0] if self._place < len(self._tokens) else ""

    def _next(self, accepted: str) -> str:
        if self._place >= len(self._tokens):
            raise ProblemError("file", "the end of the file", accepted)
        self._place += 1
        return self._tokens[self._place - 1][0]

    def _skip_colon(self) -> None:
        """Replace colons, which MAESTRO ignores and its own models often leave out."""
        self._place += self._peek() == ":"

    def _expect(self, token: str) -> None:
        if (found := self._next(repr(token))) != token:
            raise self._wrong(found, repr(token))

    def _wrong(self, got: str, accepted: str) -> ProblemError:
        return ProblemError("file", got[:80], accepted, self._tokens[self._place - 1][1])


def _entry(layer: _Layer, exclude: set[str]) -> Entry:
    row = _row(layer)
    if row is not None:
        return Entry(layer.kind, COMPUTED, [row])
    excluded = layer.kind in exclude
    unpriced: Row = {"name": layer.name[:200], "kind": "unpriced", "operator": layer.kind or "(no type)"}
    return Entry(
        unpriced["operator"], EXCLUDED if excluded else UNPRICED, [unpriced | ({"excluded": True} if excluded else {})]
    )


def _row(layer: _Layer) -> Row | None:
    """Return the layer as a row; None for a type that does not mean the same here."""

    def size(name: str, missing: int | None = None) -> int:
        value = layer.sizes.get(name, missing)
        if value is None or value < 1:
            got = None if value is None else value
            raise ProblemError(f"{layer.name}.{name}", got, "a whole number of at least 1", layer.line)
        return value

    name = layer.name[:200]
    if layer.kind in ("GEMM", "BMM"):
        m, c, k = size("M"), size("K"), size("N")
        return matmul_row(name, m, c, k, size("B", 1)) if layer.kind == "BMM" else gemm_row(name, m, c, k)
    if layer.kind not in _CONVOLUTIONS or "G" in layer.sizes:
        return None
    depthwise = layer.kind == "DSCONV"
    channels = (size("C"), size("C")) if depthwise else (size("K"), size("C"))
    strides = (layer.stride.get("Y", 1), layer.stride.get("X", 1))
    return convolution_row(
        name, size("N", 1), (size("Y"), size("X")), channels, (size("R", 1), size("S", 1)), strides=strides, dilations=(1, 1),
        pads=(0, 0, 0, 0), groups=channels[0] if depthwise else 1, bias=False,
    )  # fmt: skip

"""The names that runtimes give to what they execute, as operations of a network.

- TensorRT joins names: "A + B" and "PWN(A, B)" one after the other, "A || B" side by side, "{A,B}" on a DLA;
  "{ForeignNode[A...B]}" is everything from A to B. Copies and changes of layout have the names of what they are for.
- onnxruntime names a fused node after one of its operators, with an ending that tells the fusion; a convolution in its own
  layout after the tensor that it gives (onnxruntime:onnxruntime/core/optimizer/nchwc_transformer.cc). What it fuses has no
  node of its own.

Names of a file hold any character, separators too, so that the network's own names decide where a name ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engines.cost.soc.operations import OperationTable, operation_table
from engines.workloads.network import COMPUTE_KINDS, Network
from engines.workloads.runnable.graph import PART

_SEPARATOR = re.compile(r" \|\| | \+ |, ?")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_WRAPPERS = (("PWN(", ")"), ("{", "}"), ("(", ")"), ("[", "]"))
_REGION, _REGION_END, _TO = "{ForeignNode[", "]}", "..."
_COPY = re.compile(r"^(Reformat|Copy|copy (?![+|]))|( (in|out)put reformatter \d+| (to|from) nvm| copy| finish)$")
_KERNEL = re.compile(r"_myl\d+_\d+$")  # TensorRT's number of a kernel of a region that it compiled

_ENDING = re.compile(r"(_nchwc|_nhwc|_bn|_fused|_quant|_matmul|:0|_token_\d+|_output_\d+|/\w*Fusion/?)$")
_PREFIX = re.compile(r"^fused[ _]")
_FUSION = re.compile(r"Fusion/?(_token_\d+)?$")
_OF_TENSOR = re.compile(r"_nchwc(_token_\d+)?$")
_COMPUTES = re.compile("Conv|Gemm|MatMul")
_LAYOUT = re.compile("^(Reorder(In|Out)put|Memcpy(To|From)Host)$")
# The importer counts operators without a name by type from 1 on; onnxruntime counts them all together from 0 on.
_COUNTED = re.compile(r"[A-Za-z]+_[1-9]\d*(\..+)?")
# Nothing that a runtime writes is nested deeper, or longer.
_MOST_BRACKETS, _MOST_LETTERS, _MOST_ENDS = 50, 200_000, 100


@dataclass(frozen=True)
class ProfileLine:
    """The operators that a line of a runtime's profile executed.

    Attributes:
        places: places of the operations in the network's table, in order.
        known: whether the network has them all; of a region, both of its ends.
        copy: whether it only copies, or changes the layout.
    """

    places: tuple[int, ...] = ()
    known: bool = True
    copy: bool = False


@dataclass(frozen=True)
class RuntimeNames:
    """The operations of a network, by the names that runtimes give them."""

    network: Network
    table: OperationTable = field(init=False)
    places: Mapping[str, tuple[int, ...]] = field(init=False)
    results: Mapping[str, int] = field(init=False)
    reads: tuple[tuple[int, ...], ...] = field(init=False)
    _readers: Mapping[int, Sequence[int]] = field(init=False)
    _most_parts: int = field(init=False)
    _counted: bool = field(init=False)

    def __post_init__(self) -> None:
        """Look up everything once."""
        table = operation_table(self.network.operations)
        places: dict[str, tuple[int, ...]] = {}
        for place, name in enumerate(table.names):
            places[name] = (*places.get(name, ()), place)
        reads = tuple(each.sources for each in self.network.operations)
        results = {tensor: places[name][-1] for tensor, name in self.network.results}
        readers: dict[int, list[int]] = {}
        for place, sources in enumerate(reads):
            for source in sources:
                readers.setdefault(source, []).append(place)
        counted = all(_COUNTED.fullmatch(name) for name in places)
        most = max((len(_SEPARATOR.findall(name)) for name in places), default=0) + 1
        found = {"table": table, "places": places, "results": results, "reads": reads}
        for name, value in {**found, "_readers": readers, "_most_parts": most, "_counted": counted}.items():
            object.__setattr__(self, name, value)

    # -- TensorRT -------------------------------------------------------------------------------------------------------

    def joined(self, text: str) -> ProfileLine:
        """Return the operators that a layer of TensorRT executed."""
        if len(text) > _MOST_LETTERS or max(_depths(text), default=0) > _MOST_BRACKETS:
            return ProfileLine(known=False)
        found = self._joined(text)
        if not found.known and _COPY.search(text.strip()):
            return ProfileLine(copy=True)
        return ProfileLine(tuple(sorted(set(found.places))), found.known)

    def _joined(self, text: str) -> ProfileLine:
        text = text.strip()
        if (own := self._operation(text)) is not None:
            return ProfileLine(own)
        if _closes(text, _REGION, _REGION_END):
            return self._region(text[len(_REGION) : -len(_REGION_END)])
        for begin, end in _WRAPPERS:
            if _closes(text, begin, end):
                return self._joined(text[len(begin) : -len(end)])
        pieces = self._pieces(text)
        if len(pieces) < 2:
            return ProfileLine(known=False)
        parts = [self._joined(piece) for piece in pieces]
        # What lies between the unknown ends of a region may be anything: the time of the line is of no known operations.
        if any(_REGION in piece and not part.known for piece, part in zip(pieces, parts, strict=True)):
            return ProfileLine(known=False)
        return ProfileLine(tuple(place for part in parts for place in part.places), all(part.known for part in parts))

    def _operation(self, name: str) -> tuple[int, ...] | None:
        return self.places.get(name) or self.places.get(_KERNEL.sub("", name))

    def _region(self, text: str) -> ProfileLine:
        """Return all operations from the first to the last, in the order of the file."""
        begins = [at for at in range(len(text)) if text.startswith(_TO, at)][:_MOST_ENDS]
        if not begins:
            return self._joined(text)
        ends = [(self._joined(text[:at]), self._joined(text[at + len(_TO) :])) for at in begins]
        ends.sort(key=lambda pair: pair[0].known + pair[1].known, reverse=True)
        for first, last in ends:
            if first.places and last.places and min(first.places) <= max(last.places):
                return ProfileLine(tuple(range(min(first.places), max(last.places) + 1)))
        return ProfileLine(known=False)

    def _pieces(self, text: str) -> list[str]:
        """Return the names between separators; the longest of the network's own where one holds separators."""
        cuts = [(found.start(), found.end()) for found in _SEPARATOR.finditer(text)]
        outside = _outside(text, cuts)
        cuts = cuts if outside is None else outside
        starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
        pieces, at = [], 0
        while at < len(starts):
            until = next(
                (last for last in range(min(at + self._most_parts, len(ends)) - 1, at, -1)
                 if self._operation(text[starts[at] : ends[last]].strip())), at,
            )  # fmt: skip
            pieces.append(text[starts[at] : ends[until]])
            at = until + 1
        return [piece for piece in pieces if piece.strip()]

    # -- onnxruntime ----------------------------------------------------------------------------------------------------

    def nodes(self, named: Sequence[tuple[str, str]]) -> list[ProfileLine]:
        """Return the operators of each node of onnxruntime, fused operators with the node that they are fused into.

        Args:
            named: name and operator of every node, in the order of execution.
        """
        own = [self._node(name, operator) for name, operator in named]
        taken = {place for places in own for place in places}
        found = [list(places) for places in own]
        lines = [(name, operator, places) for (name, operator), places in zip(named, found, strict=True) if places]
        computing = [(places, bool(_COMPUTES.search(operator))) for _, operator, places in lines]
        fused = [places for (name, _, places), (_, computes) in zip(lines, computing, strict=True)
                 if not computes and _FUSION.search(name)]  # fmt: skip
        for places, computes in computing:
            places += self._before(places[0], computes, False, taken)
        # An addition is fused into the last convolution that it adds.
        for places, computes in reversed(computing):
            places += self._addition_after(places, taken) if computes else []
        for places in fused:
            places += self._before(places[0], False, True, taken)
            places += self._addition_after(places, taken)
        return [
            ProfileLine(tuple(sorted(places)), bool(places), bool(_LAYOUT.search(operator)))
            for (_, operator), places in zip(named, found, strict=True)
        ]

    def _node(self, name: str, operator: str) -> tuple[int, ...]:
        """Return the operations that a node has its name from."""
        if self._counted and re.fullmatch(rf"{re.escape(operator)}_\d+", name):
            return ()
        by_tensor = bool(_OF_TENSOR.search(name))
        for each in node_names(name):
            result = (self.results[each],) if each in self.results else None
            operations = self.places.get(each)
            found = (result or operations) if by_tensor else (operations or result)
            if found:
                return found
        return ()

    def _before(self, place: int, computes: bool, fused: bool, taken: set[int]) -> list[int]:
        """Return the operations without a node before one whose node has their work, up to the one that computes."""
        kinds, runs = self.table.kinds, self.table.runs
        wanted = computes and kinds[place] not in COMPUTE_KINDS
        if kinds[place] in COMPUTE_KINDS or not (wanted or fused or not runs[place]):
            return []
        found: list[int] = []
        waiting = list(self.reads[place])
        while waiting:
            waiting.sort()
            at = waiting.pop()
            if at in taken or (kinds[at] in COMPUTE_KINDS and not wanted):
                continue
            found.append(at)
            taken.add(at)
            if kinds[at] in COMPUTE_KINDS:
                wanted = False
            else:
                waiting += self.reads[at]
        return found

    def _addition_after(self, places: Sequence[int], taken: set[int]) -> list[int]:
        """Return an addition without a node that reads what a node gives, with the activation that nothing but it feeds."""
        kinds, runs = self.table.kinds, self.table.runs
        if any(kinds[place] == "eltwise" for place in places):
            return []
        waiting = [*self._readers.get(max(places), ())]
        while waiting:
            at = waiting.pop()
            if not runs[at]:
                waiting += self._readers.get(at, ())
            elif kinds[at] == "eltwise" and at not in taken:
                after = self._readers.get(at, ())
                found = [
                    at,
                    *(each for each in after if len(after) == 1 and kinds[each] == "activation" and each not in taken),
                ]
                taken.update(found)
                return found
        return []


def node_names(name: str) -> Iterator[str]:
    """List the names from which a node of onnxruntime may have its own: its name, then shorter ones without what fusions add."""
    yield name
    text = name
    while (shorter := _ENDING.sub("", text)) != text or (shorter := _PREFIX.sub("", text)) != text:
        text = shorter
        yield text
    if PART in text:
        yield text.partition(PART)[0]


def _closes(text: str, begin: str, end: str) -> bool:
    """Return whether a wrapper is around all of a text."""
    if not (text.startswith(begin) and text.endswith(end) and len(text) >= len(begin) + len(end)):
        return False
    inner = text[len(begin) : -len(end)]
    return all(depth >= 0 for depth in _depths(inner))


def _depths(text: str) -> Iterator[int]:
    """Yield how many brackets are open after each character."""
    depth = 0
    for letter in text:
        depth += (letter in _BRACKETS) - (letter in _BRACKETS.values())
        yield depth


def _outside(text: str, cuts: Iterable[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """Return the separators outside of brackets; None where brackets do not match."""
    depths = [*_depths(text)]
    if depths and (depths[-1] or min(depths) < 0):
        return None
    return [(start, end) for start, end in cuts if depths[start] == 0]

"""Graphs of the traced and published tables of the zoo, from the definitions of their networks.

Traced tables have a row per operation: rules over names (`engines.workloads.graph_rules`) say what reads what. Published lists
(MAESTRO's, XRBench's) have rows of layers alone: a sum belongs to its newest addend, which reads the other ones too, and what reads
a concatenation reads all its parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engines.workloads.graph_rules import Reads, Rules, reads_by_rules
from engines.workloads.network import INPUT

Row = Mapping[str, str]

_RESIDUAL = ((r"(.+):eltwise", ("", "<{0}")),)
_WITH_DOWNSAMPLE = (
    (r"((?:layer|l\.|head\.incre_modules\.)\d\.\d)\.downsample\.0", ("<{0}",)),
    (r"((?:layer|l\.|head\.incre_modules\.)\d\.\d):eltwise", (r"{0}.bn\d", r"{0}.downsample|<{0}")),
)
_GOOGLENET = (
    (r"(inception..)\.branch[1-4](?:\.0)?(?:\.conv)?", ("<{0}",)),
    (r"(inception..):concat", ("{0}.branch1", "{0}.branch2", "{0}.branch3", "{0}.branch4")),
)
_INCEPTION = (
    (r"(Mixed_..)(?:\.branch(?:1x1|3x3|\w+_1)\.conv)?", ("<{0}",)),
    (r"(Mixed_..)\.branch(3x3|3x3dbl)_(2|3)b\.conv", ("<{0}.branch{1}_{2}a",)),
    (r"(Mixed_7[bc]):concat", (r"{0}.branch3x3_2a", "{0}.branch3x3_2b")),
    (r"(Mixed_7[bc]):concat1", (r"{0}.branch3x3dbl_3a", "{0}.branch3x3dbl_3b")),
    (r"(Mixed_7[bc]):concat2", ("{0}.branch1x1", "{0}:concat", "{0}:concat1", "{0}.branch_pool")),
    (r"(Mixed_5.):concat", ("{0}.branch1x1", "{0}.branch5x5_2", "{0}.branch3x3dbl_3", "{0}.branch_pool")),
    (r"(Mixed_6a):concat", ("{0}.branch3x3", "{0}.branch3x3dbl_3", "")),
    (r"(Mixed_6.):concat", ("{0}.branch1x1", "{0}.branch7x7_3", "{0}.branch7x7dbl_5", "{0}.branch_pool")),
    (r"(Mixed_7a):concat", ("{0}.branch3x3_2", "{0}.branch7x7x3_4", "")),
)
_UNET = (
    (r"root:concat", ("up.0", "down.2")),
    (r"root:concat1", ("up.1", "down.1")),
    (r"root:concat2", ("up.2", "down.0")),
    (r"root:concat3", ("up.3", "inc")),
)
_BERT = (
    (r"embeddings\.\w+:embedding", ("=",)),
    (r"embeddings:eltwise", ("embeddings.word_embeddings", "embeddings.token_type_embeddings")),
    (r"embeddings:eltwise1", ("embeddings:eltwise", "embeddings.position_embeddings")),
    (r"(.+\.attention\.self)\.(?:key|value)", ("<{0}",)),
    (r"(.+\.attention\.self):matmul", ("{0}.query", "{0}.key")),
    (r"(.+\.attention\.self):matmul1", ("", "{0}.value")),
    (r"(.+\.attention)\.output:eltwise", ("", "<{0}")),
    (r"(encoder\.layer\.\d+)\.output:eltwise", ("", "<{0}.intermediate")),
)
_GPT2 = (
    (r"transformer\.w.e:embedding", ("=",)),
    (r"transformer:eltwise", ("transformer.wte", "transformer.wpe")),
    (r"(.+\.attn):matmul", ("{0}.c_attn",)),
    (r"(.+\.attn):matmul1", ("", "{0}.c_attn")),
    (r"(.+\.mlp\.act):eltwise1", ("", "<{0}")),
    (r"(transformer\.h\.\d+):eltwise", ("", "<{0}")),
    (r"(transformer\.h\.\d+):eltwise1", ("", "<{0}.ln_2")),
)
_EMFORMER = (
    (r"(\d+)\.kv", ("{0}.n1",)),
    (r"(\d+):matmul", ("{0}.q", "{0}.kv")),
    (r"(\d+):matmul1", ("", "{0}.kv")),
    (r"(\d+):eltwise", ("", "<{0}")),
    (r"(\d+):eltwise1", ("", "<{0}.n2")),
)
_SPARSE_TO_DENSE = (
    *_WITH_DOWNSAMPLE,
    (r"(up\.\d)\.u2\.0", ("{0}:resize",)),
    (r"(up\.\d):eltwise", ("{0}.u1", "{0}.u2")),
)
_MIDAS = (
    (r"(l\d\..+):eltwise", ("", "<{0}")),
    *((rf"rn\.{level}", (f"l{level + 1}",)) for level in range(4)),
    *((rf"f{level + 1}\.r1\.act:act", (f"rn.{level}",)) for level in range(3)),
    (r"(f\d\.r\d):eltwise", ("", "<{0}")),
    *((rf"f{level}:eltwise", (f"f{level + 1}.out", f"f{level}.r1")) for level in (1, 2, 3)),
)
_ATTENTIVENAS = (
    (r"classifier.+:eltwise", ("",)),
    (r"(.+\.act):eltwise", ("", "<{0}")),
    (r"(.+\.se):eltwise", ("", "<{0}")),
    (r"(blocks\.\d+)\.shortcut", ("<{0}",)),
    (r"(blocks\.\d+)\.shortcut\.conv", ("{0}.shortcut|<{0}",)),
    (r"(blocks\.\d+):eltwise", ("{0}.mobile_inverted_conv", "{0}.shortcut|<{0}")),
)
_VISFORMER = (
    (r"(.+\.attn):matmul", ("{0}.qkv",)),
    (r"(.+\.attn):matmul1", ("", "{0}.qkv")),
    (r"(stage\d\.\d+):eltwise", ("", "<{0}")),
    (r"(stage\d\.\d+):eltwise1", ("", "<{0}.norm2")),
)
# Distances are |a|^2 - 2ab + |b|^2 of normalised nodes a and candidates b; pyramids pool the candidates of their first stages.
_VIG = (
    (r"(.+)\.graph_conv\.dilated_knn_graph:eltwise div", ("{0}.fc1",)),
    (r"(.+\.dilated_knn_graph):matmul", ("{0}:eltwise", "{0}:eltwise1|{0}:eltwise")),
    (r"(.+\.dilated_knn_graph):eltwise[12] mul", ("{0}:eltwise",)),
    (r"(.+\.dilated_knn_graph):eltwise3 mul", ("{0}:eltwise1",)),
    (r"(.+\.dilated_knn_graph):eltwise2 add", ("{0}:eltwise1", "{0}:matmul")),
    (r"(.+\.dilated_knn_graph):eltwise3 add", ("", "{0}:eltwise1")),
    (r"(.+\.dilated_knn_graph):eltwise4 add", ("{0}:eltwise2", "{0}:matmul")),
    (r"(.+\.dilated_knn_graph):eltwise5 add", ("", "{0}:eltwise3")),
    (r"(.+)\.graph_conv\.gconv:gather", ("{0}.fc1",)),
    (
        r"(.+)\.graph_conv\.gconv:gather1",
        ("{0}.graph_conv avg_pool2d|{0}.fc1", "{0}.graph_conv.dilated_knn_graph:topk"),
    ),
    (r"(.+\.gconv):eltwise", ("{0}:gather", "{0}:gather1")),
    (r"(.+)\.graph_conv\.gconv:concat", ("{0}.fc1", "")),
    (r"(backbone\.\d+\.[01]):eltwise", ("", "<{0}")),
)
_HRVIT = (
    (r"features\.\d+\.patch_embed\.(\d)\.proj\.0", (r"features.\d+.act.{0}",)),
    (r"(features\.\d+)\.branches\.(\d)\.0\.attn_norm:norm", ("{0}.patch_embed.{1}",)),
    (r"(.+\.attn)\.parallel_conv\.0:act", ("{0}.to_qkv",)),
    (r"(.+\.attn):matmul2?", ("{0}.to_qkv",)),
    (r"(.+\.attn):matmul[13]", ("", "{0}.to_qkv")),
    (r"(.+\.attn):concat", ("{0}:matmul1", "{0}:matmul3")),
    (r"(.+\.attn):eltwise", ("{0}:concat", "{0}.parallel_conv")),
    (r"(.+\.branches\.\d\.\d)\.des\.proj_right", ("<{0}",)),
    (r"(.+\.branches\.\d\.\d):eltwise", ("{0}.attn", "{0}.des")),
    (r"(.+\.branches\.\d\.\d):eltwise1", ("", "<{0}")),
    (r"(.+\.ffn)\.conv\.conv_5", ("{0}.fc1",)),
    (r"(.+\.ffn\.conv):concat", ("{0}.conv_3", "{0}.conv_5")),
    (r"(.+\.branches\.\d\.\d):eltwise2", ("", "{0}:eltwise1")),
    (r"(features\.\d+)\.norm\.(\d):norm", ("{0}.branches.{1}",)),
    (r"features\.\d+\.blocks\.\d\.(\d)\.0", (r"features.\d+.norm.{0}",)),
    *_WITH_DOWNSAMPLE,
    (r"head\.incre_modules\.(\d)\.0\.conv1", (r"features.\d+.norm.{0}",)),
    (r"head\.downsamp_modules\.\d\.0", (r"head:eltwise\d?|head.incre_modules.0",)),
    (r"head:eltwise\d?", ("head.incre_modules", "")),
)
_RULES: Mapping[str, Rules] = {
    **dict.fromkeys(("resnet50",), _WITH_DOWNSAMPLE),
    **dict.fromkeys(("mobilenet-v2", "fbnet-c-160x100", "fbnet-c-224"), _RESIDUAL),
    "googlenet": _GOOGLENET,
    "inception-v3": _INCEPTION,
    "unet-512": _UNET,
    **dict.fromkeys(("bert-base-128", "bert-large-128", "bert-large-384"), _BERT),
    "gpt2-large-128": _GPT2,
    "emformer-128": _EMFORMER,
    "sparse-to-dense": _SPARSE_TO_DENSE,
    **dict.fromkeys(("midas-small-192x256", "midas-small-256"), _MIDAS),
    **{f"attentivenas-{name}": _ATTENTIVENAS for name in ("a0", "a1", "a2", "a3", "a4", "a5", "a6", "max")},
    **dict.fromkeys(("visformer-tiny", "visformer-small"), _VISFORMER),
    **dict.fromkeys(("vig-ti", "vig-s", "vig-b", "pvig-s", "pvig-m"), _VIG),
    "hrvit-b1": _HRVIT,
    # Chains.
    **dict.fromkeys(("vgg16", "vgg19", "ed-tcn-xrbench"), ()),
}


def _fuse(names: Sequence[str], reads: list[Reads]) -> None:
    """Set what the fusions of HRViT read: output i adds up what every branch gives to it, in order; branch i gives itself."""
    branches: list[int] = []
    given: dict[int, int] = {}
    sums: list[int] = []
    for number, name in enumerate(names):
        if found := re.match(r"features\.\d+\.norm\.(\d)", name):
            branches = [*branches[: int(found[1])], number]
        elif found := re.match(r"features\.\d+\.blocks\.\d\.(\d)", name):
            given[int(found[1])] = number
        elif re.match(r"features\.\d+:eltwise", name):
            sums.append(number)
        elif branches and (found := re.match(r"features\.\d+\.act\.\d", name)):
            total, *terms = (given.get(place, branch) for place, branch in enumerate(branches))
            for each, term in zip(sums, terms, strict=True):
                reads[each], total = sorted((total, term)), each
            reads[number], given, sums = [total], {}, []


@dataclass
class _List:
    """The rows of a published list, while a walk along the definition of the network says what each reads.

    Results are the numbers of their rows, `INPUT` is the network's input.
    """

    rows: Sequence[Row]
    reads: list[Reads] = field(default_factory=list)

    @property
    def next(self) -> Row:
        """The row that is read next."""
        return self.rows[len(self.reads)]

    def row(self, *values: int, added: Sequence[int] = ()) -> int:
        """Return the number of the next row, which reads these results (side by side) and adds others to its own."""
        read = sorted({*values, *added})
        self.reads.append([] if read == [INPUT] else read)
        return len(self.reads) - 1

    def chain(self, value: int, count: int, added: Sequence[int] = ()) -> int:
        """Return the last of so many rows that read each other; to its result others are added."""
        for number in range(count):
            value = self.row(value, added=added if number == count - 1 else ())
        return value

    def bottleneck(self, value: int, *, shortcut: bool = False, added: Sequence[int] = ()) -> int:
        """Return three convolutions and the shortcut, which a convolution after them makes where it is not the input itself."""
        last = self.chain(value, 3, () if shortcut else (value, *added))
        return self.row(value, added=(last,)) if shortcut else last

    def mobile(self, *values: int) -> int:
        """Expand, filter, squeeze and excite, project; the input is added where shapes agree. Only what is listed is there."""
        value = self.row(*values)
        while not _filters(self.rows[value]):
            value = self.row(value)
        filtered, squeezed = value, False
        while self.next["Y"] == self.next["X"] == "1":
            value, squeezed = self.row(value), True
        shapes = [self.rows[each]["out_shape"] for each in values if each >= 0]
        added = values if shapes == [self.next["out_shape"]] else ()
        return self.row(*((filtered, value) if squeezed else (value,)), added=added)


def _filters(row: Row) -> bool:
    return row["type"] == "dwconv" or row["stride"] != "1"


def _resnet50_maestro(found: _List) -> None:
    value = found.row(INPUT)
    for _ in range(16):
        value = found.row(found.chain(value, 3), value)
    found.row(value)


def _unet_maestro(found: _List) -> None:
    value, skips = INPUT, []
    for _ in range(4):
        value = found.chain(value, 2)
        skips.append(value)
    value = found.chain(value, 2)
    for skip in reversed(skips):
        value = found.row(found.row(found.row(value), skip))
    found.row(value)


def _d2go(found: _List) -> None:
    value = found.row(INPUT)
    while found.next["K"] != "15":
        value = found.mobile(value)
    # Boxes are cut out of the map where the two layers of the proposals say.
    value = found.mobile(value, found.row(value), found.row(value))
    while found.next["type"] != "gemm":
        value = found.mobile(value)
    found.row(value)
    found.row(value)


def _plane_rcnn(found: _List) -> None:
    value, maps = found.chain(INPUT, 2), []
    for depth in (3, 4, 23, 3):
        for block in range(depth):
            value = found.bottleneck(value, shortcut=block == 0)
        maps.append(value)
    pyramid: list[int] = []
    for each in reversed(maps):
        pyramid.append(found.row(each, added=pyramid[-1:]))
    pyramid = [found.row(each) for each in pyramid]
    coarse = pyramid[0]
    depth = found.chain(coarse, 2)
    for each in pyramid:
        depth = found.row(found.row(each), depth)
    depth = found.row(depth)
    ranges, shared = found.row(INPUT), found.row(coarse)
    boxes = (found.row(shared), found.row(shared))
    head = found.row(found.row(*pyramid, ranges, *boxes))
    classes, refined, planes = found.row(head), found.row(head), found.row(head)
    masks = found.chain(found.row(*pyramid, classes, refined), 5)
    full = found.row(INPUT, masks, depth, planes)
    half = found.chain(full, 2)
    quarter = found.chain(half, 2)
    for _ in range(2):
        last = found.row(found.row(quarter), half)
        found.row(found.row(last, full))
    found.row(found.row(last, full))


def _hourglass(found: _List, value: int, depth: int) -> int:
    upper = found.bottleneck(found.bottleneck(value))
    lower = found.bottleneck(found.bottleneck(value))
    lower = _hourglass(found, lower, depth - 1) if depth > 1 else found.bottleneck(found.bottleneck(lower))
    return found.bottleneck(found.bottleneck(lower), added=(upper,))


def _hand_graph(found: _List) -> None:
    value = found.bottleneck(found.row(INPUT), shortcut=True)
    value = found.bottleneck(found.bottleneck(value), shortcut=True)
    for stack in range(2):
        inner = _hourglass(found, value, 4)
        inner = found.row(found.bottleneck(found.bottleneck(inner)))
        joints = found.row(inner)
        # Features and heat maps go back into the stream, in either order.
        first, second = (inner, joints) if stack == 0 else (joints, inner)
        value = found.row(second, added=(found.row(first), value))
    for _ in range(8):
        value = found.bottleneck(value)
    found.chain(value, 12)


def _hrvit_block(found: _List, value: int) -> int:
    query = found.row(value)
    attention = found.row(query, found.row(query))
    attention = found.row(found.row(value), added=(attention, value))
    hidden = found.row(attention)
    return found.row(found.row(hidden), found.row(hidden), added=(attention,))


def _hrvit_fusion(found: _List, branches: Sequence[int], outputs: int) -> list[int]:
    """Return the operator of every output of a fusion: the newest of its terms, to which the other ones are added."""
    fused = []
    for output in range(outputs):
        terms = list(branches[output : output + 1])
        others = [place for place in range(len(branches)) if place != output]
        for place in others:
            value = branches[place]
            if place < output:
                value = found.row(value)
                value = found.row(value) if found.next["type"] == "pool" else value
            terms.append(found.row(value, added=terms if place == others[-1] else ()))
        fused.append(terms[-1])
    return fused


def _hrvit(found: _List) -> None:
    values = [found.chain(INPUT, 2)]
    stages = ((1,), (1, 1), (1, 1, 6), (1, 1, 6), (1, 1, 6, 2), (1, 1, 2, 2))
    for number, blocks in enumerate(stages):
        if number:
            values = _hrvit_fusion(found, values, len(blocks))
        values = [found.chain(value, 2) for value in values]
        for branch, depth in enumerate(blocks):
            for _ in range(depth):
                values[branch] = _hrvit_block(found, values[branch])
    total = -1
    for value in values:
        last = found.bottleneck(value, shortcut=True)
        total = last if total < 0 else found.row(total, added=(last,))
    found.chain(total, 2)


def _ritnet(found: _List) -> None:
    value, skips = INPUT, []
    for _ in range(5):
        first = found.row(value)
        second = found.row(found.row(value, first))
        value = found.row(found.row(value, first, second))
        skips.append(value)
    for skip in reversed(skips[:-1]):
        first = found.chain(found.row(value, skip), 1)
        value = found.row(found.row(value, skip, first))
    found.row(value)


def _res8(found: _List) -> None:
    value = found.chain(INPUT, 2)
    for _ in range(3):
        value = found.chain(value, 2, (value,))
    found.row(value)


def _sparse_to_dense(found: _List) -> None:
    value = found.chain(INPUT, 2)
    for stage in range(4):
        for block in range(2):
            shortcut = stage > 0 and block == 0
            last = found.chain(value, 2, () if shortcut else (value,))
            value = found.row(value, added=(last,)) if shortcut else last
    value = found.row(value)
    for _ in range(4):
        value = found.row(value, added=(found.chain(value, 2),))
    found.row(value)


def _midas(found: _List) -> None:
    value, levels = INPUT, dict[str, int]()
    while len(levels) < 4:
        value = found.mobile(value)
        for channels, size in (("32", "48"), ("48", "24"), ("136", "12"), ("384", "6")):
            if (found.rows[value]["K"], found.rows[value]["OY"]) == (channels, size):
                levels[channels] = value
    laterals = [found.row(each) for each in levels.values()]
    value = found.row(found.chain(laterals.pop(), 2, ()))
    while laterals:
        lateral = laterals.pop()
        joined = found.chain(lateral, 2, (lateral, value))
        value = found.row(found.chain(joined, 2, (joined,)))
    found.chain(value, 3)


def _emformer(found: _List) -> None:
    value = INPUT
    for _ in range(24):
        attention = found.row(found.row(value), found.row(value), added=(value,))
        value = found.chain(attention, 2, (attention,))


def _fbnet(found: _List) -> None:
    value = found.row(INPUT)
    while any(map(_filters, found.rows[len(found.reads) :])):
        value = found.mobile(value)
    found.chain(value, len(found.rows) - len(found.reads))


_WALKS: Mapping[str, Callable[[_List], None]] = {
    "resnet50-maestro": _resnet50_maestro,
    "unet-maestro": _unet_maestro,
    "d2go-xrbench": _d2go,
    "plane-rcnn-xrbench": _plane_rcnn,
    "hand-graph-cnn-xrbench": _hand_graph,
    "hrvit-b1-xrbench": _hrvit,
    "ritnet-xrbench": _ritnet,
    "res8-narrow-xrbench": _res8,
    "sparse-to-dense-xrbench": _sparse_to_dense,
    "midas-small-xrbench": _midas,
    "emformer-xrbench": _emformer,
    "fbnet-c-xrbench": _fbnet,
}


def table_reads(slug: str, rows: Sequence[Row]) -> list[Reads]:
    """Return the numbers of the rows that each row of a table reads; empty where it reads the network's input.

    Raises:
        KeyError: no definition of that network is known here.
        ValueError: rows that the definition does not have, or the other way round.
    """
    if slug in _WALKS:
        found = _List(rows)
        _WALKS[slug](found)
        if len(found.reads) != len(rows):
            raise ValueError(f"{slug}: {len(rows)} rows, of which the definition has {len(found.reads)}")
        return found.reads
    names = [f"{row['layer']} {row.get('note') or ''}".rstrip() for row in rows]
    reads = reads_by_rules(names, _RULES[slug])
    if slug == "hrvit-b1":
        _fuse(names, reads)
    return reads

"""Graphs of the built-in networks: what reads what, and that every result fits what reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

import pytest

from engines.workloads.builtins import builtin_networks
from engines.workloads.families.language_passes import language_passes
from engines.workloads.loader import builtin_network
from engines.workloads.network import Operation, has_graph

# Lists of layers: sums and concatenations are no rows of their own.
LISTS = (
    "resnet50-maestro", "unet-maestro", "d2go-xrbench", "ed-tcn-xrbench", "emformer-xrbench", "fbnet-c-xrbench",
    "hand-graph-cnn-xrbench", "hrvit-b1-xrbench", "midas-small-xrbench", "plane-rcnn-xrbench", "res8-narrow-xrbench",
    "ritnet-xrbench", "sparse-to-dense-xrbench",
)  # fmt: skip
# Attention of language passes reads a cache, and keys that several queries share.
TABLES = tuple(slug for slug in builtin_networks() if slug not in LISTS and slug not in language_passes())
# Rows of one network of each kind less one, and a result more for each of these.
EDGES = {
    "resnet50": 173 + 16,  # additions
    "resnet18": 67 + 8,
    "googlenet": 194 + 9 * 3,  # modules of four branches
    "inception-v3": 311
    + 3 * 3
    + 2
    + 4 * 3
    + 2
    + 2 * 5,  # modules a of 5, 6a, 6b to 6e, 7a, 7b and 7c (two forks within)
    "densenet121": 425 + 58,  # concatenations
    "mobilenet-v2": 150 + 10,
    "mobilenet-v3-large": 184 + 8 + 10,  # squeeze and excitation, additions
    "efficientnet-b0": 237 + 16 + 9,
    "mnasnet1-0": 150 + 10,
    "regnet-y-400mf": 268 + 16 + 16,
    "squeezenet1-0": 63 + 8,
    "shufflenet-v2-x1-0": 183 + 16,
    "vit-b-16": 148 + 12 * 3,  # scores with values, two additions
    "swin-t": 184 + 12 * 3,
    "convnext-tiny": 136 + 18,
    "bert-base-128": 187 + 12 * 4,  # query with key, scores with values, two additions; three embeddings read the input
    "bert-base-384": 187 + 12 * 4,
    "gpt2-128": 184 + 12 * 4,  # scores with values, x times tanh, two additions; two embeddings
    "gpt2-large-128": 544 + 36 * 4,
    "emformer-128": 335
    + 24 * 4
    - 1,  # query with key, scores with values, two additions, the first of the network's input
    "visformer-small": 159 + 8 * 2 + 15,
    "attentivenas-a0": 276 + 63,
    "vig-ti": 319 + 12 * 7,  # two norms, indices, a difference, a concatenation and two additions in each block
    "magnas-vig-s-edge": 419 + 16 * 7,
    "unet-512": 66 + 4,
    "midas-small-256": 263 + 27,
    "sparse-to-dense": 109 + 12,
    "dlrm-rm1": 3 + 8 + 9 + 6,  # bottom, sums of tables, what is joined, top
    "dinov3-s": 218 + 12 * 4,  # query with key, scores with values, two additions
    "clip-b-32-image": 149 + 12 * 3,
    "depth-anything-v2-small": 237 + 12 * 3 + 7 + 3,  # residual units, fused maps
    "segformer-b0": 155 + 8 * 4 + 3,  # four maps of the decoder
    "sam-vit-b-encoder": 201 + 12 * 5,  # rows and columns of positions besides
    "sam2-tiny-encoder": 173 + 12 * 3 + 3 + 1 + 2,  # pooled queries, the pyramid, three results
    "whisper-tiny-encoder": 70 + 4 * 4 + 7,  # eight results
    "whisper-tiny-decoder": 95 + 1 + 4 * (2 + 3),  # two embeddings read the input; own keys and values, three additions
    "stable-diffusion-1-5-unet": 639
    + 12
    + 22 * 2
    + 16 * 8,  # skipped maps, residual blocks, transformers; texts and steps
    "dit-s-2": 213 + 1 + 12 * 7 + 1,  # each part reads the modulation twice
    "pointpillars": 66 + 2 + 2,
    "bevformer-tiny": 455 + 16 + 3 * 7 + 6 * 7 + 11,  # ResNet, encoder, decoder, twelve results
    "qwen3-0-6b-decode-192": 450 + 28 * 6,  # a norm with three maps, values with operands, gate with up, two additions
    "vgg16": 36,
    "digits-chain": 8,
    "yolox-s": 257 + 7 + 3 + 8 + 4 + 8,  # shortcuts, poolings, joins of layers, the neck, outputs
    "yolov8n": 201 + 6 + 6 + 3 + 4 + 4 + 5,  # shortcuts, parts, poolings, neck, outputs
    "rt-detr-r18": 298 + 8 + 4 + 4 + 4 + 2 + 2 + 3 * 11 + 1,  # sums, neck, encoder, memory, choice, decoder, outputs
    "rt-detr-l": 531 + 1 + 6 * 6 + 2 + 4 + 4 + 4 + 2 + 2 + 6 * 11 + 1,  # stem, joins and sums of blocks, then as R18
    "rf-detr-nano": 279
    + 12 * 3
    + 3
    + 3
    + 1
    + 2 * 10
    + 2,  # blocks, results, projector, choice, decoder, boxes and outputs
    "ssd-mobilenet-v1": 117 + 11,
    "efficientdet-d0": 531 + 16 + 9 + 3 * 11 + 9,
    "deeplab-v3-plus-mobilenet-v2": 179 + 10 + 4 + 1,
    "mobilenet-v4-conv-small": 133 + 10,
    "ghostnet": 287 + 32 + 7 + 16,
    "tiny-vit-5m": 201 + 2 + 10 * 3,
    "mlperf-tiny-ic": 27 + 3,
    "resnet50-maestro": 65 + 16,
    "fbnet-c-xrbench": 62 + 15,
    "res8-narrow-xrbench": 8 + 3,
}
# What reads a part of a result, one result twice, or a result in another form.
PARTS = re.compile(
    r"head|pooler(\.dense)?|class_token|.*\.of_token"  # one of the tokens; a learnt one
    r"|.*\.shuffle|stage\d\.\d\.(branch2\.conv1|concat)"  # one half of the channels passes by
    r"|.*(knn\.products|\.aggregate|dilated_knn_graph:matmul)"  # nodes by themselves
    r"|.*(knn\.(from|to)|dilated_knn_graph:eltwise\d)"  # the norm of every node
    r"|.*gather.*"
    r"|l\d\.\d\.0\.conv_dw"  # padded on two sides
    r"|.*attn\.parallel_conv\.0:act|.*ffn\.conv\.conv_[35]"  # values alone; each half of the channels
    r"|.*\.attention\.positions\.fc1"  # depends on no input
    r"|(stage\d|neck\.\w+|projector)\.m0\.(conv1|add|main|bypass)"  # the second half of the channels
    r"|boxes\.sines"  # of the four numbers of a box
    r"|.*\.attention\.(queries_keys:act|divide|part\d\.(query_key_value|query|add))"  # parts of a joint product; of the channels
    r"|attention\.(halves|m0\.(query_key_value|add1)|m\d\.positions)"  # one half of the channels; values alone
    r"|layer\d+\.(query_key_norm|output)"  # values pass by; causal attention counts half of its rows
)
# Layers of lists whose sizes are not those of the network: the list differs from the definition there.
UNEQUAL = {"resnet50-maestro": 7, "d2go-xrbench": 1, "plane-rcnn-xrbench": 7, "hand-graph-cnn-xrbench": 10}


def fits(operation: Operation, operations: Sequence[Operation]) -> bool:
    """Whether what an operation reads has as many elements as it says that it reads."""
    results = [operations[number].output_elements for number in operation.sources]
    if operation.reads_input:  # beside results, and whatever size
        return sum(results) <= max(operation.input_elements, operation.output_elements)
    if operation.kind == "concat":
        return sum(results) == operation.output_elements
    if operation.kind == "eltwise" and len(results) == 1:  # with something learnt or constant, or itself
        return results[0] == operation.output_elements
    if operation.kind == "matmul" and len(results) <= 2:  # of a result that holds queries, keys and values
        return sum(results) >= operation.input_elements
    return sum(results) == operation.input_elements


@pytest.mark.parametrize("slug", builtin_networks())
def test_every_network_has_its_graph_and_every_result_is_read(slug: str) -> None:
    operations = builtin_network(slug).operations
    assert has_graph(operations) and operations[0].reads == ()
    read = {number for operation in operations for number in operation.sources}
    ends = [operation.name for operation in operations[:-1] if operation.index not in read]
    # Boxes beside their classes; a mask and the depth of every stage of the refinement.
    assert ends == {"d2go-xrbench": ["fc1"], "plane-rcnn-xrbench": ["conv144", "conv148"]}.get(slug, [])


@pytest.mark.parametrize(("slug", "edges"), EDGES.items())
def test_the_graph_has_as_many_edges_as_the_definition(slug: str, edges: int) -> None:
    assert sum(len(operation.sources) for operation in builtin_network(slug).operations) == edges


@pytest.mark.parametrize("slug", TABLES)
def test_results_have_the_size_of_what_reads_them(slug: str) -> None:
    operations = builtin_network(slug).operations
    unfit = [each.name for each in operations if each.sources and not fits(each, operations)]
    assert [name for name in unfit if not PARTS.fullmatch(name)] == []


@pytest.mark.parametrize("slug", [slug for slug in LISTS if slug not in ("hrvit-b1-xrbench", "emformer-xrbench")])
def test_layers_of_lists_read_the_channels_of_their_parts_and_addends(slug: str) -> None:
    operations = builtin_network(slug).operations
    channels: list[int] = []
    unequal = 0
    for operation in operations:
        read = [channels[number] for number in operation.sources]
        channels.append(read[0] if operation.kind == "pool" else operation.k)
        if operation.kind != "pool" and read:
            splits = [
                (taken, [each for place, each in enumerate(read) if place not in places])
                for count in range(1, len(read) + 1)
                for places in combinations(range(len(read)), count)
                for taken in [[read[place] for place in places]]
            ]
            unequal += not any(
                (sum(taken) == operation.c or set(taken) == {operation.c}) and set(added) <= {operation.k}
                for taken, added in splits
            )
    assert unequal == UNEQUAL.get(slug, 0)


def test_traced_and_drawn_networks_of_the_same_size_have_the_same_graph() -> None:
    pairs = (("bert-base-128", "bert-base-384"), ("vig-s", "magnas-vig-s-max-relative"))
    for traced, drawn in pairs:
        both = [[operation.sources for operation in builtin_network(slug).operations] for slug in (traced, drawn)]
        assert both[0] == both[1]

"""Networks from modules of PyTorch: `torch.export` writes down which operators run on the example, and with which sizes.

torch is imported on use: nothing else in the product needs it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.workloads.importing.document import ImportOptions, Vocabulary, to_document
from engines.workloads.importing.graph import ImportedGraph, Node, Tensor
from engines.workloads.importing.identities import Identities
from engines.workloads.importing.limits import MAX_NAME
from engines.workloads.importing.torch_operators import FOLDED_KINDS, compute_rows, folded_kind

if TYPE_CHECKING:
    import torch

VOCABULARY = Vocabulary(compute_rows, folded_kind)


def read_torch(
    module: torch.nn.Module, example_inputs: Sequence[Any], name: str | None = None, exclude: Collection[str] = ()
) -> ReadDocument:
    """Return the network that a module computes on an example, in evaluation mode.

    Args:
        module: any module that `torch.export.export` takes.
        example_inputs: positional arguments of its `forward`; their sizes are those of the network.
        name: title of the network; the module's class by default.
        exclude: operators without a cost model that engines may leave out.

    Returns:
        a `network/1` document; the report as for ONNX files.

    Raises:
        ProblemError: torch is not installed, or the module cannot be exported or has nothing that computes.
    """
    try:
        import torch
    except ImportError as error:
        ways = ["Install torch with `paretoscope add torch`, in a checkout with `make up`."]
        raise ProblemError("module", type(module).__name__, "read where torch is installed", remedies=ways) from error
    title = name or type(module).__name__
    training = module.training
    try:
        program = torch.export.export(module.eval(), tuple(example_inputs))
    except Exception as error:  # whatever a module does when it is traced
        raise ProblemError(
            "module", title, "a module that torch.export can trace", reason=f"torch.export fails: {str(error)[:300]}"
        ) from error
    finally:
        module.train(training)
    graph = _graph(program, f"PyTorch {torch.__version__}")
    return to_document(graph, VOCABULARY, ImportOptions(title, exclude), f"{type(module).__name__} ({graph.source})")


def _graph(program: Any, source: str) -> ImportedGraph:
    signature = program.graph_signature
    samples = set(signature.user_inputs)
    tensors: dict[Any, tuple[Tensor, ...]] = {}
    nodes: list[Node] = []
    identities, stored = Identities(), _stored(program)
    for node in program.graph.nodes:
        if node.op in ("placeholder", "get_attr"):
            constant = node.name not in samples
            tensors[node] = tuple(_tensors(node, constant, stored.get(node.name, node.name) if constant else ""))
        elif node.op == "call_function" and getattr(node.target, "__name__", "") == "getitem":
            whole, index = tensors.get(node.args[0], ()), node.args[1]
            tensors[node] = whole[index : index + 1] if isinstance(index, int) else ()
        elif node.op == "call_function":
            found = _node(node, tensors, identities)
            tensors[node] = found.outputs
            nodes.append(found)
    inputs = tuple(t for node, found in tensors.items() if node.name in samples for t in found)
    return ImportedGraph(tuple(nodes), inputs, source, weight_bits=_weight_bits(program, samples, nodes))


def _weight_bits(program: Any, samples: Collection[str], nodes: Sequence[Node]) -> int | None:
    """Return the fewest bits that weights are stored in, or quantised to by a range that an operator says; None of 32 and more."""
    values = [
        node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder" and node.name not in samples
    ]
    stored = [
        8 * each.dtype.itemsize
        for each in values
        if getattr(each, "ndim", 0) > 1
        and (each.is_floating_point() or str(each.dtype) in ("torch.int8", "torch.uint8"))
    ]
    for node in nodes:
        low, high = node.attributes.get("quant_min"), node.attributes.get("quant_max")
        first = node.tensor(0)
        if isinstance(low, int) and isinstance(high, int) and first is not None and first.constant:
            stored.append((high - low).bit_length())
    return min((bits for bits in stored if bits < 32), default=None)


def _stored(program: Any) -> dict[str, str]:
    """Return name of a placeholder -> identity of its weight: the name of the first one that lies at the same place in memory."""
    signature = program.graph_signature
    first: dict[Any, str] = {}
    found = {}
    for names, values in (
        (signature.inputs_to_parameters, program.state_dict),
        (signature.inputs_to_buffers, {**program.constants, **program.state_dict}),
        (signature.inputs_to_lifted_tensor_constants, program.constants),
    ):
        for placeholder, name in names.items():
            value = values.get(name)
            place = name if value is None or not value.data_ptr() else (value.data_ptr(), tuple(value.shape))
            found[placeholder] = first.setdefault(place, name)
    return found


def _node(node: Any, tensors: Mapping[Any, tuple[Tensor, ...]], identities: Identities) -> Node:
    inputs: list[Tensor | None] = []
    attributes: dict[str, Any] = {}
    for name, value in _arguments(node):
        if value in tensors if _is_node(value) else False:
            inputs += [replace(each, weight="") for each in tensors[value]] if name in _MERGED else tensors[value]
        elif isinstance(value, list | tuple) and any(_is_node(each) for each in value):
            inputs += [tensor for each in value if _is_node(each) for tensor in tensors.get(each, ())]
        elif value is None and name in _OPTIONAL_TENSORS:
            inputs.append(None)
        else:
            attributes[name] = list(value) if isinstance(value, list | tuple) else value
    operator = _operator(node.target)
    constant = all(tensor is None or tensor.constant for tensor in inputs)
    if constant and operator in _PRODUCTS:
        # The first step of an unrolled recurrence, whose state is zeros, is computed as any other.
        constant = not any(tensor and _ONE_NUMBER.match(tensor.name) for tensor in inputs)
    read = constant and any(each is not None and each.weight and each.elements != 1 for each in inputs)
    outputs = [
        replace(each, weight=_identity(operator, attributes, inputs, number, each, identities)) if each.weight else each
        for number, each in enumerate(
            _tensors(node, constant, node.name if read and not _NO_WEIGHT.search(operator) else "")
        )
    ]
    return Node(_name(node), operator, tuple(inputs), tuple(outputs), attributes)


def _identity(
    operator: str,
    attributes: Mapping[str, Any],
    inputs: Sequence[Tensor | None],
    number: int,
    output: Tensor,
    identities: Identities,
) -> str:
    """Return the identity of what an operator computes from weights; what only moves all their elements leaves it as it is."""
    first = inputs[0]
    if FOLDED_KINDS.get(operator) == "reshape" and first is not None and first.elements == output.elements:
        return first.weight
    keys = [each and (each.weight or each.name) for each in inputs]
    return identities.computed((operator, number, repr(sorted(attributes.items()))), keys, output.name)


# Sizes of a weight, not its numbers: ones_like, new_zeros.
_NO_WEIGHT = re.compile(r"_like$|\.new_")
_ONE_NUMBER = re.compile(r"(new_)?(zeros|ones|full)")
_PRODUCTS = ("aten.linear", "aten.matmul", "aten.mm", "aten.addmm")
# Merged into the scale and shift of a norm.
_MERGED = ("running_mean", "running_var")
# Inputs whose place counts though they may be left out.
_OPTIONAL_TENSORS = ("bias", "weight", "attn_mask")


def _arguments(node: Any) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of what an operator is called with."""
    schema = getattr(node.target, "_schema", None)
    names = [argument.name for argument in schema.arguments] if schema is not None else []
    for index, value in enumerate(node.args):
        yield (names[index] if index < len(names) else f"argument_{index}"), value
    yield from node.kwargs.items()


def _is_node(value: Any) -> bool:
    import torch

    return isinstance(value, torch.fx.Node)


def _tensors(node: Any, constant: bool, weight: str = "") -> Iterator[Tensor]:
    """Yield the tensors that a node gives; what else it gives, numbers and sizes, is none."""
    import torch

    value = node.meta.get("val")
    for each in value if isinstance(value, list | tuple) else (value,):
        if isinstance(each, torch.Tensor):
            shape = (
                tuple(int(size) for size in each.shape) if all(isinstance(size, int) for size in each.shape) else None
            )
            floating = each.dtype.is_floating_point or each.dtype in (torch.int8, torch.uint8)
            yield Tensor(node.name, shape, constant, weight if floating else "")


def _operator(target: Any) -> str:
    """Return the operator's name without overload ("aten.conv2d")."""
    schema = getattr(target, "_schema", None)
    if schema is None:
        return str(getattr(target, "__name__", target))
    space, _, name = schema.name.partition("::")
    in_place = name.endswith("_") and not name.endswith("__")
    return f"{space}.{name[:-1] if in_place else name}"


def _name(node: Any) -> str:
    """Return the path of an operator in the module ("layers.0.attention.linear")."""
    stack = node.meta.get("nn_module_stack") or {}
    path = next(reversed(stack.values()), ("",))[0] if stack else ""
    return (f"{path}.{node.name}" if path else str(node.name))[-MAX_NAME:]

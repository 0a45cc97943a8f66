"""Files of weights: what is read, and what is refused by name."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.learning.weights_document import load_network_weights
from engines.learning.weights_file import arrays_of, packed, read_weights
from tests.engines.data.test_npz import npz, zipped

ARRAYS = {"a.weight": np.arange(6, dtype=np.float32).reshape(2, 3), "a.bias": np.zeros(2, np.float32)}


def test_both_formats_give_the_arrays_and_a_document_of_their_shapes() -> None:
    words = {"title": "My weights", "source": "trained at home", "classes": json.dumps(["cat", "dog"])}
    assert len({packed(ARRAYS, words) for _ in range(20)}) == 1, "the same weights are the same file"
    for data in (packed(ARRAYS, words), npz(**ARRAYS)):
        found = arrays_of(data)
        assert all((found[name] == ARRAYS[name]).all() for name in ARRAYS)
    said = load_network_weights(read_weights(packed(ARRAYS, words), "file.safetensors").content)
    assert (said.title, said.source, said.classes) == ("My weights", "trained at home", ("cat", "dog"))
    assert said.shapes == {"a.bias": (2,), "a.weight": (2, 3)} and said.slug == "my-weights"
    plain = read_weights(npz(**ARRAYS), "Mine.npz")
    assert plain.content["source"] == "file Mine.npz" and plain.content["slug"] == "mine"
    assert plain.report == {"format": "NPZ", "notes": ["2 tensors of 8 numbers."]}


@pytest.mark.parametrize(
    ("data", "field", "accepted"),
    [
        (b"", "file", "undamaged"),
        (b"no weights at all", "file", "undamaged"),
        (packed(ARRAYS, {})[:-3], "file", "undamaged"),
        (npz(**ARRAYS)[:200], "file", "undamaged"),
        (pickle.dumps(ARRAYS), "file", "undamaged"),
        (npz(a=np.array([{}], dtype=object)), "file", "without pickles"),
        (npz(), "file", "1 to 10"),
        (npz(features=np.zeros((2, 2), np.uint8)), "file.features", "weights of type"),
        (npz(a=np.array([1.0, np.nan])), "file.a", "finite"),
        (packed({"b": np.array([np.inf])}, {}), "file.b", "finite"),
        (packed({"b": np.array([-1e39])}, {}), "file.b", "values up to"),
        (zipped(("mine/data.pkl", b"")), "file", "undamaged"),
    ],
    ids=[
        "empty",
        "words",
        "cut",
        "cut-npz",
        "pickle",
        "pickle-in-npz",
        "nothing",
        "images",
        "nan",
        "infinite",
        "large",
        "torch",
    ],
)
def test_every_bad_file_is_refused_by_its_field(data: bytes, field: str, accepted: str) -> None:
    with pytest.raises(ProblemError) as refused:
        arrays_of(data)
    assert refused.value.field == field and accepted in refused.value.accepted


def test_weights_of_another_network_name_each_tensor() -> None:
    said = load_network_weights(read_weights(packed(ARRAYS, {}), "w.safetensors").content)
    with pytest.raises(ProblemError) as refused:
        said.require_fit({"a.weight": (2, 4), "c": (1,)}, "inputs.weights", {"params.width": 3})
    error = refused.value
    assert (error.field, error.got, error.accepted) == ("inputs.weights.a.weight", "2 x 3", "2 x 4")
    assert [field for field, _, _ in error.others] == ["inputs.weights.c", "inputs.weights.a.bias"]
    assert [each[1:] for each in error.remedies] == [("params.width", 3)]


def test_names_that_come_twice_are_refused() -> None:
    content = read_weights(packed(ARRAYS, {}), "w.safetensors").content
    with pytest.raises(ProblemError, match="distinct names"):
        load_network_weights({**content, "tensors": [content["tensors"][0]] * 2})


def safetensors(**tensors: tuple[str, list[int], bytes]) -> bytes:
    """A file of tensors by type, shape and bytes, as PyTorch's library writes it."""
    head, data = {}, b""
    for name, (kind, shape, held) in tensors.items():
        head[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + len(held)]}
        data += held
    text = json.dumps(head).encode()
    return len(text).to_bytes(8, "little") + text + data


def test_buffers_of_whole_numbers_are_left_out_and_named() -> None:
    buffers = {
        "bn.num_batches_tracked": np.array(7),
        "position_ids": np.arange(4)[None],
        "attn.mask": np.ones((2, 2), bool),
    }
    for data in (packed({**ARRAYS, **buffers}, {}), npz(**ARRAYS, **buffers)):
        assert set(arrays_of(data)) == set(ARRAYS)
        found = read_weights(data, "state.safetensors")
        assert {each["name"] for each in found.content["tensors"]} == set(ARRAYS)
        note = found.report["notes"][1]
        assert note.startswith("Buffers of whole numbers are no weights") and all(name in note for name in buffers)


def test_weights_of_a_quantised_network_are_refused_and_not_left_out() -> None:
    with pytest.raises(ProblemError, match="float16, float32, float64 or bfloat16") as refused:
        arrays_of(packed({**ARRAYS, "b.weight": np.ones((2, 2), np.int8)}, {}))
    assert (refused.value.field, refused.value.got) == ("file.b.weight", "int8")
    with pytest.raises(ProblemError) as refused:
        arrays_of(safetensors(a=("F8_E4M3", [2], b"  ")))
    assert refused.value.field == "file.a" and refused.value.got.startswith("F8_E4M3")


def test_bfloat16_is_the_upper_half_of_32_bits() -> None:
    # 1, -2.5 and the largest finite number, by their bits.
    found = arrays_of(safetensors(w=("BF16", [3, 1], bytes.fromhex("803f20c07f7f")), b=("F16", [1], b"\x00<")))
    assert found["w"].dtype == np.float32 and found["w"].tolist() == [[1.0], [-2.5], [(2 - 2**-7) * 2.0**127]]
    assert found["b"].tolist() == [1.0]
    with pytest.raises(ProblemError, match="finite"):
        arrays_of(safetensors(w=("BF16", [1], bytes.fromhex("807f"))))


def test_the_recipe_of_the_docs_writes_what_is_read_with_batch_normalisation() -> None:
    torch, safetensors_torch = pytest.importorskip("torch"), pytest.importorskip("safetensors.torch")
    module = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.Linear(2, 2))
    for form in (torch.float32, torch.bfloat16, torch.float16):
        data = safetensors_torch.save(module.to(form).state_dict())
        found = arrays_of(data)
        state = {name: each for name, each in module.state_dict().items() if name != "1.num_batches_tracked"}
        assert {name: each.astype(np.float32).tolist() for name, each in found.items()} == {
            name: each.float().tolist() for name, each in state.items()
        }
        assert "left out: 1.num_batches_tracked" in read_weights(data, "state.safetensors").report["notes"][1]

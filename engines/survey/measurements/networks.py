"""Networks of the zoo behind the names that tables of measurements use: the same network at the same input size, or none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from engines.workloads.builtins import builtin_networks
from engines.workloads.index import read_index

_TABLE = Path(__file__).parent / "networks.yaml"
_PRINTED = re.compile(r"(\d+(?:\.\d+)?) M parameters; (\d+(?:\.\d+)?) G operations")
_SIDES = re.compile(r", (\d+)x(\d+)")
_AGREES = 0.04  # parameters, as a share: tables fold or leave out normalisations
_OPERATIONS_AGREE = 0.04
# What a name has beside that of the network: where decoding of boxes runs does not change what the accelerator does much.
_BESIDE = re.compile(r"-(?:bbox-decoding-only|nms-core|image-encoder)$")
_SLUG_ALIASES = {
    "squeezenet-1-1": "squeezenet1-1",
    "shufflenet-v2": "shufflenet-v2-x0-5",
    "inception-v3-quantized": "inception-v3",
}
_ENCODERS = re.compile(r"whisper-(.+)")


@dataclass(frozen=True)
class NetworkMatch:
    """A network of the zoo, or why there is none.

    Attributes:
        slug: slug in the zoo; "" for none.
        words: the ground, or the reason.
        declared: input that the source declares although the network works at another; "" where there is no such.
    """

    slug: str
    words: str
    declared: str = ""


@lru_cache(maxsize=8192)
def zoo_network(source: str, model: str, model_slug: str, input_size: str, notes: str = "") -> NetworkMatch:
    """Return the network of the zoo that a row means.

    Args:
        source: repository of the table.
        model: name in the source.
        model_slug: name of the network over all sources.
        input_size: as the source writes it ("1x3x224x224"); "" where it is not stated.
        notes: notes of the row, for parameters and operations.
    """
    found = _by_table(source, model) or _by_part(model, model_slug) or _by_slug(model_slug)
    if found is None:
        return NetworkMatch("", f"The zoo has no network {model_slug or model}.")
    size = _totals_reason(found.slug, notes)
    if input_size != found.declared:
        size = _size_reason(found.slug, input_size) or size
    return NetworkMatch("", size) if size else found


def variant_of(network: str) -> str:
    """Return the network of the same shapes that stands for a network where it is left out; itself where it has none."""
    return str(_content()["variants"].get(network, network))


@cache
def _content() -> Mapping[str, Mapping[str, Any]]:
    content: dict[str, Mapping[str, Any]] = yaml.safe_load(_TABLE.read_text(encoding="utf-8"))
    return content


def _by_table(source: str, model: str) -> NetworkMatch | None:
    pair = _content().get(source, {}).get(model)
    return NetworkMatch(*pair) if pair else None


def _by_part(model: str, slug: str) -> NetworkMatch | None:
    """Return a part of a model of several parts; its slug alone would name the whole."""
    whisper = _ENCODERS.fullmatch(slug)
    if whisper and "Encoder" in model:
        return NetworkMatch(
            f"whisper-{whisper[1]}-encoder", "the encoder of 30 s of sound, with keys and values for the decoder"
        )
    parts = {"unet": "unet", "vae": "decoder", "text_encoder": "text"}
    one = slug == "stable-diffusion-v1-5" or (slug == "controlnet-canny" and model in ("vae", "text_encoder"))
    if one and model in parts:
        return NetworkMatch(f"stable-diffusion-1-5-{parts[model]}", "Stable Diffusion 1.5 at its one size, 512x512")
    if slug == "stable-diffusion-v2-1" and model in ("unet", "vae"):
        name = "stable-diffusion-turbo-unet" if model == "unet" else "stable-diffusion-1-5-decoder"
        return NetworkMatch(name, "of the same shape in Stable Diffusion 2.1 at 512x512")
    return None


def _by_slug(slug: str) -> NetworkMatch | None:
    name = _SLUG_ALIASES.get(slug, _BESIDE.sub("", slug))
    return NetworkMatch(name, "the same name") if name in read_index() and name in builtin_networks() else None


def _size_reason(slug: str, input_size: str) -> str:
    """Return why a size is another than the zoo's; "" where it is the same, or where neither source nor zoo has one."""
    own = _zoo_sides(slug)
    if not own or not input_size:
        return ""
    numbers = [int(each) for each in re.findall(r"\d{1,9}", input_size)]
    if len(numbers) >= 2 and not {*own} <= {*numbers}:
        return f"The zoo has {slug} at {own[0]}x{own[1]}, not at {input_size}."
    return ""


@cache
def _zoo_sides(slug: str) -> tuple[int, ...]:
    """Return height and width of a network's images, from its title; () where it has none."""
    found = _SIDES.search(str(builtin_networks()[slug].get("title", "")))
    return tuple(map(int, found.groups())) if found else ()


def _totals_reason(slug: str, notes: str) -> str:
    """Return why parameters or operations that a source prints are those of another network; "" where they agree."""
    printed = _PRINTED.search(notes)
    if not printed:
        return ""
    entry = read_index()[slug].figures
    for mine, theirs, share, words in (
        (entry.parameters / 1e6, float(printed[1]), _AGREES, "M parameters"),
        (2 * entry.macs / 1e9, float(printed[2]), _OPERATIONS_AGREE, "G operations"),
    ):
        if not 1 / (1 + share) <= theirs / mine <= 1 + share:
            return f"The source prints {theirs:g} {words}, {slug} of the zoo has {mine:.3g}."
    return ""

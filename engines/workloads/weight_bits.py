"""The stored weight precision of a network, and the precision that cost models assume: one sentence for all pages."""

from __future__ import annotations

from collections.abc import Iterable

from engines.workloads.network import Network


def weight_bits_words(bits: int | None, title: str = "", counted: float | None = None) -> str:
    """Return a sentence on the cost of weights that a network stores in few bits; "" where it is right.

    Args:
        bits: the fewest that it stores weights in; None where nothing tells them.
        title: title of the network.
        counted: bits that its costs count for each weight; None where no device is chosen yet.
    """
    if bits is None or bits >= (counted or 32):
        return ""
    stored = f"{title or 'The network'} stores weights in {bits} bits. "
    too_much = "latency and energy of layers that read these weights are too high."
    if counted is None:
        return f"{stored}Cost models count every weight in the bits of the device's precision: where these are more, {too_much}"
    return f"{stored}The costs count {counted:g} bits for each, so {too_much}"


def weight_bits_notes(networks: Iterable[Network], counted: float) -> list[str]:
    """Return the sentence of each network that has one, each once. Arguments as `weight_bits_words`."""
    words = (weight_bits_words(network.weight_bits, network.title, counted) for network in networks)
    return [each for each in dict.fromkeys(words) if each]

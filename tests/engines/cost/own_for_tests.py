from __future__ import annotations

from engines.workloads.loader import load_network
from engines.workloads.network import Network
from tests.engines.cost.soc_for_tests import ELTWISE, GEMM, network_content

NET = load_network(
    network_content(
        *({**GEMM, "name": f"gemm{size}", "k": size, "c": size} for size in (50, 400, 1000, 3000)),
        *({**ELTWISE, "name": f"add{count}", "input_elements": count * 10_000, "output_elements": count * 5_000}
          for count in (1, 10, 100, 400)),
    )
)  # fmt: skip


def networks(slug: str) -> Network:
    assert slug == "net"
    return NET

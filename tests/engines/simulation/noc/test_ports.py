"""Numbers of inputs and outputs, router by router."""

import numpy as np

from engines.simulation.noc import columns as c
from engines.simulation.noc.networks import crossbar_hub
from engines.simulation.noc.ports import Ports, zeros
from engines.simulation.noc.topology import Link, Topology

PAIR = Topology("pair", 2, (Link(0, 1, 3), Link(1, 0, 5)), (0, 1), np.array([[-1, 0], [1, -1]]))


def test_links_come_before_terminals() -> None:
    ports = Ports(PAIR, 4)
    assert ports.ins == [("link", 1), ("terminal", 0), ("link", 0), ("terminal", 1)]
    assert ports.outs == [("link", 0), ("terminal", 0), ("link", 1), ("terminal", 1)]
    assert ports.routers[:, [c.R_INPUTS, c.R_OUTPUTS]].tolist() == [[2, 2], [2, 2]]
    assert ports.route().tolist() == [[1, 0], [2, 3]]


def test_an_output_leads_to_the_input_at_the_other_end() -> None:
    ports = Ports(PAIR, 4)
    first, back = ports.output_of["link", 0], ports.output_of["link", 1]
    assert ports.outputs[first, [c.P_TARGET, c.P_LATENCY]].tolist() == [4 * ports.input_of["link", 0], 3]
    assert ports.outputs[back, [c.P_TARGET, c.P_LATENCY]].tolist() == [4 * ports.input_of["link", 1], 5]
    # Credits go the other way.
    assert ports.inputs[ports.input_of["link", 0], c.I_CREDIT] == 4 * first


def test_mini_chains_have_a_port_with_room_for_a_packet() -> None:
    ports = Ports(crossbar_hub(8, ports=2), 7)
    assert [ports.door(terminal) for terminal in (0, 4)] == [("chain", 0), ("chain", 1)]
    assert ports.chains()[:, c.C_MEMBERS].tolist() == [4, 4]
    assert ports.outputs[ports.output_of["chain", 0], c.P_DEPTH] == 7


def test_a_table_says_that_no_cycle_was_yet() -> None:
    assert zeros(2, 3, 1).tolist() == [[0, -1, 0], [0, -1, 0]]
    assert zeros(1, 2).tolist() == [[0, 0]]

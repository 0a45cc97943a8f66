"""Compiled: mini-chains, one cycle at a time (goyal-2023 section 6.2.2).

Who has a packet asks the port's flow-control table for all segments between it and the packet's destination: chiplets for another
one of the ring or for the hub, the hub's side for a chiplet. What overlaps no flow is granted; the forward and receive bits take
`handshake_cycles`; the last flit frees the segments. Turns go round: whose turn it is keeps its segments free of new flows until
it is granted, so that nobody waits for ever. Into the hub a flow starts once a virtual channel there has room for its whole packet.
"""

from engines.simulation.noc.columns import (
    AT_CHAINS,
    AT_FLOWS,
    AT_INPUTS,
    AT_MEMBERS,
    AT_OUTPUTS,
    AT_PACKETS,
    AT_PASSED,
    AT_RESERVED,
    AT_RING_BUFFERS,
    AT_RING_QUEUES,
    AT_SEGMENTS,
    AT_SOURCE_VC,
    AT_SOURCES,
    C_INPUT,
    C_LAST_VC,
    C_LATENCY,
    C_MEMBERS,
    C_OUTPUT,
    C_PERIOD,
    C_SHAKE,
    C_TURN,
    CHAINS,
    CHANNELS,
    F_DONE,
    F_FROM,
    F_NEXT,
    F_ON,
    F_STEPS,
    F_VC,
    FIRST_MEMBER,
    I_DEPTH,
    IN_USE,
    MOST_MEMBERS,
    OCCUPIED,
    P_LATENCY,
    RING_DEPTH,
    S_CHAIN,
    S_LEFT,
    S_PACKET,
    S_PLACE,
    SENT,
    SIZE,
    SLOTS,
    SOURCE,
    TARGET,
    TERMINALS,
    W_CHAIN,
    W_FLOW,
    W_INPUT,
    W_OUTPUT,
    W_PACKET,
    W_SOURCE,
    W_SOURCE_VC,
)
from engines.simulation.noc.compiler import inner
from engines.simulation.noc.packets import choose_vc, push, push_credit


@inner
def rings(m, t):
    """Advance all mini-chains: ended flows free their segments, new ones are granted, flows send a flit each."""
    for chain in range(m[CHAINS]):
        row = m[AT_CHAINS] + W_CHAIN * chain
        askers = m[row + C_MEMBERS] + m[CHANNELS]
        first = m[AT_FLOWS] + W_FLOW * chain * (m[MOST_MEMBERS] + m[CHANNELS])
        for asker in range(askers):
            flow = first + W_FLOW * asker
            if m[flow + F_ON] and m[flow + F_DONE] and t >= m[flow + F_NEXT]:
                m[flow + F_ON] = 0
                _mark(m, chain, flow, 0)
        _grant(m, t, chain, askers, first)
        for asker in range(askers):
            flow = first + W_FLOW * asker
            if m[flow + F_ON] and not m[flow + F_DONE] and t >= m[flow + F_NEXT]:
                _send(m, t, chain, asker, flow)


@inner
def _mark(m, chain, flow, value):
    places = m[m[AT_CHAINS] + W_CHAIN * chain + C_MEMBERS] + 1
    first = m[AT_SEGMENTS] + chain * (m[MOST_MEMBERS] + 1)
    for step in range(m[flow + F_STEPS]):
        m[first + (m[flow + F_FROM] + step) % places] = value


@inner
def _asked(m, chain, asker):
    """Return the packet that waits there, -1 for none."""
    members = m[m[AT_CHAINS] + W_CHAIN * chain + C_MEMBERS]
    if asker < members:
        return m[m[AT_SOURCES] + W_SOURCE * m[m[AT_MEMBERS] + chain * m[MOST_MEMBERS] + asker] + S_PACKET]
    queue = chain * m[CHANNELS] + asker - members
    row = m[AT_RING_QUEUES] + 2 * queue
    return m[m[AT_RING_BUFFERS] + queue * m[RING_DEPTH] + m[row]] >> 2 if m[row + 1] else -1


@inner
def _is_free(m, chain, start, steps):
    """Return whether all segments of a path are free and not reserved for another flow."""
    places = m[m[AT_CHAINS] + W_CHAIN * chain + C_MEMBERS] + 1
    first = m[AT_SEGMENTS] + chain * (m[MOST_MEMBERS] + 1)
    for step in range(start, start + steps):  # noqa: SIM110  # numba knows no generators here
        if m[first + step % places] or m[m[AT_RESERVED] + step % places]:
            return False
    return True


@inner
def _grant(m, t, chain, askers, first):
    row = m[AT_CHAINS] + W_CHAIN * chain
    members, places = m[row + C_MEMBERS], m[row + C_MEMBERS] + 1
    hub = (m[TERMINALS] + chain) * m[CHANNELS]
    for segment in range(places):
        m[m[AT_RESERVED] + segment] = 0
    waiting, turn = -1, m[row + C_TURN]
    for step in range(askers):
        asker = (turn + step) % askers
        flow = first + W_FLOW * asker
        number = -1 if m[flow + F_ON] else _asked(m, chain, asker)
        if number < 0:
            continue
        packet = m[AT_PACKETS] + W_PACKET * number
        target = m[AT_SOURCES] + W_SOURCE * m[packet + TARGET]
        start = asker + 1 if asker < members else 0
        enters = asker < members and (m[target + S_CHAIN] != chain or m[packet + TARGET] == m[packet + SOURCE])
        end = 0 if enters else m[target + S_PLACE]
        steps = (end - start) % places
        if not _is_free(m, chain, start, steps):
            if waiting < 0:
                waiting = asker
                for segment in range(start, start + steps):
                    m[m[AT_RESERVED] + segment % places] = 1
            continue
        channel = -1
        if enters:
            depth = m[m[AT_INPUTS] + W_INPUT * m[row + C_INPUT] + I_DEPTH]
            channel = choose_vc(m, hub, m[row + C_LAST_VC], packet, depth, m[packet + SIZE])
            if channel < 0:
                continue
            m[row + C_LAST_VC] = channel
            m[m[AT_SOURCE_VC] + W_SOURCE_VC * (hub + channel) + IN_USE] = 1
        m[flow + F_ON], m[flow + F_DONE], m[flow + F_NEXT] = 1, 0, t + m[row + C_SHAKE]
        m[flow + F_FROM], m[flow + F_STEPS], m[flow + F_VC] = start, steps, channel
        _mark(m, chain, flow, 1)
        if waiting < 0:
            m[row + C_TURN] = (asker + 1) % askers
    if waiting >= 0:
        m[row + C_TURN] = waiting


@inner
def _send(m, t, chain, asker, flow):
    """Send one flit of a flow, if there is one."""
    row = m[AT_CHAINS] + W_CHAIN * chain
    members, channels = m[row + C_MEMBERS], m[CHANNELS]
    if asker < members:
        source = m[AT_SOURCES] + W_SOURCE * m[m[AT_MEMBERS] + chain * m[MOST_MEMBERS] + asker]
        number = m[source + S_PACKET]
        packet = m[AT_PACKETS] + W_PACKET * number
        head = 1 if m[source + S_LEFT] == m[packet + SIZE] else 0
        if head:
            m[packet + SENT] = t
        m[source + S_LEFT] -= 1
        tail = 1 if m[source + S_LEFT] == 0 else 0
        flit = 4 * number + 2 * head + tail
        to = m[FIRST_MEMBER] + m[packet + TARGET]
        if m[flow + F_VC] >= 0:
            behind = m[AT_SOURCE_VC] + W_SOURCE_VC * ((m[TERMINALS] + chain) * channels + m[flow + F_VC])
            m[behind + OCCUPIED] += 1
            m[behind + IN_USE] = 1 - tail
            to = m[row + C_INPUT] * channels + m[flow + F_VC]
        if tail:
            m[source + S_PACKET] = -1
    else:
        queue = chain * channels + asker - members
        places = m[AT_RING_QUEUES] + 2 * queue
        if m[places + 1] == 0:
            return
        flit = m[m[AT_RING_BUFFERS] + queue * m[RING_DEPTH] + m[places]]
        m[places] = (m[places] + 1) % m[RING_DEPTH]
        m[places + 1] -= 1
        latency = m[m[AT_OUTPUTS] + W_OUTPUT * m[row + C_OUTPUT] + P_LATENCY]
        push_credit(m, (t + 1 + latency) % m[SLOTS], m[row + C_OUTPUT] * channels + asker - members)
        tail = flit & 1
        to = m[FIRST_MEMBER] + m[m[AT_PACKETS] + W_PACKET * (flit >> 2) + TARGET]
    push(m, (t + 1 + m[row + C_LATENCY]) % m[SLOTS], to, flit)
    passed = m[AT_PASSED] + chain * (m[MOST_MEMBERS] + 1)
    for step in range(m[flow + F_STEPS]):
        m[passed + (m[flow + F_FROM] + step) % (members + 1)] += 1
    m[flow + F_NEXT] = t + m[row + C_PERIOD]
    if tail:
        m[flow + F_DONE] = 1

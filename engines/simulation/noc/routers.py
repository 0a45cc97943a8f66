"""Compiled: routers, one cycle at a time.

The router is BookSim 2's input-queued one (`iq_router` with one-cycle allocators): every cycle the heads of packets ask for virtual
channels, packets that have one ask for the switch, and what won the switch crosses in the next cycle. Both allocators are iSLIP
with one iteration: each output grants the first asking input from its pointer on, each input takes the first grant from its own
pointer on, and both pointers move behind what was taken. Orders of lists have no influence, so results depend on the seed alone.
"""

from engines.simulation.noc.columns import (
    ACCEPT,
    ACTIVE,
    ALL_OUTPUTS_VC,
    ASKERS,
    ASKING,
    AT_ASKING,
    AT_BUFFERS,
    AT_CLOCK,
    AT_CREDIT_COUNT,
    AT_CREDITS,
    AT_FLIT_COUNT,
    AT_FLITS,
    AT_INPUTS,
    AT_ONCE,
    AT_OUT_VC,
    AT_OUTPUTS,
    AT_PACKETS,
    AT_RING_BUFFERS,
    AT_RING_QUEUES,
    AT_ROUTE,
    AT_ROUTERS,
    AT_SCRATCH,
    AT_SCRATCH_INPUTS,
    AT_SENDING,
    AT_SOURCE_VC,
    AT_SOURCES,
    AT_VC,
    CHANNELS,
    COUNT,
    DEPTH,
    FIRST,
    FIRST_MEMBER,
    FIRST_RING,
    FIRST_TERMINAL,
    FLIT_HOPS,
    GRANT,
    HIGH_VC,
    HOPS,
    I_ACCEPT,
    I_BEST,
    I_CREDIT,
    I_DEPTH,
    I_LATENCY,
    I_LOCAL,
    I_ROUTER,
    I_STAMP,
    I_TURN,
    IDLE,
    IN_USE,
    INPUT,
    KEY,
    LOCAL,
    LOW_VC,
    O_BEST,
    O_STAMP,
    OCCUPIED,
    OUT,
    OUT_VC,
    P_BEST,
    P_DEPTH,
    P_FLITS,
    P_FREE,
    P_GRANT,
    P_LATENCY,
    P_LOCAL,
    P_PERIOD,
    P_STAMP,
    P_TARGET,
    R_ASKING,
    R_INPUTS,
    R_OUTPUTS,
    R_SENDING,
    RING_DEPTH,
    ROUTERS,
    S_OUTPUT,
    SLOTS,
    STAMP,
    STATE,
    TARGET,
    TERMINALS,
    W_INPUT,
    W_OUT_VC,
    W_OUTPUT,
    W_PACKET,
    W_ROUTER,
    W_SOURCE,
    W_SOURCE_VC,
    W_VC,
    WON,
)
from engines.simulation.noc.compiler import inner
from engines.simulation.noc.packets import deliver, note, push, push_credit


@inner
def credits_home(m, t):
    """Take credits that are home in this cycle."""
    slot = t % m[SLOTS]
    first = m[AT_CREDITS] + slot * m[AT_ONCE]
    outputs = m[ALL_OUTPUTS_VC]
    for place in range(m[m[AT_CREDIT_COUNT] + slot]):
        to = m[first + place]
        if to < outputs:
            m[m[AT_OUT_VC] + W_OUT_VC * to + OCCUPIED] -= 1
        else:
            m[m[AT_SOURCE_VC] + W_SOURCE_VC * (to - outputs) + OCCUPIED] -= 1
    m[m[AT_CREDIT_COUNT] + slot] = 0


@inner
def arrivals(m, t):
    """Take flits that leave their channels in this cycle: into buffers, to terminals, to the hub's side of a ring."""
    slot, channels = t % m[SLOTS], m[CHANNELS]
    first = m[AT_FLITS] + 2 * slot * m[AT_ONCE]
    for place in range(m[m[AT_FLIT_COUNT] + slot]):
        to, flit = m[first + 2 * place], m[first + 2 * place + 1]
        if to < m[FIRST_TERMINAL]:
            _store(m, to, flit)
        elif to < m[FIRST_RING]:
            terminal = (to - m[FIRST_TERMINAL]) // channels
            output = m[m[AT_SOURCES] + W_SOURCE * terminal + S_OUTPUT]
            latency = m[m[AT_OUTPUTS] + W_OUTPUT * output + P_LATENCY]
            push_credit(m, (t + 1 + latency) % m[SLOTS], output * channels + (to - m[FIRST_TERMINAL]) % channels)
            deliver(m, t, flit, terminal)
        elif to < m[FIRST_MEMBER]:
            queue = to - m[FIRST_RING]
            row = m[AT_RING_QUEUES] + 2 * queue
            behind = (m[row] + m[row + 1]) % m[RING_DEPTH]
            m[m[AT_RING_BUFFERS] + queue * m[RING_DEPTH] + behind] = flit
            m[row + 1] += 1
        else:
            deliver(m, t, flit, to - m[FIRST_MEMBER])
    m[m[AT_FLIT_COUNT] + slot] = 0


@inner
def _store(m, to, flit):
    """Put a flit into its buffer; into an empty one, it requests what comes next."""
    vc = m[AT_VC] + W_VC * to
    row = m[AT_INPUTS] + W_INPUT * m[vc + INPUT]
    at = m[vc + FIRST] + m[vc + COUNT]
    if at >= m[row + I_DEPTH]:
        at -= m[row + I_DEPTH]
    m[m[AT_BUFFERS] + to * m[DEPTH] + at] = flit
    m[vc + COUNT] += 1
    if m[vc + STATE] == IDLE:
        _head(m, to, flit)
    elif m[vc + STATE] == ACTIVE and m[vc + COUNT] == 1:
        _send(m, m[row + I_ROUTER], to)


@inner
def _send(m, router, number):
    count = m[AT_ROUTERS] + W_ROUTER * router + R_SENDING
    m[m[AT_SENDING] + router * m[ASKERS] + m[count]] = number
    m[count] += 1


@inner
def _head(m, number, flit):
    """Look up the output of a packet whose head is first in its virtual channel, and request a virtual channel behind it."""
    vc = m[AT_VC] + W_VC * number
    router = m[m[AT_INPUTS] + W_INPUT * m[vc + INPUT] + I_ROUTER]
    m[vc + STATE] = ASKING
    m[vc + OUT] = m[m[AT_ROUTE] + router * m[TERMINALS] + m[m[AT_PACKETS] + W_PACKET * (flit >> 2) + TARGET]]
    count = m[AT_ROUTERS] + W_ROUTER * router + R_ASKING
    m[m[AT_ASKING] + router * m[ASKERS] + m[count]] = number
    m[count] += 1


@inner
def _from_pointer(place, pointer, count):
    """Return the distance of a place behind a round-robin pointer; 0 for the pointer's own place."""
    distance = place - pointer
    return distance + count if distance < 0 else distance


@inner
def _claim(m, t, stamp, key, asker, listed, what):
    """Keep the least key of a cycle for a request. Behind `stamp` are that key and its owner; return 1 if it was listed."""
    first = m[stamp] != t
    if first:
        m[stamp], m[listed] = t, what
    elif key >= m[stamp + 1]:
        return 0
    m[stamp + 1], m[stamp + 2] = key, asker
    return 1 if first else 0


@inner
def _ask_channels(m, t, router, asked):
    """Allocate virtual channels to the heads of packets: grants, and which of them are taken. Only notes who won."""
    channels, scratch = m[CHANNELS], m[AT_SCRATCH]
    row = m[AT_ROUTERS] + W_ROUTER * router
    inputs, outputs = m[row + R_INPUTS] * channels, m[row + R_OUTPUTS] * channels
    asking = m[AT_ASKING] + router * m[ASKERS]
    granted = 0
    for place in range(asked):
        number = m[asking + place]
        vc = m[AT_VC] + W_VC * number
        flit = m[m[AT_BUFFERS] + number * m[DEPTH] + m[vc + FIRST]]
        packet = m[AT_PACKETS] + W_PACKET * (flit >> 2)
        first = m[vc + OUT] * channels
        for out_vc in range(first + m[packet + LOW_VC], first + m[packet + HIGH_VC] + 1):
            behind = m[AT_OUT_VC] + W_OUT_VC * out_vc
            if m[behind + IN_USE]:
                continue
            distance = _from_pointer(m[vc + LOCAL], m[behind + GRANT], inputs)
            granted += _claim(m, t, behind + O_STAMP, distance, number, scratch + granted, out_vc)
    for place in range(granted):
        out_vc = m[scratch + place]
        vc = m[AT_VC] + W_VC * m[m[AT_OUT_VC] + W_OUT_VC * out_vc + O_BEST]
        output = m[AT_OUTPUTS] + W_OUTPUT * m[vc + OUT]
        distance = _from_pointer(
            m[output + P_LOCAL] * channels + out_vc - m[vc + OUT] * channels, m[vc + ACCEPT], outputs
        )
        if m[vc + STAMP] != t or distance < m[vc + KEY]:
            m[vc + STAMP], m[vc + KEY], m[vc + WON] = t, distance, out_vc


@inner
def _take_channels(m, t, router, asked):
    """Let packets that won a virtual channel request the switch from the next cycle on; the others request again."""
    channels = m[CHANNELS]
    row = m[AT_ROUTERS] + W_ROUTER * router
    inputs, outputs = m[row + R_INPUTS] * channels, m[row + R_OUTPUTS] * channels
    asking = m[AT_ASKING] + router * m[ASKERS]
    left = 0
    for place in range(asked):
        number = m[asking + place]
        vc = m[AT_VC] + W_VC * number
        if m[vc + STAMP] != t:
            m[asking + left] = number
            left += 1
            continue
        won = m[vc + WON]
        behind = m[AT_OUT_VC] + W_OUT_VC * won
        local = m[m[AT_OUTPUTS] + W_OUTPUT * m[vc + OUT] + P_LOCAL] * channels + won - m[vc + OUT] * channels
        m[behind + IN_USE] = 1
        m[behind + GRANT] = m[vc + LOCAL] + 1 if m[vc + LOCAL] + 1 < inputs else 0
        m[vc + ACCEPT] = local + 1 if local + 1 < outputs else 0
        m[vc + STATE], m[vc + OUT_VC] = ACTIVE, won
        _send(m, router, number)
    m[row + R_ASKING] = left


@inner
def _ask_switch(m, t, router, sent):
    """Allocate the switch: for each output the first requesting input, of it the virtual channel in turn; then one per input."""
    channels, scratch, winners = m[CHANNELS], m[AT_SCRATCH], m[AT_SCRATCH_INPUTS]
    row = m[AT_ROUTERS] + W_ROUTER * router
    inputs, outputs = m[row + R_INPUTS], m[row + R_OUTPUTS]
    sending = m[AT_SENDING] + router * m[ASKERS]
    granted = 0
    for place in range(sent):
        number = m[sending + place]
        vc = m[AT_VC] + W_VC * number
        output = m[AT_OUTPUTS] + W_OUTPUT * m[vc + OUT]
        if m[m[AT_OUT_VC] + W_OUT_VC * m[vc + OUT_VC] + OCCUPIED] >= m[output + P_DEPTH] or t < m[output + P_FREE]:
            continue
        one = m[AT_INPUTS] + W_INPUT * m[vc + INPUT]
        distance = _from_pointer(m[one + I_LOCAL], m[output + P_GRANT], inputs)
        turn = _from_pointer(m[vc + LOCAL] - m[one + I_LOCAL] * channels, m[one + I_TURN], channels)
        granted += _claim(m, t, output + P_STAMP, distance * channels + turn, number, scratch + granted, output)
    taken = 0
    for place in range(granted):
        output = m[scratch + place]
        one = m[AT_INPUTS] + W_INPUT * m[m[AT_VC] + W_VC * m[output + P_BEST] + INPUT]
        distance = _from_pointer(m[output + P_LOCAL], m[one + I_ACCEPT], outputs)
        taken += _claim(m, t, one + I_STAMP, distance, m[output + P_BEST], winners + taken, one)
    return taken


@inner
def _cross(m, t, router, taken):
    """Move flits that won the switch from their buffers onto the channel, with a credit back. Return the number of new heads."""
    channels, slots = m[CHANNELS], m[SLOTS]
    row = m[AT_ROUTERS] + W_ROUTER * router
    heads = 0
    for place in range(taken):
        one = m[m[AT_SCRATCH_INPUTS] + place]
        number = m[one + I_BEST]
        vc = m[AT_VC] + W_VC * number
        out, out_vc = m[vc + OUT], m[vc + OUT_VC]
        output = m[AT_OUTPUTS] + W_OUTPUT * out
        flit = m[m[AT_BUFFERS] + number * m[DEPTH] + m[vc + FIRST]]
        m[vc + FIRST] = m[vc + FIRST] + 1 if m[vc + FIRST] + 1 < m[one + I_DEPTH] else 0
        m[vc + COUNT] -= 1
        channel = m[vc + LOCAL] - m[one + I_LOCAL] * channels
        m[one + I_TURN] = channel + 1 if channel + 1 < channels else 0
        m[one + I_ACCEPT] = m[output + P_LOCAL] + 1 if m[output + P_LOCAL] + 1 < m[row + R_OUTPUTS] else 0
        m[output + P_GRANT] = m[one + I_LOCAL] + 1 if m[one + I_LOCAL] + 1 < m[row + R_INPUTS] else 0
        m[output + P_FREE] = t + m[output + P_PERIOD]
        m[output + P_FLITS] += 1
        behind = m[AT_OUT_VC] + W_OUT_VC * out_vc
        m[behind + OCCUPIED] += 1
        push_credit(m, (t + 1 + m[one + I_LATENCY]) % slots, m[one + I_CREDIT] + channel)
        push(m, (t + 2 + m[output + P_LATENCY]) % slots, m[output + P_TARGET] + out_vc - out * channels, flit)
        if flit & 2:
            packet = m[AT_PACKETS] + W_PACKET * (flit >> 2)
            m[packet + HOPS] += 1
            note(m, t, packet, out)
        if flit & 1:
            m[behind + IN_USE] = 0
            m[vc + STATE] = IDLE
            if m[vc + COUNT]:
                m[m[AT_SCRATCH] + heads] = number
                heads += 1
    m[m[AT_CLOCK] + FLIT_HOPS] += taken
    return heads


@inner
def routers(m, t):
    """Advance all routers: request channels and the switch, cross, then take what was won."""
    for router in range(m[ROUTERS]):
        row = m[AT_ROUTERS] + W_ROUTER * router
        asked, sent = m[row + R_ASKING], m[row + R_SENDING]
        if asked:
            _ask_channels(m, t, router, asked)
        heads = 0
        if sent:
            heads = _cross(m, t, router, _ask_switch(m, t, router, sent))
            sending = m[AT_SENDING] + router * m[ASKERS]
            left = 0
            for place in range(sent):
                number = m[sending + place]
                vc = m[AT_VC] + W_VC * number
                if m[vc + STATE] == ACTIVE and m[vc + COUNT]:
                    m[sending + left] = number
                    left += 1
            m[row + R_SENDING] = left
        if asked:
            _take_channels(m, t, router, asked)
        for place in range(heads):
            number = m[m[AT_SCRATCH] + place]
            first = m[m[AT_VC] + W_VC * number + FIRST]
            _head(m, number, m[m[AT_BUFFERS] + number * m[DEPTH] + first])

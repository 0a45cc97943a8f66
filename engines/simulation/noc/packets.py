"""Compiled: packets from their source to their destination."""

import numpy as np

from engines.simulation.noc.columns import (
    AT_ACCEPTED,
    AT_CLOCK,
    AT_CREDIT_COUNT,
    AT_CREDITS,
    AT_FLIT_COUNT,
    AT_FLITS,
    AT_FREE,
    AT_HISTOGRAM,
    AT_INBOX,
    AT_INPUTS,
    AT_LOG,
    AT_ONCE,
    AT_PACKETS,
    AT_QUEUE,
    AT_RANGES,
    AT_SHARES,
    AT_SOURCE_VC,
    AT_SOURCES,
    AT_STREAMS,
    AT_SUMS,
    AT_THRESHOLD,
    AT_TRACE,
    BINS,
    BY_CHANCE,
    BY_TRACE,
    CHANNELS,
    DRAIN_TIME,
    DRAINING,
    FREE,
    GOT_FLITS,
    HIGH_VC,
    HOPS,
    I_DEPTH,
    IN_INBOX,
    IN_USE,
    INBOX_ROWS,
    LEAST,
    LOG_ROWS,
    LOGGED,
    LOW_VC,
    MADE,
    MADE_FLITS,
    MEASURED,
    MODE,
    MOST,
    N_PACKETS,
    NUMBER,
    NUMBERED,
    OCCUPIED,
    OPEN,
    PACKET_FLITS,
    PHASE,
    QUEUE_ROWS,
    RUNNING,
    S_CHAIN,
    S_END,
    S_FREE,
    S_INPUT,
    S_LAST_VC,
    S_LATENCY,
    S_LEFT,
    S_NEXT,
    S_PACKET,
    S_PERIOD,
    S_SENT,
    S_TIME,
    S_VC,
    SENT,
    SIZE,
    SLOTS,
    SOURCE,
    SUM_HOPS,
    SUM_LATENCY,
    SUM_NETWORK,
    TAG,
    TARGET,
    TERMINALS,
    W_INBOX,
    W_INPUT,
    W_LOG,
    W_PACKET,
    W_QUEUE,
    W_SOURCE,
    W_SOURCE_VC,
    W_TRACE,
    WARMING,
)
from engines.simulation.noc.compiler import inner


@inner
def random(m, source):
    """Return the next 53 bits of a source's own stream (xorshift64*, Vigna 2016)."""
    at = m[AT_STREAMS] + source
    x = np.uint64(m[at])
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    m[at] = np.int64(x)
    return np.int64((x * np.uint64(2685821657736338717)) >> np.uint64(11))


@inner
def push(m, slot, to, flit):
    """Put a flit that leaves its channel into a slot of the wheel of cycles."""
    count = m[AT_FLIT_COUNT] + slot
    place = m[AT_FLITS] + 2 * (slot * m[AT_ONCE] + m[count])
    m[place] = to
    m[place + 1] = flit
    m[count] += 1


@inner
def push_credit(m, slot, to):
    """Put a credit that is home into a slot of the wheel of cycles."""
    count = m[AT_CREDIT_COUNT] + slot
    m[m[AT_CREDITS] + slot * m[AT_ONCE] + m[count]] = to
    m[count] += 1


@inner
def note(m, t, packet, place):
    """Write down where the head (at its destination the tail) of a packet is, while there is room."""
    logged = m[AT_CLOCK] + LOGGED
    if m[logged] < m[LOG_ROWS]:
        row = m[AT_LOG] + W_LOG * m[logged]
        m[row], m[row + 1], m[row + 2] = t, m[packet + NUMBER], m[packet + SOURCE]
        m[row + 3], m[row + 4], m[row + 5] = m[packet + TARGET], place, m[packet + TAG]
        m[logged] += 1


@inner
def deliver(m, t, flit, terminal):
    """Take a flit at its terminal; the tail ends its packet."""
    clock = m[AT_CLOCK]
    m[m[AT_ACCEPTED] + terminal] += 1
    m[clock + GOT_FLITS] += 1
    if flit & 1 == 0:
        return
    number = flit >> 2
    packet = m[AT_PACKETS] + W_PACKET * number
    if m[clock + PHASE] == WARMING or m[packet + MEASURED]:
        latency = t - m[packet + MADE]
        sums = m[AT_SUMS]
        m[sums + N_PACKETS] += 1
        m[sums + SUM_LATENCY] += latency
        m[sums + SUM_NETWORK] += t - m[packet + SENT]
        m[sums + SUM_HOPS] += m[packet + HOPS]
        m[sums + LEAST] = min(m[sums + LEAST], latency)
        m[sums + MOST] = max(m[sums + MOST], latency)
        m[m[AT_HISTOGRAM] + min(latency, BINS - 1)] += 1
        m[clock + OPEN] -= m[packet + MEASURED]
    note(m, t, packet, -2)
    if m[clock + IN_INBOX] < m[INBOX_ROWS]:
        row = m[AT_INBOX] + W_INBOX * m[clock + IN_INBOX]
        m[row], m[row + 1], m[row + 2] = m[packet + TARGET], m[packet + SOURCE], m[packet + TAG]
        m[clock + IN_INBOX] += 1
    m[m[AT_FREE] + m[clock + FREE]] = number
    m[clock + FREE] += 1


@inner
def _make(m, t, source, target, size, made, tag):
    """Put a packet at its source."""
    clock, row = m[AT_CLOCK], m[AT_SOURCES] + W_SOURCE * source
    m[clock + FREE] -= 1
    number = m[m[AT_FREE] + m[clock + FREE]]
    packet = m[AT_PACKETS] + W_PACKET * number
    m[packet + SOURCE], m[packet + TARGET], m[packet + MADE], m[packet + SIZE], m[packet + TAG] = (
        source,
        target,
        made,
        size,
        tag,
    )
    phase = m[clock + PHASE]
    measured = phase == RUNNING or (phase == DRAINING and made < m[clock + DRAIN_TIME])
    m[packet + MEASURED] = 1 if measured else 0
    m[clock + OPEN] += m[packet + MEASURED]
    ranges = m[AT_RANGES] + 2 * (source * m[TERMINALS] + target)
    m[packet + LOW_VC], m[packet + HIGH_VC] = m[ranges], m[ranges + 1]
    m[packet + HOPS] = 0
    m[packet + NUMBER] = m[clock + NUMBERED]
    m[clock + NUMBERED] += 1
    m[clock + MADE_FLITS] += size
    m[row + S_PACKET], m[row + S_LEFT], m[row + S_VC] = number, size, -1
    note(m, t, packet, -1)


@inner
def _destination(m, source):
    """Draw by the cumulated shares of the source's row."""
    value = random(m, source)
    row = m[AT_SHARES] + source * m[TERMINALS]
    low, high = 0, m[TERMINALS]
    while low < high:
        middle = (low + high) // 2
        if m[row + middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def _generate(m, t, source):
    """Make the next packet of a source that has none: by chance per cycle since the last, from the trace, or from its queue."""
    row = m[AT_SOURCES] + W_SOURCE * source
    if m[MODE] == BY_CHANCE:
        chance = m[m[AT_THRESHOLD] + source]
        while m[row + S_TIME] <= t:
            m[row + S_TIME] += 1
            if chance > 0 and random(m, source) < chance:
                _make(m, t, source, _destination(m, source), m[PACKET_FLITS], m[row + S_TIME] - 1, 0)
                return
    elif m[row + S_NEXT] < m[row + S_END]:
        if m[MODE] == BY_TRACE:
            packet = m[AT_TRACE] + W_TRACE * m[row + S_NEXT]
            if m[packet] <= t:
                m[row + S_NEXT] += 1
                _make(m, t, source, m[packet + 2], m[packet + 3], m[packet], 0)
        else:
            packet = m[AT_QUEUE] + W_QUEUE * (source * m[QUEUE_ROWS] + m[row + S_NEXT] % m[QUEUE_ROWS])
            m[row + S_NEXT] += 1
            _make(m, t, source, m[packet], m[packet + 1], m[packet + 2], m[packet + 3])


@inner
def choose_vc(m, first, last_vc, packet, depth, room):
    """Return a free virtual channel behind a source with `room` flits left, the next one in turn; -1: none."""
    low, high = m[packet + LOW_VC], m[packet + HIGH_VC]
    width = high - low + 1
    start = last_vc - low if low <= last_vc <= high else width - 1
    for step in range(1, width + 1):
        channel = low + (start + step) % width
        row = m[AT_SOURCE_VC] + W_SOURCE_VC * (first + channel)
        if m[row + IN_USE] == 0 and depth - m[row + OCCUPIED] >= room:
            return channel
    return -1


@inner
def sources(m, t):
    """Make packets at terminals; those with their own port send a flit."""
    channels = m[CHANNELS]
    for source in range(m[TERMINALS]):
        row = m[AT_SOURCES] + W_SOURCE * source
        if m[row + S_PACKET] < 0:
            _generate(m, t, source)
        number = m[row + S_PACKET]
        if number < 0 or m[row + S_CHAIN] >= 0:
            continue
        packet = m[AT_PACKETS] + W_PACKET * number
        depth = m[m[AT_INPUTS] + W_INPUT * m[row + S_INPUT] + I_DEPTH]
        if m[row + S_VC] < 0:
            m[row + S_VC] = choose_vc(m, source * channels, m[row + S_LAST_VC], packet, depth, 1)
        if m[row + S_VC] < 0 or t < m[row + S_FREE]:
            continue
        behind = m[AT_SOURCE_VC] + W_SOURCE_VC * (source * channels + m[row + S_VC])
        if m[behind + OCCUPIED] >= depth:
            continue
        head = 1 if m[row + S_LEFT] == m[packet + SIZE] else 0
        if head:
            m[packet + SENT] = t
            m[row + S_LAST_VC] = m[row + S_VC]
        m[row + S_LEFT] -= 1
        m[row + S_SENT] += 1
        tail = 1 if m[row + S_LEFT] == 0 else 0
        m[behind + OCCUPIED] += 1
        m[behind + IN_USE] = 1 - tail
        push(
            m,
            (t + 1 + m[row + S_LATENCY]) % m[SLOTS],
            m[row + S_INPUT] * channels + m[row + S_VC],
            4 * number + 2 * head + tail,
        )
        m[row + S_FREE] = t + m[row + S_PERIOD]
        if tail:
            m[row + S_PACKET] = -1

"""Compiled: applications on top of the network, one cycle at a time (goyal-2023 sections 6.2.3 and 6.4.2).

A stage works on subframes, one at a time, and keeps two: its input buffer of 2 KB. What it made goes to the next stage as one
packet, once that has room for it (direct), or as packets of 64 bytes to the memory controller's chiplet, from where the next stage
reads it: out of the controller's buffer, or out of the memory's banks. Requests start when the transaction queue, and for the
memory the queue of their bank, has an entry for them, so nothing is ever refused at the controller.
"""

from engines.simulation.noc.columns import (
    A_BEFORE,
    A_BUSY,
    A_COMING,
    A_CYCLES,
    A_DONE,
    A_FLOW,
    A_INPUT,
    A_NEXT,
    A_OUTPUT,
    A_PERIOD,
    A_RATIO,
    A_READ,
    A_SINCE,
    A_SPREAD,
    A_START,
    A_STORED,
    A_TERMINAL,
    A_TO_READ,
    A_TO_SEND,
    A_TO_WRITE,
    A_UNIT,
    A_UNTIL,
    A_USED,
    A_WRITTEN,
    AT_BANK_QUEUES,
    AT_BANKS,
    AT_BUSY,
    AT_CLOCK,
    AT_INBOX,
    AT_LOG,
    AT_MEMORY,
    AT_QUEUE,
    AT_SOURCES,
    AT_STAGES,
    B_COUNT,
    B_FIRST,
    B_FREE,
    B_TAKEN,
    DIRECT,
    IN_INBOX,
    LOG_ROWS,
    LOGGED,
    M_ACCESS,
    M_BANK_CYCLES,
    M_BANK_ENTRIES,
    M_BANKS,
    M_ENTRIES,
    M_NEXT_BANK,
    M_SERVED,
    M_SERVING,
    M_TAKEN,
    M_TERMINAL,
    M_TURN,
    M_UNTIL,
    MOST_STAGES,
    MOST_STORED,
    PACKET_FLITS,
    PART_FLITS,
    PARTS,
    QUEUE_ROWS,
    READ,
    REPLY,
    S_END,
    S_NEXT,
    STAGES,
    VIA_MEMORY,
    W_BANK,
    W_INBOX,
    W_LOG,
    W_QUEUE,
    W_SOURCE,
    W_STAGE,
    WRITE,
)
from engines.simulation.noc.compiler import inner


@inner
def work(m, t):
    """Process arrived packets, the memory controller, then every stage."""
    for place in range(m[m[AT_CLOCK] + IN_INBOX]):
        _receive(m, t, m[m[AT_INBOX] + W_INBOX * place + 2])
    m[m[AT_CLOCK] + IN_INBOX] = 0
    _memory(m, t)
    stages = m[STAGES]
    for number in range(stages):
        _finish(m, t, number, m[AT_STAGES] + W_STAGE * number)
    for step in range(stages):  # the first of them, who gets an entry at the controller, takes turns
        number = (t + step) % stages
        stage = m[AT_STAGES] + W_STAGE * number
        _start(m, t, number, stage)
        _dispatch(m, t, number, stage)


@inner
def _enqueue(m, t, source, target, flits, tag):
    row = m[AT_SOURCES] + W_SOURCE * source
    packet = m[AT_QUEUE] + W_QUEUE * (source * m[QUEUE_ROWS] + m[row + S_END] % m[QUEUE_ROWS])
    m[packet], m[packet + 1], m[packet + 2], m[packet + 3] = target, flits, t, tag
    m[row + S_END] += 1


@inner
def _request(m, t, number, source, flits, kind):
    """Send a packet to the memory controller, if there are entries for it."""
    memory, row = m[AT_MEMORY], m[AT_SOURCES] + W_SOURCE * source
    if m[memory + M_TAKEN] >= m[memory + M_ENTRIES] or m[row + S_END] - m[row + S_NEXT] >= m[QUEUE_ROWS]:
        return False
    bank = m[memory + M_NEXT_BANK]
    taken = m[AT_BANKS] + W_BANK * bank + B_TAKEN
    if m[taken] >= m[memory + M_BANK_ENTRIES]:
        return False
    m[taken] += 1
    m[memory + M_TAKEN] += 1
    m[memory + M_NEXT_BANK] = (bank + 1) % m[memory + M_BANKS]
    tag = (4 * bank + kind) * MOST_STAGES + number
    if source == m[memory + M_TERMINAL]:  # within a chiplet nothing goes over the network
        _arrived(m, t, tag)
    else:
        _enqueue(m, t, source, m[memory + M_TERMINAL], flits, tag)
    return True


@inner
def _receive(m, t, tag):
    number, kind = tag % MOST_STAGES, tag // MOST_STAGES % 4
    stage = m[AT_STAGES] + W_STAGE * number
    if kind == DIRECT:
        m[stage + A_INPUT] += 1
        m[stage + A_COMING] -= 1
        m[m[AT_STAGES] + W_STAGE * m[stage + A_BEFORE] + A_OUTPUT] -= 1
    elif kind == REPLY:
        _read(m, stage)
    else:
        _arrived(m, t, tag)


@inner
def _read(m, stage):
    """Take a part at the stage that requested it; the last one makes a subframe."""
    m[stage + A_READ] += 1
    if m[stage + A_READ] == m[PARTS]:
        m[stage + A_READ] = 0
        m[stage + A_INPUT] += 1
        m[stage + A_COMING] -= 1


@inner
def _arrived(m, t, tag):
    """Take a request at the memory controller: to its bank's queue, or out of the buffer at once."""
    number, kind, bank = tag % MOST_STAGES, tag // MOST_STAGES % 4, tag // MOST_STAGES // 4
    through = number if kind == WRITE else m[m[AT_STAGES] + W_STAGE * number + A_BEFORE]
    if m[m[AT_STAGES] + W_STAGE * through + A_FLOW] == VIA_MEMORY:
        row = m[AT_BANKS] + W_BANK * bank
        depth = m[m[AT_MEMORY] + M_BANK_ENTRIES]
        m[m[AT_BANK_QUEUES] + bank * depth + (m[row + B_FIRST] + m[row + B_COUNT]) % depth] = tag
        m[row + B_COUNT] += 1
    else:
        _served(m, t, tag)


@inner
def _served(m, t, tag):
    """Finish a request: its entries are free, written data count, read data are sent."""
    number, kind, bank = tag % MOST_STAGES, tag // MOST_STAGES % 4, tag // MOST_STAGES // 4
    memory, stage = m[AT_MEMORY], m[AT_STAGES] + W_STAGE * number
    m[memory + M_TAKEN] -= 1
    m[m[AT_BANKS] + W_BANK * bank + B_TAKEN] -= 1
    if kind == READ:
        if m[memory + M_TERMINAL] == m[stage + A_TERMINAL]:
            _read(m, stage)
        else:
            _enqueue(m, t, m[memory + M_TERMINAL], m[stage + A_TERMINAL], m[PART_FLITS], REPLY * MOST_STAGES + number)
        return
    m[stage + A_WRITTEN] += 1
    if m[stage + A_WRITTEN] == m[PARTS]:
        m[stage + A_WRITTEN] = 0
        m[stage + A_OUTPUT] -= 1
        m[m[AT_STAGES] + W_STAGE * m[stage + A_NEXT] + A_STORED] += 1


@inner
def _memory(m, t):
    """Run one access after the other on the memory's bus, of the next bank in turn that is ready."""
    memory = m[AT_MEMORY]
    if m[memory + M_SERVING] >= 0 and t >= m[memory + M_UNTIL]:
        _served(m, t, m[memory + M_SERVING])
        m[memory + M_SERVING] = -1
    if m[memory + M_SERVING] >= 0:
        return
    banks = m[memory + M_BANKS]
    for step in range(banks):
        bank = (m[memory + M_TURN] + step) % banks
        row = m[AT_BANKS] + W_BANK * bank
        if m[row + B_COUNT] and t >= m[row + B_FREE]:
            depth = m[memory + M_BANK_ENTRIES]
            m[memory + M_SERVING] = m[m[AT_BANK_QUEUES] + bank * depth + m[row + B_FIRST]]
            m[memory + M_UNTIL] = t + m[memory + M_ACCESS]
            m[memory + M_SERVED] += 1
            tag = m[memory + M_SERVING]
            _log(m, t, tag // MOST_STAGES % 4, tag % MOST_STAGES, m[memory + M_TERMINAL], -5)
            m[memory + M_TURN] = (bank + 1) % banks
            m[row + B_FIRST] = (m[row + B_FIRST] + 1) % depth
            m[row + B_COUNT] -= 1
            m[row + B_FREE] = t + m[memory + M_BANK_CYCLES]
            return


@inner
def _finish(m, t, number, stage):
    """End a subframe."""
    unit = m[AT_BUSY] + m[stage + A_UNIT]
    if m[unit] != number or t < m[stage + A_UNTIL]:
        return
    m[unit] = -1
    m[stage + A_DONE] += 1
    _log(m, t, m[stage + A_DONE], number, m[stage + A_TERMINAL], -4)
    m[stage + A_USED] += 1
    if m[stage + A_USED] == m[stage + A_SPREAD]:
        m[stage + A_USED] = 0
        if m[stage + A_BEFORE] >= 0:
            m[stage + A_INPUT] -= 1
    m[stage + A_SINCE] += 1
    if m[stage + A_SINCE] == m[stage + A_RATIO]:
        m[stage + A_SINCE] = 0
        if m[stage + A_NEXT] >= 0:
            m[stage + A_OUTPUT] += 1
            m[stage + A_TO_SEND] += 1


@inner
def _ready(m, t, stage):
    """Return whether the input is there and the output has room."""
    ready = m[stage + A_INPUT] > 0 if m[stage + A_BEFORE] >= 0 else t >= m[stage + A_START]
    return ready and m[stage + A_OUTPUT] < 2


@inner
def _start(m, t, number, stage):
    """Begin of a subframe, if the unit is free; of several ready stages on it, the one that has waited longest."""
    unit = m[AT_BUSY] + m[stage + A_UNIT]
    if m[unit] >= 0 or not _ready(m, t, stage):
        return
    for place in range(m[STAGES]):
        other = m[AT_STAGES] + W_STAGE * place
        if m[other + A_UNIT] == m[stage + A_UNIT] and m[other + A_UNTIL] < m[stage + A_UNTIL] and _ready(m, t, other):
            return
    m[unit] = number
    m[stage + A_UNTIL] = t + m[stage + A_CYCLES]
    m[stage + A_START] = max(m[stage + A_START] + m[stage + A_PERIOD], t)
    m[stage + A_BUSY] += m[stage + A_CYCLES]
    _log(m, t, m[stage + A_DONE], number, m[stage + A_TERMINAL], -3)


@inner
def _dispatch(m, t, number, stage):
    """Send to the next stage, or in parts to the memory controller and from there; one request in a cycle."""
    source, after = m[stage + A_TERMINAL], m[AT_STAGES] + W_STAGE * m[stage + A_NEXT]
    if m[stage + A_TO_SEND]:
        if m[stage + A_FLOW] != DIRECT:
            if m[after + A_STORED] < m[MOST_STORED]:
                m[stage + A_TO_WRITE] += m[PARTS]
                m[stage + A_TO_SEND] -= 1
        elif m[after + A_INPUT] + m[after + A_COMING] >= 2:
            pass
        elif source == m[after + A_TERMINAL]:
            m[after + A_INPUT] += 1
            m[stage + A_OUTPUT] -= 1
            m[stage + A_TO_SEND] -= 1
        else:
            m[after + A_COMING] += 1
            m[stage + A_TO_SEND] -= 1
            _enqueue(m, t, source, m[after + A_TERMINAL], m[PACKET_FLITS], DIRECT * MOST_STAGES + m[stage + A_NEXT])
    if m[stage + A_TO_WRITE] and _request(m, t, number, source, m[PART_FLITS], WRITE):
        m[stage + A_TO_WRITE] -= 1
    if m[stage + A_STORED] and m[stage + A_TO_READ] == 0 and m[stage + A_INPUT] + m[stage + A_COMING] < 2:
        m[stage + A_STORED] -= 1
        m[stage + A_COMING] += 1
        m[stage + A_TO_READ] = m[PARTS]
    if m[stage + A_TO_READ] and _request(m, t, number, source, 1, READ):
        m[stage + A_TO_READ] -= 1


@inner
def _log(m, t, count, number, terminal, what):
    logged = m[AT_CLOCK] + LOGGED
    if m[logged] < m[LOG_ROWS]:
        row = m[AT_LOG] + W_LOG * m[logged]
        m[row], m[row + 1], m[row + 2], m[row + 3], m[row + 4] = t, count, number, terminal, what
        m[logged] += 1

"""Where things stand in the memory of a simulation, one array of integers.

It starts with where its tables start (`AT_...`) and how large these are; of the tables, columns by name and the width of a row. A
flit is one number: 4 * packet + 2 * (head) + (tail).
"""

# The first places: where each table starts (in the order of `memory.TABLES`).
AT_CLOCK, AT_SUMS, AT_HISTOGRAM, AT_ACCEPTED, AT_STREAMS, AT_THRESHOLD, AT_SHARES, AT_TRACE = range(8)
AT_QUEUE, AT_INBOX, AT_LOG, AT_VC, AT_BUFFERS, AT_OUT_VC, AT_SOURCE_VC, AT_INPUTS = range(8, 16)
AT_OUTPUTS, AT_ROUTERS, AT_ASKING, AT_SENDING, AT_ROUTE, AT_RANGES, AT_SOURCES, AT_PACKETS = range(16, 24)
AT_FREE, AT_FLITS, AT_FLIT_COUNT, AT_CREDITS, AT_CREDIT_COUNT, AT_CHAINS, AT_MEMBERS, AT_FLOWS = range(24, 32)
AT_SEGMENTS, AT_RESERVED, AT_RING_BUFFERS, AT_RING_QUEUES, AT_SCRATCH, AT_SCRATCH_INPUTS = range(32, 38)
AT_STAGES, AT_BUSY, AT_MEMORY, AT_BANKS, AT_BANK_QUEUES, AT_PASSED = range(38, 44)
# Sizes that rows of several tables depend on.
CHANNELS, TERMINALS, ROUTERS, CHAINS, DEPTH, SLOTS, AT_ONCE, ASKERS, ALL_OUTPUTS_VC = range(44, 53)
RING_DEPTH, MOST_MEMBERS, LOG_ROWS, QUEUE_ROWS, INBOX_ROWS, MODE, PACKET_FLITS = range(53, 60)
FIRST_TERMINAL, FIRST_RING, FIRST_MEMBER = range(
    60, 63
)  # numbers of the places where flits go: after buffers, after terminals, ...
STAGES, PARTS, PART_FLITS, MOST_STORED = range(63, 67)
HEADER = 67

# A virtual channel at an input.
STATE, OUT, OUT_VC, FIRST, COUNT, ACCEPT, INPUT, LOCAL, STAMP, WON, KEY = range(11)
W_VC = 11
IDLE, ASKING, ACTIVE = 0, 1, 2
# Of what is claimed in a cycle, behind its stamp always the least key and who has it (`routers._claim`).
# A virtual channel behind an output; the first two, behind a source.
IN_USE, OCCUPIED, GRANT, O_STAMP, O_KEY, O_BEST = range(6)
W_OUT_VC, W_SOURCE_VC = 6, 2
# An input.
I_ROUTER, I_LOCAL, I_CREDIT, I_LATENCY, I_ACCEPT, I_TURN, I_STAMP, I_KEY, I_BEST, I_DEPTH = range(10)
W_INPUT = 10
# An output.
P_ROUTER, P_LOCAL, P_TARGET, P_LATENCY, P_PERIOD, P_FREE, P_GRANT, P_STAMP, P_KEY, P_BEST, P_DEPTH, P_FLITS = range(12)
W_OUTPUT = 12
# A router.
R_INPUTS, R_OUTPUTS, R_ASKING, R_SENDING = range(4)
W_ROUTER = 4
# A terminal.
(
    S_PACKET,
    S_LEFT,
    S_VC,
    S_LAST_VC,
    S_INPUT,
    S_LATENCY,
    S_PERIOD,
    S_FREE,
    S_TIME,
    S_CHAIN,
    S_PLACE,
    S_OUTPUT,
    S_NEXT,
    S_END,
    S_SENT,
) = range(15)
W_SOURCE = 15
# A packet.
SOURCE, TARGET, MADE, SIZE, MEASURED, LOW_VC, HIGH_VC, HOPS, SENT, NUMBER, TAG = range(11)
W_PACKET = 11
# A mini-chain, and a flow on its ring.
C_INPUT, C_OUTPUT, C_MEMBERS, C_SHAKE, C_LATENCY, C_PERIOD, C_TURN, C_LAST_VC = range(8)
W_CHAIN = 8
F_ON, F_NEXT, F_FROM, F_STEPS, F_VC, F_DONE = range(6)
W_FLOW = 6
# A stage of an application.
A_TERMINAL, A_CYCLES, A_BEFORE, A_NEXT, A_FLOW, A_RATIO, A_PERIOD, A_START, A_UNTIL, A_DONE, A_BUSY = range(11)
A_INPUT, A_COMING, A_STORED, A_READ, A_WRITTEN, A_OUTPUT, A_SINCE, A_TO_SEND, A_TO_WRITE, A_TO_READ = range(11, 21)
A_UNIT, A_SPREAD, A_USED = range(21, 24)
W_STAGE = 24
MOST_STAGES = 4096
DIRECT, VIA_BUFFER, VIA_MEMORY = 0, 1, 2  # how subframes reach the next stage
WRITE, READ, REPLY = 1, 2, 3  # parts of them; as packets, DIRECT is a whole one
# The memory controller, and a bank behind it.
M_TERMINAL, M_ENTRIES, M_BANK_ENTRIES, M_BANKS, M_ACCESS, M_BANK_CYCLES = range(6)
M_TAKEN, M_NEXT_BANK, M_SERVING, M_UNTIL, M_TURN, M_SERVED = range(6, 12)
W_MEMORY = 12
B_FIRST, B_COUNT, B_FREE, B_TAKEN = range(4)
W_BANK = 4
# Single numbers.
NOW, FREE, NUMBERED, PHASE, DRAIN_TIME, OPEN, LOGGED, MADE_FLITS, GOT_FLITS, FLIT_HOPS, IN_INBOX = range(11)
W_CLOCK = 11
WARMING, RUNNING, DRAINING = 0, 1, 2
# Sums over packets.
N_PACKETS, SUM_LATENCY, SUM_NETWORK, SUM_HOPS, LEAST, MOST = range(6)
W_SUMS = 6
BINS = 4096  # of the histogram of latencies, one cycle each; the last one holds all above
W_TRACE, W_QUEUE, W_INBOX, W_LOG = 4, 4, 3, 6
BY_CHANCE, BY_TRACE, BY_QUEUE = 0, 1, 2

"""Networks between chiplets: topologies as data, bounds without a simulation, and a cycle-accurate simulation.

Docs: docs/network-simulation.md. Sources: goyal-2023 chapter 6 (hub, mini-chains, applications); the router is the input-queued
one of BookSim 2 (Jiang et al., ISPASS 2013), with whose curves it is compared.
"""

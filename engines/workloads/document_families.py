"""Scenarios and networks as families of documents."""

from __future__ import annotations

from engines.workloads.builtins import builtin_networks, builtin_scenarios
from engines.workloads.loader import load_network, load_scenario
from engines.workloads.schema import NetworkDocument, ScenarioDocument
from engines.workloads.summary import network_in_words, scenario_in_words
from hardware.family import DocumentFamily

SCENARIO = DocumentFamily(
    "scenario",
    "workload",
    "Scenario",
    "Scenarios",
    load_scenario,
    scenario_in_words,
    ScenarioDocument,
    builtin_scenarios,
)
NETWORK = DocumentFamily(
    "network", "workload", "Network", "Networks", load_network, network_in_words, NetworkDocument, builtin_networks
)

"""Sensor nodes as a family of documents."""

from __future__ import annotations

from hardware.family import DocumentFamily
from hardware.sensor_node.loader import builtin_sensor_nodes, load_sensor_node
from hardware.sensor_node.schema import SensorNodeDocument
from hardware.sensor_node.summary import sensor_node_words

SENSOR_NODE = DocumentFamily(
    "sensor-node",
    "hardware",
    "Sensor node",
    "Sensor nodes",
    load_sensor_node,
    sensor_node_words,
    SensorNodeDocument,
    builtin_sensor_nodes,
)

"""Measures networks on this machine for a site of Paretoscope. Needs onnxruntime and numpy, and nothing else of the product."""

VERSION = "0.1.0"

"""Networks from files and frameworks: ONNX, PyTorch modules, field formats."""

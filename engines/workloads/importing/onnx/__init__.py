"""Reader of ONNX files."""

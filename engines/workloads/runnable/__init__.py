"""Networks of the catalogue as ONNX files that a runtime executes: shapes and operators from their definition, weights drawn."""

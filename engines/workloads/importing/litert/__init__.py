"""LiteRT files (`.tflite`) as networks."""

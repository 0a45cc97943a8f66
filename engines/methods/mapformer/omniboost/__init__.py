"""OmniBoost (Karatzas and Anagnostopoulos, DAC 2023): a small convolutional network that predicts throughput of a mapping."""

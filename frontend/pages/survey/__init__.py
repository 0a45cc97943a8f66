"""Which board or package is worth a closer look for a network: one field in, a front across devices out."""

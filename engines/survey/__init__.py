"""One network priced on many devices at once: which board or package is worth a closer look."""

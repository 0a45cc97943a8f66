"""MyML: a network pruned on the device for the classes that its user sees (goyal-2023 chapter 4)."""

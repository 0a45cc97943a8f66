"""Seesaw: the rate of a sensor that takes much power, predicted from sensors that take little (goyal-2023, chapter 3)."""

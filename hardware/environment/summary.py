"""An environment in a few words, for lists and pickers."""

from __future__ import annotations

from hardware.environment.model import Environment, Profile


def environment_words(environment: Environment) -> str:
    """Return the duration and the changing values: "2 h: Power for the application 12 to 32 W"."""
    profiles = ", ".join(_profile_words(profile) for profile in environment.profiles.values())
    return f"{duration_words(environment.duration_s)}: {profiles}"


def duration_words(duration_s: float) -> str:
    """Return a duration in the largest unit of which it has at least one: "90 s", "2 h"."""
    for unit, seconds in (("d", 86_400.0), ("h", 3600.0), ("min", 60.0)):
        if duration_s >= 2 * seconds or duration_s == seconds:
            return f"{duration_s / seconds:.3g} {unit}"
    return f"{duration_s:.3g} s"


def _profile_words(profile: Profile) -> str:
    factor, unit = (100.0, "%") if profile.unit == "share" else (1.0, profile.unit if profile.unit != "1" else "")
    low, high = profile.values.min() * factor, profile.values.max() * factor
    span = f"{low:.3g}" if low == high else f"{low:.3g} to {high:.3g}"
    return f"{profile.title} {span} {unit}".rstrip()

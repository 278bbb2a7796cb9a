"""Options that several loads share."""

from __future__ import annotations

from mubo.elements.declare import Option

AXES = Option("axes", ("ground", "body"), "axes in which the direction is fixed", default="ground", required=False)
FORCE = Option(
    "force", "law", "size of the force over time or motion", measures="force", over="motion", example="1 + t"
)
TORQUE = Option(
    "torque", "law", "size of the torque over time or motion", measures="torque", over="motion", example="0.3"
)


def coefficient(name: str, meaning: str, measures: str, example: float) -> Option:
    """A number that multiplies a displacement or a rate: zero where it is left out, and noted where it is negative."""
    return Option(
        name, "number", meaning, measures=measures, default=0.0, required=False, usual_least=0.0, example=example
    )


def preload(place: str, meaning: str, measures: str, example: float) -> Option:
    """The force of a spring at the place without its stiffness."""
    return Option(
        "preload", "number", f"{meaning} at `{place}`", measures=measures, default=0.0, required=False, example=example
    )

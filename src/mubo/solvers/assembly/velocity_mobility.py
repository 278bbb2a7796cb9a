"""Mechanisms whose equations constrain velocities and not positions: their position depends on the path.

A wheel that rolls can be put anywhere on its plane in any orientation, although at every moment only few velocities are
possible (nonholonomic constraints). The mobility of positions, by the equations on positions alone, is then larger than
that of velocities, by all equations.
"""

from __future__ import annotations

from dataclasses import replace

from mubo.errors import RedundancyError
from mubo.mechanism import Mechanism
from mubo.mechanism.rows import elements_of, join_words
from mubo.solvers.assembly.mobility import MobilityAnalysis


def velocity_elements(mechanism: Mechanism) -> tuple[str, ...]:
    """Elements that constrain velocities alone: "joint road" and others."""
    whole = replace(mechanism, positions_only=False)
    marks = zip(whole.equations, whole.on_velocities, strict=True)
    return elements_of(equation for equation, on_velocities in marks if on_velocities)


def path_dependence_error(
    mechanism: Mechanism, positions: MobilityAnalysis, velocities: MobilityAnalysis
) -> RedundancyError:
    """Error of a model whose positions follow from its velocities only along a path."""
    owners, count = velocity_elements(mechanism), velocities.undriven_dofs
    left = "its drivers determine all velocities, but"
    if count:
        what = (
            "1 degree of freedom of its velocities is"
            if count == 1
            else f"{count} degrees of freedom of its velocities are"
        )
        left = f"{what} not driven, and"
    return RedundancyError(
        f"{join_words(owners)} constrain{'s' * (len(owners) == 1)} velocities and not positions: {left} the position "
        f"depends on the path (mobility of positions {positions.mobility}, of velocities {velocities.mobility})",
        names=[owner.split(" ", 1)[1] for owner in owners],
        numbers={"positions": positions.mobility, "velocities": velocities.mobility},
        suggestion="Use simulate, which integrates the velocities from an initial position"
        + ("." if not count else ", or drive them all: then kinematics does."),
    )

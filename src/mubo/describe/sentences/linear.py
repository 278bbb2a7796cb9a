"""Sentences on linearised motions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mubo.mechanism.rows import join_words
from mubo.quantities.units import Units
from mubo.solvers.continuation.linear_algebra import format_amount


def inertias_differ(factor: float) -> str:
    """Inertias of the free motions differ by many orders of magnitude."""
    return (
        f"inertias of the free motions differ by a factor of {factor:.1e}: the fastest modes are those "
        "of the lightest bodies"
    )


def coulomb_left_out(forces: Sequence[str]) -> str:
    """Coulomb friction has no derivative at rest."""
    return (
        f"{join_words(forces)}: the Coulomb part is left out, a viscous part kept: vibrations below its limit stick, "
        "larger ones decay faster than computed"
    )


def amplitude(mode: int, size: float) -> str:
    """A vibration mode is shown with an amplitude that is chosen."""
    return f"mode {mode} is shown with amplitude {size:.3g}; linearisation gives its shape, not its size"


def not_an_equilibrium(accelerations: Mapping[str, tuple[float, str]], dofs: Sequence[str], units: Units) -> str:
    """Loads accelerate degrees of freedom: by name the acceleration and the kind of the coordinate."""
    parts = [f"{name} by {format_amount(*one, units, order=2)}" for name, one in accelerations.items()]
    return (
        f"not an equilibrium: the loads accelerate {join_words(parts)}; the linearised motion is relative to that "
        f"motion, at its first moment, and its roots depend on the degrees of freedom, here {join_words(dofs)}: "
        "`dofs` names others"
    )


def ignorable(coordinates: Sequence[str]) -> str:
    """Rolling contacts give rates of coordinates on which nothing depends."""
    count = len(coordinates)
    return (
        f"{join_words(coordinates)} {'are' if count > 1 else 'is'} ignorable: the rolling contacts give their rates, "
        f"and nothing depends on them ({count} zero root{'s' * (count > 1)} beside those of the matrices)"
    )


def initial_is_estimate(names: Sequence[str]) -> str:
    """Joints and drivers do not allow the initial position."""
    return f"[initial] of {join_words(names)}: joints and drivers do not allow it exactly: taken as an estimate"

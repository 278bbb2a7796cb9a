"""Sentences on the first position and on redundant equations."""

from __future__ import annotations


def estimates_far(away: float) -> str:
    """Estimates are so far from the closed position that they choose no branch."""
    return (
        f"estimates are up to {away:.3g} sizes of the mechanism or radians away from where it closes: "
        "they do not determine the branch; closer ones do"
    )


def modes_equally_near(away: float, rival: float) -> str:
    """Two assembly modes are about equally near to the estimates."""
    return (
        f"two assembly modes are about equally near to the estimates, {away:.3g} and {rival:.3g} "
        "away in sizes of the mechanism and radians: the nearer one is taken; closer estimates decide"
    )

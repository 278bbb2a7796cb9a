"""Exact closure of the loops of a deck: lengths, angles within links and the frame stay, and the links are turned.

Unknown are the rotations x of the links: Σ ± z e^{ix} = 0 for every loop, two equations for two links, by Newton's
method from where the cards have them. The driver stays as it is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.arrays import Array
from mubo.errors import AssemblyError, SingularityError
from mubo.legacy.okins1964.linkage import VectorLinkage, vector_name

MOST_STEPS = 50
SINGULAR = 1e-3  # of the largest singular value
OPEN = 1e-12  # of the longest vector: what rounding may leave open
LARGE = 2.0  # degrees by which a link may be turned without a warning


def closing_rotations(linkage: VectorLinkage) -> dict[str, float]:
    """Degrees by which each link is turned, by its name; raises where the links cannot close all loops."""
    links = [name for name in linkage.groups if name != "crank"]
    owner = {v: links.index(name) for name, group in linkage.groups.items() if name in links for v in group}
    x = np.zeros(len(links))
    for _ in range(MOST_STEPS):
        gaps, jacobian = _equations(linkage, owner, x)
        values = np.linalg.svd(jacobian, compute_uv=False)
        if values[-1] <= 1e-14 * values[0]:
            break
        change = np.linalg.solve(jacobian, gaps)
        x = x - change
        if np.max(np.abs(change)) < 1e-15 * (1 + np.max(np.abs(x))):
            break
    gaps, _ = _equations(linkage, owner, x)
    if not np.max(np.abs(gaps)) <= OPEN * max(linkage.lengths):
        raise _refusal(linkage, owner, links)
    return {name: float(np.degrees(turn)) for name, turn in zip(links, x, strict=True)}


def rotate_links(linkage: VectorLinkage, turned: dict[str, float]) -> VectorLinkage:
    """The linkage with its links turned."""
    angles = list(linkage.angles)
    for name, turn in turned.items():
        for vector in linkage.groups[name]:
            angles[vector - 1] += turn
    return replace(linkage, angles=tuple(angles))


def closing_note(linkage: VectorLinkage, turned: dict[str, float]) -> tuple[str, ...]:
    """A note on the link that was turned most, where closing turned any."""
    most = max(turned, key=lambda name: abs(turned[name]))
    if abs(turned[most]) <= 1e-9:
        return ()
    more = "; look at the lengths and directions" if abs(turned[most]) > LARGE else ""
    name = vector_name(min(linkage.groups[most]))
    return (f"the loops are closed by turning links, {name} by {turned[most]:.4g} deg at most{more}",)


def _equations(linkage: VectorLinkage, owner: dict[int, int], x: Array) -> tuple[Array, Array]:
    """The gaps of the loops, x and y of each in turn, and their derivatives by the rotations."""
    gaps = np.zeros(len(linkage.loops), complex)
    jacobian = np.zeros((len(linkage.loops), len(x)), complex)
    for row, loop in enumerate(linkage.loops):
        for vector in loop.vectors:
            link = owner.get(abs(vector))
            z = linkage.vector(vector) * (1 if link is None else np.exp(1j * x[link]))
            gaps[row] += z
            if link is not None:
                jacobian[row, link] += 1j * z
    return _real(gaps), _real(jacobian)


def _real(values: Array) -> Array:
    """Real and imaginary parts of every line, one below the other."""
    return np.stack([values.real, values.imag], 1).reshape(2 * len(values), *values.shape[1:])


def _refusal(linkage: VectorLinkage, owner: dict[int, int], links: list[str]) -> AssemblyError | SingularityError:
    """The error of loops that cannot be closed: the position is singular, or a loop stays open."""
    gaps, jacobian = _equations(linkage, owner, np.zeros(len(links)))
    _, values, right = np.linalg.svd(jacobian)
    kind = linkage.drive.kind if linkage.drive is not None else "driver"
    if values[-1] <= SINGULAR * values[0]:
        moves = np.abs(right[-1])
        names = [vector_name(min(linkage.groups[links[k]])) for k in np.flatnonzero(moves > 1e-3 * moves.max())]
        return SingularityError(
            f"the deck starts at a singular position: {' and '.join(names)} can move while the {kind} is fixed",
            names=names,
            suggestion="Start a little before or after it.",
        )
    open_by = np.abs(gaps.reshape(-1, 2)).max(axis=1)
    worst = int(np.argmax(open_by)) + 1
    return AssemblyError(
        f"the loops cannot be closed together by turning the links; loop {worst} is open by {open_by[worst - 1]:.3g}",
        names=[f"loop {worst}"],
        numbers={"gap": float(open_by[worst - 1])},
        suggestion="`mubo check` shows the misclosure of every loop, and what each vector would have to be.",
    )

"""Whether the diagrams of a beam close: mass, centre and inertia of its body against those of the line."""

from __future__ import annotations

import math

import numpy as np

from mubo.applications.strength.beams import Beam, pieces_of
from mubo.applications.strength.force_history import Seen
from mubo.applications.strength.links import STATIONS, Link
from mubo.model import ModelDefinition

NONE = 1e-9  # of the largest force times the length: a moment that is rounding
CLOSED = 1e-6  # of the largest force and moment along the beam: a smaller gap is none


def closing_note(model: ModelDefinition, link: Link, seen: Seen) -> str:
    """A note on the residual at the end of the beam, and why; empty where its diagrams close."""
    pieces = pieces_of(link.beam, seen)
    force, moment = float(np.nanmax(pieces.gap_force)), float(np.nanmax(pieces.gap_moment))
    along = pieces.at(np.linspace(0, link.beam.length, 2 * STATIONS + 1))
    pull, cut, bend = (float(np.nanmax(np.abs(part), initial=0.0)) for part in along)
    size = max(pull, cut)
    if force <= CLOSED * size and moment <= CLOSED * max(bend, NONE * size * link.beam.length):
        return ""
    units = model.units
    left = f"{force:.4g} {units.of('force')}".strip() + f" ({force / size:.2g} of its largest force)"
    turn = f"{moment:.4g} {units.of('torque')}".strip() + f" ({moment / bend:.2g} of its largest moment)"
    gap = f"{left} and {turn} are left at {link.beam.points[-1]}"
    return f"section {link.owner}: its diagrams do not close: {gap}: {_why(model, link.beam)}"


def _why(model: ModelDefinition, beam: Beam) -> str:
    """The difference between the body and a bar along its line."""
    body = model.bodies[beam.body].own
    lengths = np.diff(beam.starts)
    middles = (beam.corners[1:] + beam.corners[:-1]) / 2
    centre = lengths @ middles / beam.length
    about = float(np.sum(lengths**3 / 12 + lengths * np.sum((middles - centre) ** 2, axis=1)))
    even = beam.mass * about / beam.length
    given = np.array(body.center or (0.0, 0.0))
    out = []
    if math.dist(given, centre) > 1e-9 * beam.length:
        out.append(f"its centre of mass is {math.dist(given, centre):.4g} away from that of an even line")
    inertia = (body.inertia or (0.0,))[0]
    if not math.isclose(inertia, even, rel_tol=1e-9):
        out.append(f"its inertia is {inertia:.5g} and that of an even line {even:.5g}")
    return " and ".join(out) or "forces act on it that do not enter the beam"

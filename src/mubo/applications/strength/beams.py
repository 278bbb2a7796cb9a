"""A link as a beam: its line through named points, and N, V, M along it at any instant.

The beam is cut at s. On the part before the cut act what enters there and the weight and inertia of its own mass,

    q(s) = µ (g − a(s)),   a(s) = a₀ + α × r + ω × (ω × r),   µ = m/L,

which is linear in s along a straight part. With R their sum and H their moment about the origin of the body,

    N = −R·e (tension positive),   V = R·n,   M = P(s) × R − H,   dM/ds = V,

e along the beam, n to its left; M > 0 stretches the right side. All in the axes of the body. Behind the last entry R
and M must vanish: they do where mass, centre and inertia of the body are those of the line, else the gap is reported.
"""

from __future__ import annotations

import numpy as np

from mubo.applications.strength.force_history import ForceSample
from mubo.applications.strength.section_loads import Entry, entries_of
from mubo.applications.strength.sections import Section, section_of
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.model import ModelDefinition
from mubo.model.parts import Detail

BESIDE = 1e-9  # of its length: in front of a place
EMPTY = 1e-12  # of its length: a piece that is none, between entries at one place
NEAR = 1e-10  # of its length: an entry as close to a corner is at it
OFF = 1e-6  # of its length: an entry farther from the beam than this is not on it


@dataclass(frozen=True)
class Beam:
    """The line of a body through its points, its mass per length, and its section."""

    body: str
    points: tuple[str, ...]
    corners: Array  # in body axes: points × 2
    mass: float
    added: tuple[tuple[float, Array], ...]  # point masses with their places
    lugs: tuple[tuple[str, tuple[float, ...]], ...]
    torque_at: str | None
    section: Section
    detail: Detail

    @cached_property
    def starts(self) -> Array:
        """Length along the beam at every corner."""
        return np.append(0.0, np.cumsum(np.linalg.norm(np.diff(self.corners, axis=0), axis=1)))

    @property
    def length(self) -> float:
        return float(self.starts[-1])

    @cached_property
    def along(self) -> Array:
        """Unit vectors of the straight parts."""
        steps = np.diff(self.corners, axis=0)
        return np.asarray(steps / np.linalg.norm(steps, axis=1)[:, None])

    @property
    def straight(self) -> bool:
        return len(self.along) == 1 or bool(np.all(self.along @ self.along[0] > 1 - 1e-12))

    def part(self, s: Array) -> Array:
        """The number of the straight part at a length along the beam."""
        return np.clip(np.searchsorted(self.starts, s, side="right") - 1, 0, len(self.along) - 1)

    def place(self, s: Array) -> Array:
        """The place at a length along the beam, in body axes."""
        k = self.part(s)
        return np.asarray(self.corners[k] + (s - self.starts[k])[..., None] * self.along[k])

    def foot(self, at: Array) -> tuple[Array, Array]:
        """The length along the beam nearest to places (times × 2), and how far they are from it."""
        arms = at[:, None] - self.corners[:-1]
        gone = np.clip(np.einsum("tkj,kj->tk", arms, self.along), 0, np.diff(self.starts))
        away = np.linalg.norm(arms - gone[..., None] * self.along, axis=2)
        k = np.argmin(away, axis=1)
        rows = np.arange(len(at))
        s = self.starts[k] + gone[rows, k]
        for corner in self.starts:  # without what rounding leaves
            s = np.where(np.abs(s - corner) <= NEAR * self.length, corner, s)
        return np.asarray(s), np.asarray(away[rows, k])


def beam_of(model: ModelDefinition, detail: Detail) -> Beam:
    """The beam that a body is, from its section; raises where its line is not determined."""
    body = model.bodies[detail.name]
    names = detail["along"] or _pins(model, body.name)
    corners = np.array([body.points[name] for name in names], float)
    own = body.own
    added = tuple((mass, np.array(body.points[name])) for name, mass in body.added.items())
    lugs = tuple((name, body.points[name]) for name in detail["lugs"] or ())
    return Beam(
        body.name, tuple(names), corners, own.mass or 0.0, added, lugs, detail["torque_at"], section_of(detail), detail
    )


def _pins(model: ModelDefinition, body: str) -> tuple[str, ...]:
    """The two points at which joints connect the body."""
    ends = {reference for joint in model.joints.values() for reference in joint.between}
    names = tuple(name for name in model.bodies[body].points if f"{body}.{name}" in ends)
    if len(names) != 2:
        found = f"{', '.join(names)} are joined" if len(names) > 1 else f"{', '.join(names) or 'no point'} is joined"
        raise ModelError(
            f"section {body}: a beam leads from one joint to another, and of this body {found}",
            names=[body],
            suggestion="Name the points that the beam goes through, in turn: along = [...]"
            + (", and those beside it: lugs = [...]." if len(names) > 2 else "."),
        )
    return names


@dataclass(frozen=True)
class InternalForces:
    """N, V, M along a beam in pieces between breaks: polynomials of u = s − start, lowest power first.

    `start` and `length` are times × pieces; `n`, `v` and `m` times × pieces × powers. `gap_force` and `gap_moment` are
    what is left at the end of the beam.
    """

    t: Array
    start: Array
    length: Array
    n: Array
    v: Array
    m: Array
    gap_force: Array
    gap_moment: Array

    def at(self, s: Array) -> tuple[Array, Array, Array]:
        """N, V, M at lengths along the beam, the same ones at all times or others (times × lengths): times × lengths
        each; at a break those behind it, at the end before it."""
        none = EMPTY * float(self.start.max())
        begun = (self.start[:, None, :] <= np.atleast_2d(s)[:, :, None] + none) & (self.length > none)[:, None, :]
        piece = begun.shape[2] - 1 - np.argmax(begun[:, :, ::-1], axis=2)
        rows = np.arange(len(self.t))[:, None]
        u = np.atleast_2d(s) - self.start[rows, piece]
        n, v, m = (value(polynomial[rows, piece], u) for polynomial in (self.n, self.v, self.m))
        return n, v, m

    def sample_lengths(self, parts: int) -> Array:
        """Lengths along the beam where curves over it are sampled: even ones, and both sides of each place at which
        forces enter and N, V, M jump or have a corner, as far as it does not move along the beam."""
        end = float(np.nanmax(self.start + self.length))
        first, last = np.nanmin(self.start, axis=0), np.nanmax(self.start, axis=0)
        entered = last[last - first <= EMPTY * end]
        before = entered[entered > 0] - BESIDE * end
        return np.unique(np.concatenate([np.linspace(0, end, parts + 1), entered, before]))


def value(polynomial: Array, u: Array) -> Array:
    """A polynomial, lowest power first along the last axis."""
    out = np.zeros(np.broadcast_shapes(polynomial.shape[:-1], u.shape))
    for power in range(polynomial.shape[-1] - 1, -1, -1):
        out = out * u + polynomial[..., power]
    return np.asarray(out)


def pieces_of(beam: Beam, sample: ForceSample) -> InternalForces:
    """N, V, M of a beam at the times of a sample."""
    return sample.once(("pieces", beam.body), lambda: _pieces(beam, sample))


def _pieces(beam: Beam, sample: ForceSample) -> InternalForces:
    entries = entries_of(sample, beam.body, beam.torque_at)
    feet = [_foot(beam, entry) for entry in entries]
    pull, spin = _field(beam, sample)
    for mass, at in beam.added:
        force = mass * (pull + np.einsum("tij,j->ti", spin, at))
        place = np.broadcast_to(at, force.shape)
        entries.append(Entry("added mass", place, force, np.zeros(len(force))))
        feet.append(_foot(beam, entries[-1]))
    s = np.stack(feet, axis=1) if feet else np.zeros((len(sample.t), 0))
    fixed = np.broadcast_to(beam.starts, (len(sample.t), len(beam.starts)))
    breaks = np.sort(np.concatenate([fixed, s], axis=1), axis=1)
    return _cut(beam, sample.t, entries, s, breaks, pull, spin)


def _foot(beam: Beam, entry: Entry) -> Array:
    """Where an entry is on the beam; raises beside it unless a lug leads there."""
    s, away = beam.foot(entry.at)
    for _, at in beam.lugs:
        away = np.where(np.linalg.norm(entry.at - at, axis=1) <= OFF * beam.length, 0.0, away)
    if np.nanmax(away, initial=0.0) > OFF * beam.length:
        far = float(np.nanmax(away))
        raise ModelError(
            f"section {beam.body}: {entry.name} acts {far:.4g} beside the beam {'–'.join(beam.points)}",
            names=[beam.body],
            suggestion="Lead the beam through its point with along = [...], or name the point among its lugs.",
        )
    return s


def _field(beam: Beam, sample: ForceSample) -> tuple[Array, Array]:
    """g − a = b + B r in body axes: b (times × 2) and B = [[ω², α], [−α, ω²]]."""
    state = sample.motion_of(beam.body)
    gravity = np.array(sample.solver.form.model.gravity or (0.0, 0.0))
    pull = np.einsum("tij,ti->tj", sample.axes(beam.body), gravity - state[:, 2, :2])
    square, alpha = state[:, 1, 2] ** 2, state[:, 2, 2]
    spin = np.stack([np.stack([square, alpha], -1), np.stack([-alpha, square], -1)], -2)
    return pull, spin


def _cut(
    beam: Beam, t: Array, entries: list[Entry], s: Array, breaks: Array, pull: Array, spin: Array
) -> InternalForces:
    """The polynomials of every piece, from what acts before its start."""
    density = beam.mass / beam.length
    left, right = breaks[:, :-1], breaks[:, 1:]
    k = beam.part(0.5 * (left + right))  # a break on a corner belongs to the part behind it
    e = beam.along[k]
    place = beam.corners[k] + (left - beam.starts[k])[..., None] * e
    c = density * (pull[:, None] + np.einsum("tij,tpj->tpi", spin, place))
    d = density * np.einsum("tij,tpj->tpi", spin, e)
    u = (right - left)[..., None]
    sums = np.cumsum(u * c + u**2 / 2 * d, axis=1)  # of the piece's own mass, at its end
    turns = u[..., 0] * cross(place, c) + u[..., 0] ** 2 / 2 * (cross(place, d) + cross(e, c))
    turns = np.cumsum(turns + u[..., 0] ** 3 / 3 * cross(e, d), axis=1)
    resultant, moment = _before(sums), _before(turns)
    for number, entry in enumerate(entries):
        in_it = s[:, number, None] <= left
        resultant = resultant + in_it[..., None] * entry.force[:, None]
        moment = moment + in_it * (entry.moment + cross(entry.at, entry.force))[:, None]
    normal = np.stack([-e[..., 1], e[..., 0]], -1)
    n, v = (
        np.stack([np.sum(axis * part, -1) / power for part, power in ((resultant, 1), (c, 1), (d, 2))], -1)
        for axis in (-e, normal)
    )
    m = np.concatenate([(cross(place, resultant) - moment)[..., None], v / [1, 2, 3]], -1)
    whole = sums[:, -1] + sum(entry.force for entry in entries)
    about = turns[:, -1] + sum(entry.moment + cross(entry.at, entry.force) for entry in entries)
    gap = np.abs(cross(np.broadcast_to(beam.corners[-1], whole.shape), whole) - about)
    return InternalForces(t, left, right - left, n, v, m, np.linalg.norm(whole, axis=1), gap)


def _before(sums: Array) -> Array:
    """Running sums before each piece."""
    return np.concatenate([np.zeros_like(sums[:, :1]), sums[:, :-1]], axis=1)


def cross(a: Array, b: Array) -> Array:
    """a × b of the plane along the last axis."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])

"""Six-bars whose output dwells while the crank turns on, from an arc or a straight part of a coupler curve.

Crank-rockers with random coupler points are looked at; where a stretch of the curve, of the length of the dwell, is
nearly an arc, a rod as long as its radius is pinned to the point. Its other end then stands at the arc's centre, and so
does the output rocker that it moves (Stephenson's six-bar). Where a stretch is nearly straight, the point runs in the
slot of an output that turns about a pin on this line. The best stretches are improved by least squares of all lengths:
distances from the centre, or heights over the line, along the stretch. Of the outputs with the swing asked for the one
with the best transmission is taken, and every machine is judged by its run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import field, replace

import numpy as np

from mubo.analyses.kinematics import kinematics
from mubo.arrays import Array
from mubo.design.synthesis.design import Design
from mubo.design.synthesis.dwell_output import ArcOutput, DwellOutput, find_arc_outputs, find_line_outputs
from mubo.design.synthesis.family import STEPS, Complex, degrees, xy
from mubo.design.synthesis.four_bar import FourBars, third_pin
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.task import Task
from mubo.errors import ModelError, MuboError
from mubo.lazy_dataclass import dataclass
from mubo.model import Builder, Units
from mubo.model.parts import Analysis
from mubo.quantities.output_times import OutputTimes

ARC, LINE = "arc", "line"
TURN = 2 * np.pi
DRAWN, PLACES, WINDOW = 4000, 72, 9  # random linkages, places of a turn, and of a stretch
NEAR = 0.25  # lengths, and their logarithms: how far a stretch is followed
ROUGH = 0.004  # of the length of a stretch: a smaller deviation is improved
KEPT, AGAIN = 120, 17  # stretches that are improved, and places of each then
LEAVES = 0.15  # sizes of the curve: how far it leaves the arc or the line
HANDY = 0.6  # sizes of the curve: a rod of middle length
SMALL, LARGE = 0.15, 2.5  # radii of an arc, in sizes of the curve
SHORT, LONG = 0.2, 5.0  # links, in lengths of the ground
SAME = 1e-9  # of the dwell: a row at its end belongs to it
EACH = 4  # designs found for each that is shown
STILL = 1e-3  # of the swing: what moves less stands
MOST_SHARE = 0.05  # of the swing: a larger movement is no dwell
LEAST_TRANSMISSION = 20.0  # degrees, of the crank-rocker and of the output


@dataclass(frozen=True)
class DwellRequest:
    """How far the crank turns while the output stands, and how far the output swings: radians."""

    dwell: float
    swing: float
    by: str = ARC
    ground: float = 1.0
    seed: int = 0
    units: Units = field(default_factory=Units)


@dataclass(frozen=True)
class CurveStretch:
    """A crank-rocker, its point, and the middle of the stretch: a, b, c (ground 1), P along and across BC, angle."""

    numbers: Array
    side: float

    def curve(self, crank: Array) -> Complex:
        """Places of P at crank angles; NaN where it cannot be assembled."""
        _, b, _, along, across, _ = self.numbers
        B, C = self.pins(crank)
        return np.asarray(B + (along + 1j * across) * (C - B) / b)

    def pins(self, crank: Array) -> tuple[Complex, Complex]:
        """B and C at crank angles."""
        a, b, c = self.numbers[:3]
        B = a * np.exp(1j * crank)
        one = np.ones(B.shape)
        return B, third_pin(B, one.astype(complex), b * one, c * one, self.side * one)

    def window(self, dwell: float, count: int) -> Array:
        """Crank angles of the stretch, closer at its ends, where errors are largest (Chebyshev)."""
        return np.asarray(self.numbers[5] - dwell / 2 * np.cos(np.pi * (np.arange(count) + 0.5) / count))


def dwell(
    request: DwellRequest, most: int = 6, progress: Callable[[float, float], None] = lambda a, b: None
) -> Synthesis:
    """Six-bars with a dwell, those that stand first, by transmission; each is run over a whole turn and measured."""
    _require(request)
    kept, number = _stretches(request), 0
    designs: list[Design] = []
    task = Task(
        f"dwell over {degrees(request.dwell):.6g} deg of the crank, swing of {degrees(request.swing):.6g} deg",
        units=request.units,
        more={"dwell": "movement in the dwell [deg]", "swing": "swing error [deg]"},
    )
    for number, stretch in enumerate(kept, 1):
        better = _improved(stretch, request)
        output = None if better is None else _best_output(better, request)
        if better is not None and output is not None:
            found = _design(request, better, output)
            designs += [found] if found is not None else []
        progress(number, len(kept))
        if len(designs) >= EACH * most:
            break
    ranked = sorted(
        designs, key=lambda one: (max(one.errors["dwell"], STILL * degrees(request.swing)), -one.transmission)
    )
    shown: list[Design] = []
    for design in ranked:
        if all(_differ(design, other) for other in shown) and len(shown) < most:
            shown.append(replace(design, name=f"design_{len(shown) + 1}"))
    note = f"{DRAWN} crank-rockers looked at, {number} of their stretches improved"
    return Synthesis(task, shown, [], len(designs), notes=[note])


def _require(request: DwellRequest) -> None:
    """Refuses what is no dwell, in one sentence."""
    if request.by not in (ARC, LINE):
        raise ModelError(f'a dwell is found from an "{ARC}" or a "{LINE}"; found "{request.by}"')
    if not math.radians(5) <= request.dwell <= math.radians(200):
        raise ModelError(f"the crank turns by 5 to 200 deg in the dwell; found {degrees(request.dwell):.6g} deg")
    if not math.radians(1) <= request.swing <= math.radians(120):
        raise ModelError(f"the output swings by 1 to 120 deg; found {degrees(request.swing):.6g} deg")
    if not request.ground > 0:
        raise ModelError(f"the ground must be longer than zero; found {request.ground:g}")


def _stretches(request: DwellRequest) -> list[CurveStretch]:
    """The best stretches of random coupler curves, each of another linkage."""
    random = np.random.default_rng(request.seed)
    a, b, c = np.exp(random.uniform(np.log(SHORT), np.log(LONG), (3, 20 * DRAWN)))
    bars = np.stack([a, b, c, np.ones_like(a)])
    round_ = (bars.min(axis=0) == a) & (a + bars.max(axis=0) <= bars.sum(axis=0) - a - bars.max(axis=0))
    a, b, c = (part[round_][:DRAWN] for part in (a, b, c))
    point = (random.normal(0.5, 0.8, len(a)) + 1j * random.normal(0.0, 0.8, len(a))) * b
    crank = np.arange(PLACES) * (TURN / PLACES)
    B = a[:, None] * np.exp(1j * crank)
    one = np.ones(B.shape)
    C = third_pin(B, one.astype(complex), b[:, None] * one, c[:, None] * one, one)
    P = B + point[:, None] * (C - B) / b[:, None]
    step = request.dwell / (TURN / PLACES) / (WINDOW - 1)
    offsets = np.round((np.arange(WINDOW) - WINDOW // 2) * step).astype(int)
    best = np.full(len(a), np.inf)
    middle = np.zeros(len(a))
    size = np.ptp(P.real, axis=1) + np.ptp(P.imag, axis=1)
    for k in range(PLACES):
        part = P[:, (k + offsets) % PLACES]
        off = (_off_arc if request.by == ARC else _off_line)(part, P, size)
        better = off < best
        best, middle = np.where(better, off, best), np.where(better, crank[k], middle)
    order = np.argsort(best)[:KEPT]
    lines = np.stack([a, b, c, point.real, point.imag, middle], -1)
    return [CurveStretch(lines[k], 1.0) for k in order if np.isfinite(best[k])]


def fitted_circle(P: Complex) -> tuple[Complex, Array]:
    """Centres and radii of circles through lines of places, by linear least squares of x² + y²."""
    middle = P.mean(axis=-1, keepdims=True)
    z = P - middle
    matrix = np.stack([z.real, z.imag, np.ones(z.shape)], -1)
    solved = np.linalg.pinv(matrix) @ (np.abs(z) ** 2)[..., None]
    centre = (solved[..., 0, 0] + 1j * solved[..., 1, 0]) / 2
    return centre + middle[..., 0], np.sqrt(np.maximum(solved[..., 2, 0] + np.abs(centre) ** 2, 0.0))


def fitted_line(P: Complex) -> tuple[Complex, Complex]:
    """Middle and direction of lines through places, by total least squares."""
    middle = P.mean(axis=-1)
    z = P - middle[..., None]
    return middle, np.exp(0.5j * np.angle((z**2).sum(axis=-1)))


def _off_arc(P: Complex, curve: Complex, size: Array) -> Array:
    """How far stretches are from arcs, over how far they go; none of useless radius, or that the curve never leaves."""
    centre, radius = fitted_circle(P)
    left = np.ptp(np.abs(curve - centre[:, None]), axis=1) > LEAVES * size
    off = np.ptp(np.abs(P - centre[:, None]), axis=1) / np.abs(P[:, -1] - P[:, 0])
    useful = (radius > SMALL * size) & (radius < LARGE * size) & (np.abs(P[:, -1] - P[:, 0]) > 0.05 * size)
    # Rods of middle length first; a small deviation vanishes by the improvement.
    handy = np.maximum(off, ROUGH) * (1 + np.abs(np.log(np.maximum(radius, 1e-300) / (HANDY * size))))
    return np.where(useful & left & (off < 5 * ROUGH), handy, np.inf)


def _off_line(P: Complex, curve: Complex, size: Array) -> Array:
    middle, along = fitted_line(P)
    left = np.ptp(np.imag((curve - middle[:, None]) * np.conj(along)[:, None]), axis=1) > LEAVES * size
    height = np.imag((P - middle[:, None]) * np.conj(along)[:, None])
    long = np.abs(P[:, -1] - P[:, 0])
    return np.where((long > 0.1 * size) & left, np.ptp(height, axis=1) / np.where(long > 0, long, 1.0), np.inf)


def _improved(stretch: CurveStretch, request: DwellRequest) -> CurveStretch | None:
    """The stretch with its deviation minimised over all lengths."""
    from scipy.optimize import least_squares

    def deviations(x: Array) -> Array:
        one = CurveStretch(np.concatenate([np.exp(x[:3]), x[3:]]), stretch.side)
        P = one.curve(one.window(request.dwell, AGAIN))
        long = abs(P[-1] - P[0])
        if not np.all(np.isfinite(P)) or long == 0:
            return np.full(AGAIN + 1, 1.0)
        if request.by == ARC:
            centre, radius = fitted_circle(P)
            off = (np.abs(P - centre) - radius) / long
        else:
            middle, along = fitted_line(P)
            off = np.imag((P - middle) * np.conj(along)) / long
        return np.append(off, 1e-3 * (x[:3] - start[:3]).sum())  # lengths stay where they do not matter

    start = np.concatenate([np.log(stretch.numbers[:3]), stretch.numbers[3:]])
    low = np.concatenate([start[:3] - NEAR, start[3:5] - NEAR, [start[5] - NEAR]])
    high = np.concatenate([start[:3] + NEAR, start[3:5] + NEAR, [start[5] + NEAR]])
    found = least_squares(deviations, start, bounds=(low, high), max_nfev=40)
    one = CurveStretch(np.concatenate([np.exp(found.x[:3]), found.x[3:]]), stretch.side)
    a, b, c = one.numbers[:3]
    bars = np.array([a, b, c, 1.0])
    turns = a == bars.min() and bars.min() + bars.max() < bars.sum() / 2
    return one if turns else None


def _best_output(stretch: CurveStretch, request: DwellRequest) -> DwellOutput | None:
    """The output of the swing asked for with the best transmission."""
    crank = np.arange(STEPS) * (TURN / STEPS) + stretch.numbers[5]
    P, stood = stretch.curve(crank), stretch.curve(stretch.window(request.dwell, AGAIN))
    if request.by == ARC:
        centre, radius = fitted_circle(stood)
        if not radius < LARGE * (np.ptp(P.real) + np.ptp(P.imag)):
            return None
        outputs: Sequence[DwellOutput] = find_arc_outputs(P, complex(centre), float(radius), request.swing)
    else:
        middle, along = fitted_line(stood)
        outputs = find_line_outputs(P, complex(middle), complex(along), request.swing)
    return max(outputs, key=lambda output: output.transmission, default=None)


def _design(request: DwellRequest, stretch: CurveStretch, output: DwellOutput) -> Design | None:
    """The machine, run over a turn from the beginning of the dwell; None where it is no dwell."""
    start = float(stretch.numbers[5] - request.dwell / 2)
    B, C = (complex(pin[0]) for pin in stretch.pins(np.array([start])))
    P = complex(stretch.curve(np.array([start]))[0])
    m = request.ground
    model = Builder("design 1", Units(length=request.units.length, angle="deg", time="s"))
    model.ground.point("A", (0, 0))
    model.ground.point("D", (m, 0))
    model.ground.point("G", xy(m * output.pivot))
    turn = float(np.angle(C - B))
    own = (P - B) * np.exp(-1j * turn)
    model.body("crank", (0, 0), degrees(start), {"A": (0, 0), "B": (m * abs(B), 0)})
    model.body("coupler", xy(m * B), degrees(turn), {"B": (0, 0), "C": (m * abs(C - B), 0), "P": xy(m * own)})
    model.body("rocker", (m, 0), degrees(np.angle(C - 1)), {"D": (0, 0), "C": (m * abs(C - 1), 0)})
    for name, ends in {"A": "ground crank", "B": "crank coupler", "C": "coupler rocker", "D": "rocker ground"}.items():
        model.revolute(name, *(f"{body}.{name}" for body in ends.split()))
    output.add(model, P, m)
    model.driver("motor", "crank.phi", f"{degrees(start)!r} + 360*t")
    model.point("P", "coupler", xy(m * own))
    model.analysis = Analysis("kinematics", {"start": 0.0, "end": 1.0, "step": 1 / (3 * STEPS)})
    try:
        run = kinematics(model.build(), OutputTimes(0.0, 1.0, 1.0 / (3 * STEPS)))
    except MuboError:
        return None  # it cannot be assembled as drawn: no design
    if run.summary["status"] != "ok":
        return None
    angle = run["output.phi"]
    moved = float(np.ptp(angle[run["t"] <= request.dwell / TURN * (1 + SAME)]))
    swing = float(np.ptp(angle))
    least = float(run.summary["transmission"].get("minimum", np.nan))
    if moved > MOST_SHARE * degrees(request.swing) or not least >= LEAST_TRANSMISSION:
        return None
    bars = FourBars(A=np.array([0j]), B=np.array([[B]]), C=np.array([[C]]), D=np.array([1 + 0j]))
    lengths = {name: m * value for name, value in bars.lengths(0).items()}
    lengths |= {"P along": m * own.real, "P across": m * own.imag}
    lengths |= {name: m * value for name, value in output.lengths().items()}
    errors = {"dwell": moved, "swing": abs(swing - degrees(request.swing))}
    label = "Stephenson six-bar" if isinstance(output, ArcOutput) else "six-bar with a slotted output"
    return Design("design_1", label, lengths, run.model, run, run["t"], (), errors, least, True)


def _differ(one: Design, other: Design) -> bool:
    """Whether two designs have other lengths."""
    pairs = [(one.lengths[name], other.lengths[name]) for name in ("crank", "coupler", "rocker", "P along", "P across")]
    return any(abs(a - b) > 0.05 * max(abs(a), abs(b)) for a, b in pairs)

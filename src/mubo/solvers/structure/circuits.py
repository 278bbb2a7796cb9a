"""Circuits: assembly modes that a motion connects, and the range of one driver in each.

One driver is freed, the others keep the values of the start. The loop equations then have one unknown more than
equations: a curve, followed by its arc length past the limit positions of the driver. Whenever the driver has its start
value again, up to whole turns, the curve is at an assembly mode; modes on one curve are in one circuit, and so are
those of curves that meet in a change point (Chase and Mirth 1993).
"""

from __future__ import annotations

from dataclasses import field, replace

import numpy as np

from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.numerics.arc_length import CurveEvent, CurvePoint, ImplicitCurve
from mubo.solvers.assembly.mobility import analyse_mobility
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.continuation.steppers import LoopStepper, Settings
from mubo.solvers.structure.assembly_modes import AssemblyMode, AssemblyModes, find_modes
from mubo.solvers.structure.mode_problem import mode_problem_from_start

CLOSED = 1e-11  # largest gap of a polygon, in sizes of the mechanism
MOST_TURNS = 12  # of a driver that comes back to no mode, as with gears: then it turns without end
FAR = 1e3  # sizes of the mechanism: a slide that goes beyond has no end
AT_LIMIT = 1e-5  # rate of the driver along the curve below which the start is itself a limit position
MEET = 1e-3  # change points that are closer are one


@dataclass(frozen=True)
class RangeEnd:
    """End of the driver's range in one direction: `value` in radians or lengths, and the reason.

    "limit": it turns back there; "turn": it goes round; "endless": no end within FAR sizes or MOST_TURNS turns; "far":
    a slide grows beyond all bounds there; "zero": the driven length vanishes; "knot": links fall together, many
    motions meet; "stuck": the curve could not be followed.
    """

    value: float
    kind: str


@dataclass
class Circuit:
    """Connected assembly modes. Limits and change points are values of the driver on the circuit, each once."""

    modes: list[int] = field(default_factory=list)  # from 0
    limits: list[float] = field(default_factory=list)
    change_points: list[float] = field(default_factory=list)
    meeting: list[Array] = field(default_factory=list)  # positions of the change points


@dataclass
class Circuits:
    """The circuits of a model with one driver unlocked; for each mode the ends of the driver's range."""

    driver: str
    value: float  # of the freed driver at the start
    turning: bool  # whether it is an angle
    circuits: list[Circuit]
    ranges: dict[int, tuple[RangeEnd, RangeEnd]]
    paths: dict[int, tuple[Array, int]] = field(default_factory=dict)  # bodies along a mode's curve; row of the mode

    def circuit_of(self, mode: int) -> int:
        """Number of a mode's circuit, from 0."""
        return next(k for k, circuit in enumerate(self.circuits) if mode in circuit.modes)


def find_circuits(modes: AssemblyModes, driver: int) -> Circuits:
    """Circuits of all modes with the numbered driver unlocked. Modes that a search missed are added to `modes`."""
    walker = _CircuitTracer(modes, driver)
    ranges: dict[int, tuple[RangeEnd, RangeEnd]] = {}
    circuits: list[Circuit] = []
    paths: dict[int, tuple[Array, int]] = {}
    mode = 0
    while mode < len(modes.found):
        if mode not in ranges:
            walk = walker.walk(mode)
            ranges = walk.ranges | ranges
            circuits.append(walk.circuit)
            paths = {number: (walk.path, row) for number, row in walk.rows.items()} | paths
        mode += 1
    joined = _merge_circuits(modes, circuits)
    for circuit in joined:
        circuit.modes.sort()
    return Circuits(modes.subject.drivers[driver].name, walker.value, walker.turning, joined, ranges, paths)


@dataclass
class _CircuitPath:
    circuit: Circuit
    ranges: dict[int, tuple[RangeEnd, RangeEnd]]
    path: Array
    rows: dict[int, int]  # where on the path the modes are


class _CircuitTracer:
    def __init__(self, modes: AssemblyModes, driver: int) -> None:
        self.modes, self.driver = modes, driver
        subject = modes.subject
        self.fixed = subject.motion.copy()
        self.fixed[1::3] = self.fixed[2::3] = 0.0
        self.value = float(self.fixed[3 * driver])
        self.turning, self.distance = subject.drivers[driver].turns, subject.drivers[driver].distance
        weight = modes.loops.weight
        self.weight = np.append(weight, 1.0 if self.turning else 1 / subject.size)
        self.lengths = np.append(np.arange(len(weight)) >= modes.solver.angles, not self.turning)
        settings = Settings(subject.tolerance, scale=subject.scale)
        self.stepper = LoopStepper(modes.loops, settings)
        self.rows = self._row_scales()
        self.curve = ImplicitCurve(self._equations, CLOSED)

    def _row_scales(self) -> Array:
        """Scales that remove the units of equations: polygons by the size, linear ones by their factors."""
        loops, size = self.modes.loops, 1 / self.modes.subject.size
        lines = [1 / float(np.max(np.abs(line[1]) / loops.weight[line[0]])) for line in loops.linear]
        return np.array([size] * (2 * len(loops.polygons)) + lines)

    def _motion(self, value: float, rate: float = 0.0) -> Array:
        motion = self.fixed.copy()
        motion[3 * self.driver : 3 * self.driver + 2] = value, rate
        return motion

    def _equations(self, u: Array) -> tuple[Array, Array]:
        y = u / self.weight
        phi, J, nu, _ = self.stepper.equations(y[:-1], np.zeros(len(y) - 1), self._motion(y[-1], 1.0))
        slope = np.column_stack([J, -nu]) / self.weight  # with the driver's rate at 1, −ν is Φ_λ
        return phi * self.rows, slope * self.rows[:, None]

    def _levels(self, a: float, b: float) -> list[tuple[int, float]]:
        """Start values of the driver, up to whole revolutions, between two scaled values, the ends excluded."""
        low, high = min(a, b), max(a, b)
        start = self.value * self.weight[-1]
        if not self.turning:
            return [(0, start)] if low < start < high else []
        first, last = np.ceil((low - start) / (2 * np.pi)), np.floor((high - start) / (2 * np.pi))
        turns = [(int(k), start + 2 * np.pi * k) for k in np.arange(first, last + 1)]
        return [(k, at) for k, at in turns if low < at < high]

    def _longest(self, u: Array) -> float:
        return max(1.0, float(np.max(np.abs(u[self.lengths]), initial=0.0)))

    def walk(self, mode: int) -> _CircuitPath:
        """Trace the whole curve through a mode: forward, and unless it is closed, backward as well."""
        start = self.curve.start(np.append(self.modes.found[mode].x, self.value) * self.weight)
        here = [CurveEvent("level", start)]
        if abs(start.t[-1]) < AT_LIMIT:
            here.append(CurveEvent("limit", start))
        events, closed = self._trace_one_side(start)
        back = [] if closed else self._trace_one_side(self.curve.back(start))[0]
        events = [*back[::-1], *here, *events]
        rows: dict[int, int] = {}
        for k, passed in enumerate(events):
            number = self._mode_at(passed)
            if number is not None:
                rows.setdefault(number, k)
        ranges = {number: self._range(events, k, closed) for number, k in rows.items()}
        circuit = Circuit(list(rows))
        knots = [passed.point.u[:-1] / self.weight[:-1] for passed in events if passed.kind == "knot"]
        circuit.meeting += knots
        for passed in events:
            at, value = passed.point.u[:-1] / self.weight[:-1], float(passed.point.u[-1] / self.weight[-1])
            if passed.kind == "limit":
                circuit.limits.append(value)
            elif passed.kind == "change" and not any(self.modes.solver.same(at, knot, MEET) for knot in knots):
                circuit.change_points.append(value)
                circuit.meeting.append(at)
        nodes = [passed.point.u / self.weight for passed in events]
        path = np.array([self.modes.absolute(y[:-1], self._motion(y[-1])) for y in nodes])
        return _CircuitPath(circuit, ranges, np.concatenate([path, path[:1]]) if closed else path, rows)

    def _trace_one_side(self, start: CurvePoint) -> tuple[list[CurveEvent], bool]:
        """Events from a point on, and whether the curve came back to it."""
        events: list[CurveEvent] = []
        for passed in self.curve.follow(start, self._levels, self._longest, self._apart):
            if passed.kind == "closed":
                return events, True
            events.append(passed)
            if passed.kind == "step" and (kind := self._end(passed.point.u)):
                events.append(CurveEvent(kind, passed.point))
                break
        return events, False

    def _apart(self, u: Array, v: Array) -> Array:
        apart = u - v
        angles = ~self.lengths
        apart[angles] = np.remainder(apart[angles] + np.pi, 2 * np.pi) - np.pi
        return apart

    def _end(self, u: Array) -> str:
        """Reason to end the trace, or an empty word."""
        if self.turning and abs(u[-1] / self.weight[-1] - self.value) > 2 * np.pi * MOST_TURNS:
            return "endless"
        if self.distance and u[-1] <= 0:
            return "zero"
        if not self.turning and abs(u[-1]) > FAR:
            return "endless"
        return "far" if np.any(np.abs(u[self.lengths]) > FAR) else ""

    def _mode_at(self, passed: CurveEvent) -> int | None:
        """Mode at a level, from 0; an unknown one is added. None where geared wheels stand otherwise."""
        if passed.kind != "level":
            return None
        x = passed.point.u[:-1] / self.weight[:-1]
        known = self.modes.number_of(x)
        if known is not None:
            return known
        answer = self.modes.solver.solve_near(x)
        if answer is None:
            return None
        self.modes.found.append(AssemblyMode(answer, ()))
        return len(self.modes.found) - 1

    def _range(self, events: list[CurveEvent], k: int, closed: bool) -> tuple[RangeEnd, RangeEnd]:
        """Ends of the driver's range on both sides of a level, smaller first."""
        turns = 2 * np.pi * events[k].level if self.turning else 0.0
        after, before = events[k + 1 :], events[:k]
        if closed:
            after, before = after + before, after + before
        ends = [self._first_end(side, turns) for side in (after, before[::-1])]
        falling = events[k].point.t[-1] < 0
        low, high = ends if falling else ends[::-1]
        return (high, low) if high.value < low.value else (low, high)  # at a limit itself the tangent does not decide

    def _first_end(self, side: list[CurveEvent], turns: float) -> RangeEnd:
        for passed in side:
            if passed.kind not in ("step", "level", "change"):
                return RangeEnd(float(passed.point.u[-1] / self.weight[-1]) - turns, passed.kind)
        return RangeEnd(np.inf, "turn")


def _merge_circuits(modes: AssemblyModes, circuits: list[Circuit]) -> list[Circuit]:
    """Merge the circuits that meet in a change point."""
    out: list[Circuit] = []
    for circuit in circuits:
        for other in [o for o in out if _share_change_point(modes, o, circuit)]:
            out.remove(other)
            circuit = Circuit(
                list(dict.fromkeys(other.modes + circuit.modes)),
                other.limits + circuit.limits,
                other.change_points + circuit.change_points,
                other.meeting + circuit.meeting,
            )
        out.append(circuit)
    return sorted(out, key=lambda circuit: min(circuit.modes))


def _share_change_point(modes: AssemblyModes, a: Circuit, b: Circuit) -> bool:
    shared = set(a.modes) & set(b.modes)
    return bool(shared) or any(modes.solver.same(p, q, MEET) for p in a.meeting for q in b.meeting)


def start_in_mode(analysis: StartAnalysis, number: int) -> StartAnalysis:
    """Analysis of the start in the numbered assembly mode; raises where there is no such mode."""
    modes = find_modes(mode_problem_from_start(analysis))
    q = modes.absolute(mode_unknowns(modes, number), analysis.motion)
    gap = float(np.max(np.abs(analysis.form.system.phi(q, analysis.motion))))
    return replace(
        analysis,
        assembly=replace(analysis.assembly, q=q, gap=gap),
        diagnosis=analyse_mobility(analysis.form, q, analysis.motion),
    )


def mode_unknowns(modes: AssemblyModes, number: int) -> Array:
    """Unknowns of the loops in the numbered mode."""
    if modes.searches and number > len(modes.found) and modes.subject.drivers:
        find_circuits(modes, 0)  # what a search missed may lie on the curve of another mode
    if not 1 <= number <= len(modes.found):
        count = len(modes.found)
        counted = f"{count} mode{'s' * (count != 1)}"
        raise ModelError(
            f"there is no mode {number}: the mechanism has {counted} at its start",
            numbers={"modes": count},
            suggestion="`mubo check MODEL --modes` lists them.",
        )
    return modes.found[number - 1].x

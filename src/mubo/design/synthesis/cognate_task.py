"""The cognates of a four-bar: other linkages whose coupler point draws the same curve, in the same time.

With the crank vector a, the coupler b, the rocker c, the fixed pins A and D, and the coupler point P = B + g b, the
third fixed pin is E = A + g (D − A) (Roberts 1875, Chebyshev 1878). Around it stand links that turn as the given ones:

    A, E:   g b at A, coupler g a, g c at E           P = A + g b + a
    E, D:   (1 − g) a at E, coupler (g − 1) c, (g − 1) b at D    P = E + (1 − g) a + g c

so that the second is driven at E as the given one is at A. In the first the coupler turns as the crank, and is driven.
The two links that turn as the crank, a at A and (1 − g) a at E, with arms g b and g c from their ends to P, are a
geared five-bar of ratio 1 (Hartenberg and Denavit, Kinematic Synthesis of Linkages, 1964, chapter 6).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.analyses.kinematics import kinematics
from mubo.design.synthesis.design import Design, errors_of
from mubo.design.synthesis.family import STEPS, Complex, degrees, xy
from mubo.design.synthesis.four_bar import FourBars
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.task import PLACE, Task
from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Builder, ModelDefinition, Units
from mubo.model.parts import Analysis
from mubo.quantities.output_times import OutputTimes
from mubo.results import Run

TIMING = ("start", "end", "step", "over", "at")
SAME = 1e-9  # of the coupler: a point so near to a pin stands on it


@dataclass(frozen=True)
class DrawnFourBar:
    """A four-bar at the first row of its run, and the angles between which its crank goes."""

    A: complex
    B: complex
    C: complex
    D: complex
    P: complex
    swing: tuple[float, float]


def cognates_of(model: ModelDefinition, point: str = "") -> Synthesis:
    """The given four-bar, its two cognates and the geared five-bar, each run through the same curve."""
    drawn = _four_bar(model, point)
    units = Units(length=model.units.length, angle="deg", time="s")
    linkage = _one(drawn.A, drawn.B, drawn.C, drawn.D, drawn.P)
    given = linkage.model(0, "design 1", units, drawn.swing)
    run = kinematics(given, _times())
    columns = {name: run[name] for name in ("P.x", "P.y")}
    task = Task(
        f"cognates of {model.name}",
        columns,
        dict.fromkeys(columns, PLACE),
        units=units,
        marks=(columns["P.x"] + 1j * columns["P.y"])[:: STEPS // 12],
    )
    designs = [_four_bar_design(task, linkage, given)]
    a, b, c = drawn.B - drawn.A, drawn.C - drawn.B, drawn.C - drawn.D
    g = (drawn.P - drawn.B) / b
    E = drawn.A + g * (drawn.D - drawn.A)
    turn = drawn.swing[1] - drawn.swing[0]

    def swing(link: complex) -> tuple[float, float]:
        return float(np.angle(link)), float(np.angle(link)) + turn

    first = _one(drawn.A, drawn.A + g * b, drawn.A + g * b + g * a, E, drawn.P)
    second = _one(E, E + (1 - g) * a, drawn.D + (g - 1) * b, drawn.D, drawn.P)
    driven = first.model(0, "design 2", units, swing(g * a), "coupler")
    designs.append(_four_bar_design(task, first, driven))
    designs.append(_four_bar_design(task, second, second.model(0, "design 3", units, swing((1 - g) * a))))
    designs.append(_geared_design(task, drawn, E, (1 - g) * a, g * c))
    sound = [replace(d, name=f"design_{n}") for n, d in enumerate((d for d in designs if d.sound), 1)]
    rejected = [replace(d, name=f"rejected_{n}") for n, d in enumerate((d for d in designs if not d.sound), 1)]
    notes = [
        "every design draws the curve in the same time: its driven link turns as the crank of the first",
        "design_2 is driven at its coupler, which turns as that crank",
    ]
    return Synthesis(task, sound, rejected, len(designs), notes=notes)


def _times() -> OutputTimes:
    return OutputTimes(0.0, 1.0, 1.0 / STEPS)


def _one(A: complex, B: complex, C: complex, D: complex, P: complex) -> FourBars:
    def row(place: complex) -> Complex:
        return np.array([[place]])

    return FourBars(A=np.array([A]), B=row(B), C=row(C), D=np.array([D]), point=row(P))


def _four_bar_design(task: Task, linkage: FourBars, model: ModelDefinition) -> Design:
    found = _run_design(task, model, linkage.label(0), linkage.lengths(0))
    return replace(found, full=bool(linkage.full[0]))


def _run_design(task: Task, model: ModelDefinition, label: str, lengths: dict[str, float]) -> Design:
    run = kinematics(model, _times())
    stopped = () if run.summary["status"] == "ok" else ("does not run to its end",)
    errors = {} if stopped else errors_of(task, run, run["t"])
    least = float(run.summary["transmission"].get("minimum", np.nan))
    return Design(model.name, label, lengths, model, run, run["t"], stopped, errors, least, True)


def _geared_design(task: Task, drawn: DrawnFourBar, E: complex, crank: complex, arm: complex) -> Design:
    """Cranks at A and E that a belt of equal wheels turns alike, with arms from their ends to P."""
    model = Builder("design 4", task.units)
    model.ground.point("A", xy(drawn.A))
    model.ground.point("E", xy(E))
    links = {
        "crank": (drawn.A, drawn.B, "A", "B"),
        "second_crank": (E, E + crank, "E", "C"),
        "arm": (drawn.B, drawn.P, "B", "P"),
        "second_arm": (E + crank, E + crank + arm, "C", "P"),
    }
    for name, (start, end, first, last) in links.items():
        points = {first: (0.0, 0.0), last: (abs(end - start), 0.0)}
        model.body(name, xy(start), degrees(np.angle(end - start)), points)
    model.revolute("A", "ground.A", "crank.A")
    model.revolute("E", "ground.E", "second_crank.E")
    model.revolute("B", "crank.B", "arm.B")
    model.revolute("C", "second_crank.C", "second_arm.C")
    model.revolute("P", "arm.P", "second_arm.P")
    wheel = abs(E - drawn.A) / 4
    model.joint("belt", "belt", "crank", "second_crank", radii=(wheel, wheel))
    begin, end_angle = (degrees(angle) for angle in drawn.swing)
    model.driver("motor", "crank.phi", f"{begin!r} + {end_angle - begin!r}*t")
    model.point("P", "arm", (abs(drawn.P - drawn.B), 0.0))
    model.analysis = Analysis("kinematics", {"start": 0.0, "end": 1.0, "step": 1 / STEPS})
    lengths = {
        "crank": abs(drawn.B - drawn.A),
        "second crank": abs(crank),
        "arm": abs(drawn.P - drawn.B),
        "second arm": abs(arm),
        GROUND: abs(E - drawn.A),
    }
    return _run_design(task, model.build(), "geared five-bar", lengths)


_NO_FOUR_BAR = "cognates are those of a four-bar: three bodies and the ground in a ring of four revolute joints"


def _four_bar(model: ModelDefinition, point: str) -> DrawnFourBar:
    """The four-bar of a model, at the first row of its run; refuses what is none."""
    crank, coupler, rocker = _ring(model)
    name = _point_of(model, coupler, point)
    given = model.analysis.options if model.analysis is not None and model.analysis.type == "kinematics" else {}
    timing = {key: given[key] for key in TIMING if key in given}
    run = kinematics(model, model.output_times(timing, "turn"))
    if run.summary["status"] != "ok":
        raise ModelError(f"the linkage does not run to its end: {run.events[-1].message}")
    A, B = _pin(run, GROUND, crank), _pin(run, crank, coupler)
    C, D = _pin(run, coupler, rocker), _pin(run, rocker, GROUND)
    P = complex(run[f"{name}.x"][0], run[f"{name}.y"][0])
    if min(abs(P - B), abs(P - C)) <= SAME * abs(C - B):
        raise ModelError(
            f'the point "{name}" stands on a pin of the coupler: it draws a circle, which has no cognates', names=[name]
        )
    turned = float(run[f"{crank}.phi"][-1] - run[f"{crank}.phi"][0]) * model.units.factor("angle")
    begin = float(np.angle(B - A))
    return DrawnFourBar(A, B, C, D, P, (begin, begin + float(np.clip(turned, -2 * np.pi, 2 * np.pi))))


def _ring(model: ModelDefinition) -> tuple[str, str, str]:
    """Crank, coupler and rocker: a ring of revolute joints, driven at a body beside the ground."""
    pairs = [{end.partition(".")[0] for end in joint.between} for joint in model.joints.values()]
    dofs = {model.kinds[joint.kind].dofs for joint in model.joints.values()}
    bodies = [name for name in model.bodies if name != GROUND]
    beside = [body for body in bodies if {body, GROUND} in pairs]
    inner = [body for body in bodies if body not in beside]
    ring = len(bodies) == 3 and len(beside) == 2 and len(pairs) == 4 and dofs == {("turn z",)}
    if model.dimension != 2 or not ring or not all({body, inner[0]} in pairs for body in beside):
        raise ModelError(_NO_FOUR_BAR)
    driven = {_driven_body(model, driver.of) for driver in model.drivers.values()}
    if len(driven) != 1 or not driven <= set(beside):
        raise ModelError(f"cognates need a four-bar with one driver, of {beside[0]} or {beside[1]}")
    (crank,) = driven
    return crank, inner[0], next(body for body in beside if body != crank)


def _driven_body(model: ModelDefinition, of: object) -> str:
    """The body beside the ground that a driver turns."""
    head, _, tail = str(of).partition(".")
    if head in model.joints and not tail:
        bodies = {end.partition(".")[0] for end in model.joints[head].between} - {GROUND}
        return bodies.pop() if len(bodies) == 1 else ""
    return head if tail == "phi" else ""


def _point_of(model: ModelDefinition, coupler: str, asked: str) -> str:
    """The coupler point meant: the one named, or the only one."""
    known = [name for name, point in model.points.items() if point.body == coupler]
    if asked and asked not in known:
        raise ModelError(f'{coupler} has no point "{asked}". {nearest(asked, known)}', names=[asked])
    if not asked and len(known) != 1:
        found = f"several points, {', '.join(known)}: say which" if known else "no point: write [point.P]"
        raise ModelError(f"cognates draw the curve of a coupler point; {coupler} has {found}")
    return asked or known[0]


def _pin(run: Run, first: str, second: str) -> complex:
    """The place of the joint of two bodies at the first row of a run."""
    joints = run.model.joints.values()
    ends = next(
        joint.between for joint in joints if {end.partition(".")[0] for end in joint.between} == {first, second}
    )
    body, _, name = next(end for end in ends if not end.startswith(f"{GROUND}.")).partition(".")
    x, y = (float(value) for value in run.model.bodies[body].points[name])
    place = complex(x, y) / run.units.factor("length")
    turn = float(run[f"{body}.phi"][0]) * run.units.factor("angle")
    return complex(complex(run[f"{body}.x"][0], run[f"{body}.y"][0]) + place * np.exp(1j * turn))

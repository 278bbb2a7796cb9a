"""Cam synthesis: the smallest base circle for a required motion, run with its follower and measured.

The base circle is the smallest at which the pressure angle stays below its limit and no part of the edge is undercut
(closed forms in `cam_profile`); it is found by bisection where they are first met.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field

import numpy as np

from mubo.analyses.kinematics import kinematics
from mubo.arrays import Array
from mubo.design.synthesis.cam_profile import ARM_FLAT, ARM_ROLLER, FLAT, FOLLOWERS, ROLLER, TURN, CamDrive
from mubo.design.synthesis.design import Design
from mubo.design.synthesis.family import STEPS, degrees, xy
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.task import Task
from mubo.errors import ModelError, nearest
from mubo.laws import Program, Segment
from mubo.lazy_dataclass import dataclass
from mubo.model import Builder, ModelDefinition, Units
from mubo.model.parts import Analysis
from mubo.quantities.output_times import OutputTimes

SCANNED, HALVED = 200, 50  # radii looked at, and how often the interval is halved
LARGEST = 50.0  # strokes: no larger base circle is looked at
CLOSED, STEEP = 1e-9, 1e6
EDGE_POINTS = 1200  # of a contour in the model file


@dataclass(frozen=True)
class CamRequest:
    """The motion of the follower over a turn of the cam, and the limits: angles in radians."""

    segments: tuple[tuple[str, float, float], ...]  # law, how far the cam turns, rise
    follower: str = ROLLER
    pressure: float = math.radians(30)
    roller: float = 0.0
    offset: float = 0.0
    curvature: float = 0.0  # least radius of the edge
    arm: float = 0.0
    centres: float = 0.0
    units: Units = field(default_factory=Units)


def cam(request: CamRequest) -> Synthesis:
    """The cam of the smallest base circle that meets the limits."""
    _require(request)
    drive = _drive(request)
    by_pressure = _least_radius(drive, request, curved=False)
    radius = _least_radius(drive, request, curved=True)
    if radius is None or by_pressure is None:
        raise ModelError(_none_words(drive, request, by_pressure is None))
    tangent, curvature = drive.quality(radius)
    model = _machine(request, drive, radius)
    run = kinematics(model, OutputTimes(0.0, 1.0, 1.0 / STEPS))
    wanted = drive.lift(np.linspace(0.0, TURN, len(run["t"])))[:, 0]
    found = np.radians(run["arm.phi"][0] - run["arm.phi"]) if drive.turns else run["follower.y"] - run["follower.y"][0]
    error = float(np.max(np.abs(found - wanted + wanted[0])))
    unit = "deg" if drive.turns else request.units.length
    name = f"motion error [{unit}]" if unit else "motion error"
    task = Task(
        f"smallest cam, {request.follower} follower",
        units=request.units,
        more={"motion": name},
        plain=("pressure angle [deg]",),
    )
    largest = float(np.max(curvature))
    lengths = {"base circle": radius - request.roller * drive.rolls}
    lengths |= {"by pressure alone": by_pressure - request.roller} if drive.rolls else {}
    lengths["least radius"] = (1 / largest if largest > 0 else math.inf) - request.roller * drive.rolls
    lengths["pressure angle [deg]"] = degrees(math.atan(float(np.max(tangent))))
    stopped = () if run.summary["status"] == "ok" else ("does not run to its end",)
    errors = {"motion": degrees(error) if drive.turns else error}
    label = f"cam, {request.follower}"
    design = Design("design_1", label, lengths, model, run, run["t"], stopped, errors, math.nan, True)
    return Synthesis(task, [design] if design.sound else [], [] if design.sound else [design], 1)


def _require(request: CamRequest) -> None:
    """Refuses what makes no cam, in one sentence each."""
    if request.follower not in FOLLOWERS:
        raise ModelError(f'there is no follower "{request.follower}". {nearest(request.follower, FOLLOWERS)}')
    turned = sum(lasts for _, lasts, _ in request.segments)
    if abs(turned - TURN) > CLOSED:
        raise ModelError(f"the parts of a cam's motion make a turn of 360 deg; found {degrees(turned):.6g} deg")
    rises = [rise for _, _, rise in request.segments]
    if not any(rises):
        raise ModelError("the follower does not move: give a part a rise")
    if abs(sum(rises)) > CLOSED * max(abs(rise) for rise in rises):
        raise ModelError(f"the rises of a turn add up to zero; found {sum(rises):.6g}")
    if not 0 < request.pressure < math.pi / 2:
        raise ModelError(f"a pressure angle is above 0 and below 90 deg; found {degrees(request.pressure):.6g} deg")
    if request.roller < 0 or request.curvature < 0:
        raise ModelError("the radius of the roller and the least radius are not negative")
    if request.follower in (ARM_ROLLER, ARM_FLAT) and not request.centres > 0:
        raise ModelError("an arm needs the distance of its pin from the cam's centre: centres")
    if request.follower == ARM_ROLLER and not request.arm > 0:
        raise ModelError("a roller on an arm needs the length of the arm")


def _drive(request: CamRequest) -> CamDrive:
    """The follower, its lift counted from its lowest place."""
    levels = np.concatenate([[0.0], np.cumsum([rise for _, _, rise in request.segments])])
    segments = tuple(Segment(law, lasts, rise) for law, lasts, rise in request.segments)
    lift = Program(segments, value=-float(levels.min()), repeat=True)
    follower, arm = request.follower, request.arm
    return CamDrive(follower, lift, request.roller, request.offset * (follower == ROLLER), arm, request.centres)


def _margin(drive: CamDrive, request: CamRequest, radius: float, curved: bool) -> float:
    """Beyond 1 where a limit is missed: pressure angle and curvature over what is allowed."""
    tangent, curvature = drive.quality(radius)
    if not np.all(tangent < STEEP):
        return math.inf
    pressure = _peak(tangent) / math.tan(request.pressure)
    room = request.curvature + request.roller * drive.rolls
    if not np.all(np.isfinite(curvature)):
        return math.inf if curved else pressure
    return max(pressure, _peak(curvature) * room) if curved else pressure


def _peak(values: Array) -> float:
    """The greatest value, of the parabola through it and its neighbours."""
    k = int(np.argmax(values))
    low, top, high = values[k - 1], values[k], values[(k + 1) % len(values)]
    bend = low - 2 * top + high
    sharp = not bend < 0 or abs(high - low) > -2 * bend  # the top of the parabola is not between them
    return float(top if sharp else top - (high - low) ** 2 / (8 * bend))


def _least_radius(drive: CamDrive, request: CamRequest, curved: bool) -> float | None:
    """The smallest radius from which on the limits are met; None where there is none."""
    low, high = drive.bounds()
    stroke = float(np.ptp(drive.lift(drive.angles())[:, 0]))
    least = max(low, request.roller * drive.rolls)
    if math.isinf(high):
        radii = least + np.geomspace(1e-3 * stroke, LARGEST * stroke, SCANNED)
    else:
        radii = least + (high - least) * (np.arange(SCANNED) + 0.5) / SCANNED
    good = [n for n, r in enumerate(radii) if _margin(drive, request, float(r), curved) <= 1]
    if not good:
        return None
    inside, outside = float(radii[good[0]]), float(radii[good[0] - 1]) if good[0] else least
    for _ in range(HALVED):
        middle = (inside + outside) / 2
        if _margin(drive, request, middle, curved) <= 1:
            inside = middle
        else:
            outside = middle
    return inside


def _none_words(drive: CamDrive, request: CamRequest, pressure: bool) -> str:
    limit = f"a pressure angle of {degrees(request.pressure):.4g} deg" if pressure else "an edge that is not undercut"
    if drive.turns:
        return f"no base circle has {limit}: the arm swings too far for {request.centres:g} between the centres"
    return f"no base circle up to {LARGEST:g} strokes has {limit}"


def _machine(request: CamRequest, drive: CamDrive, radius: float) -> ModelDefinition:
    """The cam about O with its follower, which starts at the first angle of the motion."""
    units = Units(length=request.units.length, angle="deg", time="s")
    model = Builder("design 1", units)
    model.ground.point("O", (0, 0))
    model.body("cam", points={"O": (0, 0)})
    model.revolute("shaft", "ground.O", "cam.O")
    start = float(drive.lift(np.zeros(1))[0, 0])
    if drive.turns:
        _add_arm(model, drive, radius, drive.place_at_rest(radius) + start)
    else:
        _add_slide(model, request, drive, radius, start)
    model.driver("motor", "cam.phi", "360*t")
    model.analysis = Analysis("kinematics", {"start": 0.0, "end": 1.0, "step": 1 / STEPS})
    return model.build()


def _add_slide(model: Builder, request: CamRequest, drive: CamDrive, radius: float, start: float) -> None:
    model.ground.point("G", (drive.offset, 0))
    place = (drive.offset, drive.place_at_rest(radius) + start)
    model.body("follower", place, 0, {"P": (0, 0)})
    model.translational("guide", "ground.G", "follower.P", axis=(0, 1), angle=0)
    levels = {
        "program": [
            {"law": law, "lasts": round(degrees(lasts), 10), "rise": rise} for law, lasts, rise in request.segments
        ]
    }
    lift = {"lift": levels | {"value": start, "repeat": True}, "turns": "counter-clockwise", "travel": 90}
    if drive.follower == FLAT:
        model.joint("contact", "cam_flat", "cam.O", "follower.P", normal=(0, 1), base=radius, **lift)
        return
    more = {"offset": drive.offset} if drive.offset else {}
    base = radius - drive.roller
    model.joint("contact", "cam_roller", "cam.O", "follower.P", base=base, roller=drive.roller, **lift, **more)


def _add_arm(model: Builder, drive: CamDrive, radius: float, psi: float) -> None:
    model.ground.point("D", (drive.centres, 0))
    edge = drive.edge(radius)
    contour = [xy(complex(z)) for z in edge[:: len(edge) // EDGE_POINTS]]
    points: dict[str, Sequence[float]] = {"D": (0, 0)}
    points |= {"P": (drive.arm, 0)} if drive.rolls else {"end": (drive.centres, 0)}
    model.body("arm", (drive.centres, 0), 180 - degrees(psi), points)
    model.revolute("pin", "ground.D", "arm.D")
    if drive.rolls:
        model.joint("contact", "cam_roller", "cam.O", "arm.P", contour=contour, roller=drive.roller)
    else:
        model.joint("contact", "cam_flat", "cam.O", "arm.D", contour=contour, normal=(0, -1))

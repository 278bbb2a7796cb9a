"""Planetary gear trains by ratio: all numbers of teeth that can be assembled, run and measured.

Seen from the carrier the train is one of fixed axes, of ratio −R between sun and ring, R = (p₁ r)/(s p₂) with the teeth
s of the sun, p₁ of the planet on it, p₂ of the planet in the ring and r of the ring (Willis 1870):

    ω_sun − ω_carrier = −R (ω_ring − ω_carrier).

With one member fixed the ratio of input to output is 1 + R from sun to carrier, 1 + 1/R from ring to carrier, −R from
sun to ring, and their inverses. A train must be

* coaxial: s + p₁ = r − p₂, with one module and no profile shift;
* assembled: n equal planets fit evenly if n gcd(p₁, p₂) divides s p₂ + r p₁. As the carrier goes on by 1/n turn over a
  fixed ring, the sun goes on by (s + r p₁/p₂)/n teeth; the next planet, put in with any of its p₂ teeth, offers its
  other wheel k p₁/p₂ teeth on; so (s p₂ + r p₁)/n = k p₁ + m p₂ in whole numbers. For p₁ = p₂: n divides s + r;
* free of neighbours: tips of planets, of radius m (p + 2)/2, stay apart: (s + p₁) sin(π/n) > p + 2, p the larger wheel;
* free of undercut: wheels have 17 teeth or more (2/sin² 20° = 17.1), and the ring 10 more than its planet.

Of the power that rolls through the meshes seen from the carrier a share η arrives; torques follow from equilibrium,
T_ring = R η^w T_sun and T_carrier = −T_sun − T_ring, with w = 1 where the sun drives there, T_sun (ω_sun − ω_carrier) >
0, else −1. The efficiency of the train is output over input power.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from mubo.analyses.kinematics import kinematics
from mubo.arrays import Array, Booleans
from mubo.design.synthesis.design import Design
from mubo.design.synthesis.family import STEPS
from mubo.design.synthesis.result import Synthesis
from mubo.design.synthesis.task import Task
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.model import GROUND, Builder, ModelDefinition, Units
from mubo.model.parts import Analysis
from mubo.quantities.output_times import OutputTimes

UNDERCUT, RING = 17, 10  # least teeth of a wheel, and how many more the ring has than its planet
MOST_SHOWN, MOST_TEETH = 12, 400
TIP = 2  # modules: by how much a tip circle is wider than the pitch circle
SAME, MOST_TOLERANCE = 1e-12, 0.5
SUN, CARRIER, RING_WHEEL = "sun", "carrier", "ring"
TRAINS: dict[tuple[str, str], Callable[[Any], Any]] = {  # input, output: the ratio by R
    (SUN, CARRIER): lambda R: 1 + R,
    (CARRIER, SUN): lambda R: 1 / (1 + R),
    (RING_WHEEL, CARRIER): lambda R: 1 + 1 / R,
    (CARRIER, RING_WHEEL): lambda R: R / (1 + R),
    (SUN, RING_WHEEL): lambda R: -R,
    (RING_WHEEL, SUN): lambda R: -1 / R,
}


@dataclass(frozen=True)
class PlanetaryRequest:
    """The ratio asked for, and what bounds the numbers of teeth."""

    ratio: float
    planets: int = 3
    stepped: bool = False
    tolerance: float = 0.0  # relative
    least: int = UNDERCUT
    most: int = 120
    module: float = 1.0
    efficiency: float = 1.0
    units: Units = field(default_factory=Units)


def planetary(request: PlanetaryRequest, most: int = MOST_SHOWN) -> Synthesis:
    """The trains of a ratio, within its tolerance, those of least error and then the smallest first."""
    _require(request)
    teeth = _teeth(request)
    s, p1, p2, r = teeth.T.astype(float)
    R = p1 * r / (s * p2)
    wanted = request.ratio
    rows = []
    for k, formula in enumerate(TRAINS.values()):
        errors = np.abs(formula(R) / wanted - 1)
        near = np.flatnonzero(errors <= request.tolerance + SAME)
        rows += [(float(errors[n]), int(teeth[n, 3]), k, int(n)) for n in near.tolist()]
    if not rows:
        raise ModelError(_nearest_words(request, teeth, R))
    rows.sort(key=lambda row: (0.0 if row[0] <= SAME else row[0], *row[1:]))
    task = Task(
        f"planetary train of ratio {wanted:.6g}",
        units=request.units,
        more={"ratio": "ratio error"},
        plain=("ratio", "sun teeth", "planet teeth", "second planet teeth", "ring teeth", "planets", "efficiency"),
    )
    kinds = [*TRAINS]
    designs = [
        _design(request, kinds[k], tuple(int(z) for z in teeth[n]), number)
        for number, (_, _, k, n) in enumerate(rows[:most], 1)
    ]
    return Synthesis(task, designs, [], len(rows))


def _require(request: PlanetaryRequest) -> None:
    """Refuses what no train can have, in one sentence each."""
    ratio, n = request.ratio, request.planets
    if not math.isfinite(ratio) or ratio == 0:
        raise ModelError(f"a ratio is input over output speed, not zero; found {ratio:g}")
    if ratio == 1:
        raise ModelError("a ratio of 1 is a coupling: no planetary train has it")
    if not 1 <= n <= 12:
        raise ModelError(f"a train has 1 to 12 planets; found {n}")
    if not 6 <= request.least <= request.most <= MOST_TEETH:
        raise ModelError(f"teeth go from 6 to {MOST_TEETH}; found {request.least} to {request.most}")
    if not request.module > 0:
        raise ModelError(f"the module must be positive; found {request.module:g}")
    if not 0 < request.efficiency <= 1:
        raise ModelError(f"the efficiency is above 0 and at most 1; found {request.efficiency:g}")
    if not 0 <= request.tolerance < MOST_TOLERANCE:
        raise ModelError(f"the error of a ratio is from 0 to below 50 %; found {100 * request.tolerance:g} %")


def _teeth(request: PlanetaryRequest) -> Any:
    """All numbers of teeth that can be assembled: sun, planet, second planet wheel, ring, a line each."""
    wheel = np.arange(request.least, request.most + 1)
    if request.stepped:
        s, p1, p2 = (part.ravel() for part in np.meshgrid(wheel, wheel, wheel, indexing="ij"))
        other = p1 != p2
        s, p1, p2 = s[other], p1[other], p2[other]
    else:
        s, p1 = (part.ravel() for part in np.meshgrid(wheel, wheel, indexing="ij"))
        p2 = p1
    r = s + p1 + p2
    keep = (r <= request.most) & (r - p2 >= RING) & _fits(request.planets, s, p1, p2, r)
    return np.stack([s, p1, p2, r], -1)[keep]


def _fits(n: int, s: Any, p1: Any, p2: Any, r: Any) -> Booleans:
    """Whether n equal planets go in evenly and do not touch one another."""
    even = (s * p2 + r * p1) % (n * np.gcd(p1, p2)) == 0
    if n == 1:
        return np.asarray(even)
    return np.asarray(even & ((s + p1) * np.sin(np.pi / n) > np.maximum(p1, p2) + TIP))


def _nearest_words(request: PlanetaryRequest, teeth: Any, R: Array) -> str:
    """The error that says which ratio is the nearest."""
    if not len(teeth):
        return f"{request.planets} planets of {request.least} to {request.most} teeth cannot be assembled in any train"
    found = [(float(f), kind) for kind, formula in TRAINS.items() for f in np.unique(formula(R))]
    ratio, (first, last) = min(found, key=lambda one: abs(one[0] / request.ratio - 1))
    off = abs(ratio / request.ratio - 1)
    cure = f"; allow a ratio error of {100 * off:.3g} %" if off < MOST_TOLERANCE else ""
    cure += "; larger wheels may have it" if request.stepped else "; larger wheels or stepped planets may have it"
    return (
        f"no train of {request.least} to {request.most} teeth has the ratio {request.ratio:.6g}: the nearest is "
        f"{ratio:.6g}, from {first} to {last}{cure}"
    )


def efficiency_of(R: float, train: tuple[str, str], share: float) -> float:
    """Output over input power of a train, of whose rolling power a share arrives."""
    speeds = dict.fromkeys((SUN, CARRIER, RING_WHEEL), 0.0)
    first, last = train
    speeds[first], speeds[last] = TRAINS[train](R), 1.0
    for w in (1, -1):
        torques = {SUN: 1.0, RING_WHEEL: R * share**w}
        torques[CARRIER] = -1.0 - torques[RING_WHEEL]
        turned = 1.0 if torques[first] * speeds[first] > 0 else -1.0  # power goes in at the input
        if turned * (speeds[SUN] - speeds[CARRIER]) * w > 0:
            return -torques[last] * speeds[last] / (torques[first] * speeds[first])
    return 0.0


def _design(request: PlanetaryRequest, train: tuple[str, str], teeth: Sequence[int], number: int) -> Design:
    s, p1, p2, r = teeth
    R, m = p1 * r / (s * p2), request.module
    fixed = next(name for name in (SUN, CARRIER, RING_WHEEL) if name not in train)
    model = _machine(f"design {number}", request, train, fixed, teeth)
    run = kinematics(model, OutputTimes(0.0, 1.0, 1.0 / STEPS))
    speeds = [float(run[f"{name}.omega"][0]) for name in train]
    found = speeds[0] / speeds[1]
    lengths: dict[str, float] = {"ratio": found, "sun teeth": s, "planet teeth": p1}
    lengths |= {"second planet teeth": p2} if p1 != p2 else {}
    lengths |= {"ring teeth": r, "planets": request.planets, "ring diameter": r * m, "carrier radius": m * (s + p1) / 2}
    lengths |= {"efficiency": efficiency_of(R, train, request.efficiency)} if request.efficiency < 1 else {}
    stopped = () if run.summary["status"] == "ok" else ("does not run to its end",)
    off = abs(found / request.ratio - 1)
    errors = {"ratio": off if off > SAME else 0.0}  # the run has rounding of its own
    label = f"{train[0]} to {train[1]}, {fixed} fixed"
    return Design(f"design_{number}", label, lengths, model, run, run["t"], stopped, errors, math.nan, True)


def _machine(
    name: str, request: PlanetaryRequest, train: tuple[str, str], fixed: str, teeth: Sequence[int]
) -> ModelDefinition:
    """Sun, carrier and ring about O, one of them the ground, and one of the planets, which all turn alike."""
    s, p1, p2, r = teeth
    m, arm = request.module, request.module * (teeth[0] + teeth[1]) / 2
    units = Units(length=request.units.length, angle="deg", time="s")
    model = Builder(name, units)
    model.ground.point("O", (0, 0))
    if fixed == CARRIER:
        model.ground.point("C", (arm, 0))
    for part in train:
        model.body(part, points={"O": (0, 0)} | ({"C": (arm, 0)} if part == CARRIER else {}))
        model.revolute(f"{part}_shaft", "ground.O", f"{part}.O")
    body = {part: part for part in train} | {fixed: GROUND}
    model.body("planet", position=(arm, 0), points={"C": (0, 0)})
    model.revolute("planet_pin", f"{body[CARRIER]}.C", "planet.C")
    carrier = {"carrier": body[CARRIER], "module": m}
    model.joint("sun_mesh", "gears", body[SUN], "planet", teeth=(s, p1), **carrier)
    model.joint("ring_mesh", "gears", "planet", body[RING_WHEEL], teeth=(p2, r), mesh="internal", **carrier)
    model.driver("motor", f"{train[0]}.phi", "360*t")
    model.point("P", "planet", (m * p2 / 2, 0))
    model.analysis = Analysis("kinematics", {"start": 0.0, "end": 1.0, "step": 1 / STEPS})
    return model.build()

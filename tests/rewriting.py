"""One random machine of the plane, written in several forms that must not matter: units, frames of bodies, which body
comes first in a joint, order of the tables, output step.

A machine is drawn in the world, in SI: places of its points and angles of its links. A form says how a file states it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

import mubo
from mubo.model import Units
from mubo.quantities.unit_algebra import measure
from mubo.quantities.unit_keys import SETS

SYSTEMS = {
    **SETS,
    "mm, N": {"length": "mm", "force": "N"},
    "cm, g, ms": {"length": "cm", "mass": "g", "time": "ms", "angle": "deg", "angular_velocity": "rpm"},
}
KINDS = ("units", "frames", "first body", "order", "step")
STUDIES = ("kinematics", "inverse", "simulate", "statics", "linearize")


@dataclass(frozen=True)
class Form:
    """How a machine is written; the plain form is SI, bodies as they are drawn, ground first, in order."""

    units: str = "SI"
    frames: dict[str, tuple[complex, float]] = field(default_factory=dict)  # place of the origin, angle of its axes
    swapped: frozenset[str] = frozenset()  # joints whose second body is written first
    order: tuple[int, ...] = ()
    finer: int = 1  # output steps to one of the plain form


@dataclass(frozen=True)
class World:
    """A four-bar or a slider-crank: places in the world at the start, masses and loads."""

    seed: int
    pins: dict[str, complex]
    links: dict[str, tuple[str, ...]]  # body: its points
    joints: dict[str, tuple[str, str]]
    slide: complex | None  # direction of the guide of a slider-crank
    masses: dict[str, tuple[float, float, complex]]  # mass, inertia, place of the centre
    speed: float
    free: bool  # without its driver


def world_of(seed: int, free: bool) -> World:
    """A machine whose crank turns fully: Grashof's condition holds with a margin, or its rod is longer than the crank.

    `free`: without its driver, started with its speed.
    """
    random = np.random.default_rng([27, seed])
    size = float(10 ** random.uniform(-1.5, 0.3))
    crank, turn = 1.0, random.uniform(-np.pi, np.pi)
    pins = {"A": 0j, "B": crank * np.exp(1j * turn)}
    links = {"crank": ("A", "B"), "coupler": ("B", "C", "P")}
    joints = {"A": ("ground", "crank"), "B": ("crank", "coupler")}
    slide = None
    if random.random() < 0.5:  # a four-bar: s + l < p + q
        base = random.uniform(2.6, 3.2) * np.exp(1j * random.uniform(-np.pi, np.pi))
        rod, rocker = random.uniform(2.4, 3.0), random.uniform(2.0, 2.6)
        pins |= {"D": base, "C": _corner(pins["B"], base, rod, rocker)}
        links["rocker"] = ("D", "C")
        joints |= {"C": ("coupler", "rocker"), "D": ("ground", "rocker")}
    else:
        slide = np.exp(1j * random.uniform(-np.pi, np.pi))
        away, rod = random.uniform(-0.4, 0.4), random.uniform(2.5, 3.5)
        across = (pins["B"] / slide).imag - away
        pins["C"] = slide * ((pins["B"] / slide).real + np.sqrt(rod**2 - across**2) + 1j * away)
        pins["G"] = slide * 1j * away
        links["block"] = ("C",)
        joints |= {"C": ("coupler", "block"), "guide": ("ground", "block")}
    pins["P"] = (pins["B"] + pins["C"]) / 2 + complex(*random.normal(scale=0.3, size=2))
    pins["S"] = complex(*random.normal(size=2)) + 3j
    masses = {
        name: (
            float(random.uniform(0.2, 3)) * size,
            float(random.uniform(0.02, 0.3)) * size**3,
            size * (sum(pins[p] for p in on) / len(on) + complex(*random.normal(scale=0.1, size=2))),
        )
        for name, on in links.items()
    }
    speed = float(random.choice([-1, 1]) * random.uniform(2, 12))
    return World(seed, {n: size * z for n, z in pins.items()}, links, joints, slide, masses, speed, free)


def _corner(one: complex, two: complex, first: float, second: float) -> complex:
    """Third corner of a triangle by the lengths of its sides from two corners."""
    far = abs(two - one)
    along = (first**2 - second**2 + far**2) / (2 * far)
    return one + (two - one) / far * (along + 1j * np.sqrt(first**2 - along**2))


def form_of(world: World, kind: str, seed: int) -> Form:
    """A random form that differs from the plain one in one respect, or in "all"."""
    random = np.random.default_rng([28, seed])
    size = max(abs(z) for z in world.pins.values())
    form, every = Form(), kind == "all"
    if every or kind == "units":
        form = replace(form, units=str(random.choice([name for name in SYSTEMS if name != "SI"])))
    if every or kind == "frames":
        frames = {name: (size * complex(*random.normal(size=2)), float(random.uniform(-3, 3))) for name in world.links}
        form = replace(form, frames=frames)
    if every or kind == "first body":
        chosen = [name for name in world.joints if random.random() < 0.6] or ["A"]
        form = replace(form, swapped=frozenset(chosen))
    if every or kind == "order":
        form = replace(form, order=tuple(int(k) for k in random.permutation(8)))
    if every or kind == "step":
        form = replace(form, finer=int(random.choice([2, 3])))
    return form


class Writer:
    """Writes a machine in a form."""

    def __init__(self, world: World, form: Form) -> None:
        self.world, self.form, self.units = world, form, Units.declare(SYSTEMS[form.units])
        self.length, self.force = self.si("length"), self.si("force")
        self.model = mubo.Model("machine", SYSTEMS[form.units], gravity=(0, -9.81 / self.si("length/time^2")))
        self.ground, self.frames = 0j, {name: (world.pins[on[0]], 0.0) for name, on in world.links.items()}
        self.frames |= form.frames

    def si(self, kind: str) -> float:
        return self.units.unit(kind).si

    def in_frame(self, body: str, place: complex) -> tuple[float, float]:
        """A place of the world in the axes of a body, in the unit of length."""
        origin, angle = self.frames.get(body, (0j, 0.0))
        z = (place - origin) * np.exp(-1j * angle) / self.length
        return float(z.real), float(z.imag)

    def write(self) -> mubo.Model:
        for name in ("A", "D", "S", "G"):
            if name in self.world.pins:
                self.model.ground.point(name, self.in_frame("ground", self.world.pins[name]))
        for part in self._ordered(list(self.world.links)):
            self._body(part)
        for name in self._ordered(list(self.world.joints)):
            self._joint(name)
        for load in self._ordered([self._strut, self._push, self._coil]):
            load()
        self.model.point("P", "coupler", self.in_frame("coupler", self.world.pins["P"]))
        drawn, sense = self.frames["crank"][1] / self.si("angle"), -1.0 if "A" in self.form.swapped else 1.0
        speed = sense * self.world.speed / self.si("angle/time")
        if self.world.free:
            self.model.initial("A", q=sense * drawn, v=speed)
        else:
            self.model.driver("motor", "A", {"rate": speed, "start": sense * drawn})
        return self.model

    def _ordered(self, parts: list) -> list:
        rank = self.form.order or tuple(range(8))
        return [part for _, part in sorted(zip(rank, parts, strict=False), key=lambda pair: pair[0])]

    def _body(self, name: str) -> None:
        (origin, angle), (mass, inertia, center) = self.frames[name], self.world.masses[name]
        self.model.body(
            name,
            position=(origin.real / self.length, origin.imag / self.length),
            angle=angle / self.si("angle"),
            points={point: self.in_frame(name, self.world.pins[point]) for point in self.world.links[name]},
            mass=mass / self.si("mass"),
            inertia=inertia / self.si("mass*length^2"),
            center=self.in_frame(name, center),
        )

    def _joint(self, name: str) -> None:
        bodies = self.world.joints[name][:: -1 if name in self.form.swapped else 1]
        if name != "guide":
            self.model.revolute(name, *(f"{body}.{name}" for body in bodies))
            return
        ends = {"ground": "ground.G", "block": "block.C"}
        axis = self.world.slide * np.exp(-1j * (self.frames["block"][1] if bodies[0] == "block" else 0.0))
        self.model.translational(name, *(ends[body] for body in bodies), axis=(float(axis.real), float(axis.imag)))

    def _strut(self) -> None:
        sizes = {
            "stiffness": 40 / self.si("force/length"),
            "length": 0.5 * abs(self.world.pins["S"]) / self.length,
            "damping": 0.3 / self.si("force*time/length"),
        }
        self.model.force("strut", "spring", "ground.S", "coupler.P", **sizes)

    def _push(self) -> None:
        size = f"{3 / self.force!r}*(1 + {0.1 * self.si('length/time')!r}*P.vx)"
        self.model.force("push", "point_force", "coupler.P", direction=(1, 2), force=size)

    def _coil(self) -> None:
        """A torsional spring on the crank, unloaded a radian before the drawn position."""
        sense, drawn = -1.0 if "A" in self.form.swapped else 1.0, self.frames["crank"][1]
        options = {"stiffness": 0.4 / self.si("torque/angle"), "rest": sense * (drawn - 1) / self.si("angle")}
        self.model.force("coil", "joint_spring", "A", **options)


def answers(world: World, form: Form, study: str) -> dict[str, np.ndarray]:
    """What does not depend on the form, in SI: the motion of P, forces of joints in the world, powers and energies."""
    writer = Writer(world, form)
    model = writer.write()
    if study == "linearize":
        found = model.linearize(about="position")
        per = writer.si("time")
        return {"roots": np.array(sorted(found.eigenvalues, key=lambda z: (abs(z), z.imag))) / per}
    if study == "statics":
        run = model.statics()
        rows = np.argsort(run["P.x"] * writer.length)
        return {name: (run[name] * si_of(run, name))[rows] for name in ("P.x", "P.y", "stability")}
    end, steps = 0.4 / writer.si("time"), 8
    given = {"rtol": 1e-10, "atol": 1e-12} if study == "simulate" else {}
    run = getattr(model, study)(0, end, step=end / steps / form.finer, **given)
    return {name: values[:: form.finer] for name, values in _of_run(run, world, form)}


def _of_run(run: mubo.Run, world: World, form: Form):
    for name in (f"P.{word}" for word in ("x", "y", "vx", "vy", "ax", "ay")):
        yield name, run[name] * si_of(run, name)
    for name in ("motor.power", "strut.power", "push.power", "energy.kinetic", "energy.total"):
        if name in run.columns:
            yield name, run[name] * si_of(run, name)
    sense = -1.0 if "A" in form.swapped else 1.0
    for name in ("A.v", "motor.effort"):
        if name in run.columns:
            yield name, sense * run[name] * si_of(run, name)
    for column in run.columns.of_kind("reaction"):
        joint, body = column.owner.split(".on_")
        if column.quantity in ("fx", "fy", "f"):
            sign = 1.0 if column.quantity == "f" or body == world.joints[joint][1] else -1.0  # actio is reactio
            yield f"{joint}.{column.quantity}", sign * run[column.name] * si_of(run, column.name)


def si_of(run: mubo.Run, name: str) -> float:
    return measure(run.unit(name))[0] if run.unit(name) else 1.0


def largest_difference(one: dict[str, np.ndarray], two: dict[str, np.ndarray]) -> tuple[float, str]:
    """Largest difference of two answers, relative to the largest value of the quantity, and its name."""
    assert one.keys() == two.keys()
    out = (0.0, "")
    for name, values in one.items():
        if values.shape != two[name].shape:
            return np.inf, f"{name}: {len(values)} and {len(two[name])} values"
        kind = [n for n in one if n.partition(".")[2][:1] == name.partition(".")[2][:1]]
        scale = max(float(np.max(np.abs(one[n]), initial=0.0)) for n in kind)
        away = float(np.max(np.abs(values - two[name]), initial=0.0)) / (scale or 1.0)
        out = max(out, (away, name))
    return out

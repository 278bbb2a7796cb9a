"""Random vehicles and stones that roll, by seed: energy is kept, and the same physics in other units, body frames,
order of tables, formulation and output step gives the same motion.

Families: "stone" (an ellipsoid, disc or ball with its centre of mass anywhere), "bicycle" (frame, fork, two wheels),
"tray" (a ball on a table that turns freely about a tilted shaft), "snake" (a chain in the plane with knife edges).

    python tests/campaigns/rolling.py --seconds 60 --first 1
"""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation
from tallied import campaign

import mubo

FAMILIES = ("stone", "bicycle", "tray", "snake")
END, STEP = 0.6, 0.1
FINE = {"rtol": 1e-10, "atol": 1e-11}
SAME = 2e-6  # of the sizes, metres and radians: 0.6 s of motions that may be unstable, at these tolerances
KEPT = 1e-7  # of the energy


@dataclass
class Body:
    """Mass, centre of mass and inertia about it, in ground axes as drawn, SI."""

    mass: float
    center: np.ndarray
    inertia: np.ndarray


@dataclass
class World:
    """What moves: bodies, joints as (kind, ends as (body, place), options) and initial rates of bodies and joints.

    Options that are directions name the end in whose axes they are written: ("second", vector).
    """

    gravity: np.ndarray
    bodies: dict = field(default_factory=dict)
    joints: dict = field(default_factory=dict)
    spins: dict = field(default_factory=dict)
    rates: dict = field(default_factory=dict)


@dataclass
class Form:
    """How it is written: units of length and mass in metres and kilograms, a frame for every body, and the order."""

    length: float = 1.0
    mass: float = 1.0
    frames: dict = field(default_factory=dict)
    backwards: bool = False

    def frame(self, name):
        return self.frames.get(name, (np.zeros(3), Rotation.identity()))


UNITS = {1.0: "m", 1e-3: "mm", 1e-2: "cm"}


def written(world, form):
    """The model of a world."""
    units = {"length": UNITS[form.length], "mass": "g" if form.mass != 1 else "kg", "time": "s", "angle": "rad"}
    model = mubo.Model("rolling", dimension=3, units=units, gravity=tuple(world.gravity / form.length))
    points = {name: {} for name in (*world.bodies, "ground")}
    for joint, (_, ends, _) in world.joints.items():
        for body, at in ends:
            points[body][f"{joint}_{len(points[body])}"] = at
    sense = -1 if form.backwards else 1
    for name in list(world.bodies)[::sense]:
        body, (origin, axes) = world.bodies[name], form.frame(name)
        local = {key: tuple(axes.inv().apply(at - origin) / form.length) for key, at in points[name].items()}
        R = axes.as_matrix()
        model.body(
            name,
            tuple(origin / form.length),
            points=local,
            orientation=tuple(axes.as_quat(scalar_first=True)),
            mass=body.mass / form.mass,
            inertia=(R.T @ body.inertia @ R / form.length**2 / form.mass).tolist(),
            center=tuple(R.T @ (body.center - origin) / form.length),
        )
    for key, at in points["ground"].items():
        model.ground.point(key, tuple(at / form.length))
    for name in list(world.joints)[::sense]:
        kind, ends, options = world.joints[name]
        labels = [f"{body}.{key}" for body, at in ends for key in points[body] if key.startswith(f"{name}_")]
        given = {key: _option(form, ends, key, value) for key, value in options.items()}
        if kind in ("revolute", "planar"):  # as drawn
            first, second = (form.frame(body)[1] for body, _ in ends)
            given["zero"] = tuple((first.inv() * second).as_quat(scalar_first=True))
        model.joint(name, kind, *labels, **given)
    for name, omega in world.spins.items():
        model.initial(name, omega=tuple(omega))
    for name, rate in world.rates.items():
        model.initial(name, v=rate)
    return model


def _option(form, ends, key, value):
    if isinstance(value, tuple) and value and value[0] in ("first", "second"):
        return tuple(form.frame(ends[value[0] == "second"][0])[1].inv().apply(value[1]))
    return tuple(np.array(value) / form.length) if key == "semi_axes" else value / form.length


def inertia_of(rng, mass, size):
    """The tensor of six random points of equal mass."""
    places = rng.uniform(-1, 1, (6, 3)) * size
    places -= places.mean(axis=0)
    return mass / 6 * sum(np.dot(p, p) * np.eye(3) - np.outer(p, p) for p in places)


def stone(rng):
    """Shape axes along the frame of the body as drawn, which is a rotated one: the form keeps its frame."""
    kind, r = rng.choice(["ellipsoid", "disc", "ball"]), rng.uniform(0.05, 0.2)
    tilt = rng.uniform(-0.15, 0.15, 2)
    world = World(np.array([9.81 * tilt[0], 9.81 * tilt[1], -9.81]))
    up = np.array([0, 0, 1.0])
    options = {"axis": ("first", up)}
    height = r
    if kind == "ellipsoid":
        axes = r * rng.uniform(0.5, 1.5, 3)
        options["semi_axes"], height = axes, axes[2]
    else:
        options["radius"] = r
        if kind == "disc":
            options["axle"] = ("second", np.array([0.0, math.cos(0.3), math.sin(0.3)]))
            height = r * math.cos(0.3)
    center = np.array([0.1, -0.2, height])
    world.bodies["stone"] = Body(2.0, center + rng.uniform(-0.2, 0.2, 3) * r, inertia_of(rng, 2.0, r))
    world.joints["road"] = ("rolling", (("ground", np.zeros(3)), ("stone", center)), options)
    world.spins["stone"] = rng.uniform(-5, 5, 3)
    return world, {"stone"} if kind == "ellipsoid" else set()


def bicycle(rng):
    wheelbase, rear, front = rng.uniform(0.8, 1.2), rng.uniform(0.25, 0.4), rng.uniform(0.25, 0.4)
    lean = Rotation.from_euler("x", rng.uniform(-0.15, 0.15))
    up, y = np.array([0, 0, 1.0]), lean.apply([0, 1, 0])
    at = {"rear": lean.apply([0, 0, rear]), "front": lean.apply([wheelbase, 0, front])}
    steer = lean.apply([math.sin(0.3), 0, -math.cos(0.3)])
    head = lean.apply([wheelbase - 0.1, 0, 0.7])
    world = World(np.array([0, 0, -9.81]))
    world.bodies["frame"] = Body(60.0, lean.apply([0.4, rng.uniform(-0.02, 0.02), 0.8]), inertia_of(rng, 60.0, 0.4))
    world.bodies["fork"] = Body(4.0, lean.apply([wheelbase - 0.1, 0, 0.6]), inertia_of(rng, 4.0, 0.2))
    for name, radius in (("rear", rear), ("front", front)):
        spin = 3.0 * radius**2
        about = np.diag([spin / 2, spin, spin / 2])
        world.bodies[name] = Body(3.0, at[name], lean.as_matrix() @ about @ lean.as_matrix().T)
        ends = (("ground", np.zeros(3)), (name, at[name]))
        options = {"axis": ("first", up), "radius": radius, "axle": ("second", y)}
        world.joints[f"road_{name}"] = ("rolling", ends, options)
    world.joints["steer"] = ("revolute", (("frame", head), ("fork", head)), {"axis": ("first", steer)})
    world.joints["hub_rear"] = ("revolute", (("frame", at["rear"]), ("rear", at["rear"])), {"axis": ("first", y)})
    world.joints["hub_front"] = ("revolute", (("fork", at["front"]), ("front", at["front"])), {"axis": ("first", y)})
    world.rates = {"hub_rear": rng.uniform(5, 15), "steer": rng.uniform(-0.3, 0.3)}
    return world, set()


def tray(rng):
    shaft = Rotation.from_euler("xy", rng.uniform(-0.1, 0.1, 2)).apply([0, 0, 1.0])
    r = rng.uniform(0.04, 0.1)
    across = np.cross(shaft, [1.0, 0, 0])
    place = 0.3 * across / np.linalg.norm(across)
    ball = place + r * shaft
    world = World(np.array([0, 0, -9.81]))
    world.bodies["tray"] = Body(5.0, 0.02 * place, inertia_of(rng, 5.0, 0.4))
    world.bodies["ball"] = Body(1.0, ball, 0.4 * r * r * np.eye(3))
    world.joints["shaft"] = ("revolute", (("ground", np.zeros(3)), ("tray", np.zeros(3))), {"axis": ("first", shaft)})
    options = {"axis": ("first", shaft), "radius": r}
    world.joints["road"] = ("rolling", (("tray", np.zeros(3)), ("ball", ball)), options)
    world.rates = {"shaft": rng.uniform(1, 4)}
    world.spins = {"ball": rng.uniform(-3, 3, 3)}
    return world, set()


def snake(rng):
    """A chain on ice: edges behind each other, two of them side by side and redundant."""
    count, length = int(rng.integers(2, 5)), 0.5
    world = World(np.array([0.0, 0, -9.81]))
    up, at = np.array([0, 0, 1.0]), np.zeros(3)
    for k in range(count):
        heading = Rotation.from_euler("z", rng.uniform(-0.8, 0.8))
        along, side = heading.apply([1.0, 0, 0]), heading.apply([0, 0.2, 0])
        name = f"link_{k}"
        middle = at - 0.5 * length * along
        world.bodies[name] = Body(1.0, middle + rng.uniform(-0.1, 0.1) * along, inertia_of(rng, 1.0, 0.3))
        if k == 0:
            ends = (("ground", np.zeros(3)), (name, at))
            world.joints["ice"] = ("planar", ends, {"axis": ("first", up)})
        else:
            world.joints[f"pin_{k}"] = ("revolute", ((f"link_{k - 1}", at), (name, at)), {"axis": ("first", up)})
        for mark, place in (("a", middle + side), ("b", middle - side)) if k == 1 else (("a", middle),):
            options = {"axis": ("first", up), "edge": ("second", along)}
            world.joints[f"edge_{k}{mark}"] = ("knife_edge", (("ground", np.zeros(3)), (name, place)), options)
        at = at - length * along
    world.spins = {"link_0": np.array([0, 0, rng.uniform(0.5, 2.0)])}
    return world, set()


MAKERS = {"stone": stone, "bicycle": bicycle, "tray": tray, "snake": snake}


def centres(world, form, run):
    """Centres of mass over the rows, in metres: they belong to the physics, origins to the form."""
    out = []
    for name, body in world.bodies.items():
        origin, axes = form.frame(name)
        R = Rotation.from_quat(np.stack([run[f"{name}.q{k}"] for k in "wxyz"], 1), scalar_first=True)
        place = np.stack([run[f"{name}.{k}"] for k in "xyz"], 1) * form.length
        out.append(place + R.apply(axes.inv().apply(body.center - origin)))
    return np.concatenate(out, axis=1)


def case(seed, family):
    """An outcome and what was seen."""
    rng = np.random.default_rng(seed)
    world, fixed = MAKERS[family](rng)
    plain = Form()
    try:
        run = written(world, plain).simulate(end=END, step=STEP, **FINE)
    except mubo.MuboError as error:
        return "WRONG: refused", str(error)
    if run.summary["status"] != "ok":
        return "skipped: it falls", run.summary["events"][-1]["message"] if run.summary["events"] else ""
    first = centres(world, plain, run)
    scale = max(1.0, float(np.max(np.abs(run["energy.kinetic"]))), float(np.max(np.abs(run["energy.potential"]))))
    if (lost := float(np.max(np.abs(run["energy.error"]))) / scale) > KEPT:
        return "WRONG: energy", f"{lost:.1e}"
    frames = {
        name: (rng.uniform(-0.3, 0.3, 3), Rotation.random(random_state=int(rng.integers(1 << 30))))
        for name in world.bodies
        if name not in fixed
    }
    others = {
        "absolute": (plain, {"formulation": "absolute"}),
        "output step": (plain, {"step": STEP / 2}),
        "units": (Form(length=1e-3, mass=1e-3), {}),
        "frames": (Form(frames=frames), {}),
        "order": (Form(backwards=True), {}),
    }
    for what, (form, more) in others.items():
        try:
            again = written(world, form).simulate(end=END, **{"step": STEP, **FINE, **more})
        except mubo.MuboError as error:
            return f"WRONG: {what} refused", str(error)
        rows = slice(None, None, 2) if what == "output step" else slice(None)
        away = float(np.max(np.abs(centres(world, form, again)[rows] - first)))
        if not away < SAME:
            return f"WRONG: {what}", f"{away:.1e} m apart"
    return "right", ""


if __name__ == "__main__":
    campaign(__doc__, FAMILIES, case)

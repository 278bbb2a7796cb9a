"""True of forces in every mechanism: free bodies balance, power is bookkept, nothing depends on frame or units."""

import tomllib
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from force_mechanisms import FORCES, covering, heavy, moved, over, random_tree
from newton_euler import FreeBodies

import mubo
from mubo.elements import loads_of
from mubo.formats.toml import native_model
from mubo.legacy.wittenburg import System

EXAMPLES = covering()


def balanced(model, run):
    """Newton and Euler, and the power of drivers and loads against the rate of energy; answers the free bodies."""
    free = FreeBodies(model, run)
    assert free.residual() < 1e-10
    powers_match(model, run, free)
    return free


def powers_match(model, run, free):
    loads = [run[f"{name}.power"] for name in model.forces]
    given = free.driver_power() + sum(loads, np.zeros(len(run["t"])))
    needed = free.needed_power()
    size = max(float(np.max(np.abs(part))) for part in (free.driver_power(), needed, *loads))
    assert np.max(np.abs(given - needed)) < 1e-10 * size
    assert run.summary["power_residual"] < 1e-10


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_joint_in_balance(path):
    model = heavy(path)
    run = over(model)
    free = balanced(model, run)
    ground = np.hstack(free.on_ground())
    if all(len(group) == 1 for group in free.groups):  # what couplings do to the frame has no columns
        words = ("fx", "fy", "m") if "shaking.fz" not in run.columns else ("fx", "fy", "fz", "mx", "my", "mz")
        told = np.column_stack([run[f"shaking.{word}"] for word in words])
        np.testing.assert_allclose(told, ground, rtol=0, atol=1e-9 * max(free.largest, np.max(np.abs(ground))))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_actio_is_reactio(path):
    model = heavy(path)
    run = over(model, 2)
    for place in run.record.forces.places:
        if len(place.others) == 1 and not model.kinds[model.joints[place.joint].kind].couples:
            here, there = (run.reaction(place.joint, on=body) for body in (place.body, place.others[0]))
            np.testing.assert_array_equal(here.force, -there.force)
            np.testing.assert_array_equal(here.moment, -there.moment)
            np.testing.assert_array_equal(here.point, there.point)


@pytest.mark.parametrize("ends", [*permutations(("ground.P", "a.P", "b.P"))])
def test_a_pin_of_three_does_not_depend_on_the_order_of_its_ends(ends):
    """Two arms on one pin of the ground, and two more at the end of the first: every link is told by itself."""
    model = mubo.Model("star", gravity=(1, -9.81))
    model.ground.point("P", (0.2, 0.1))
    arm = {"mass": 1.3, "inertia": 0.1, "center": (0.3, 0.1)}
    for k, (name, at, angle) in enumerate((("a", "P", 1.0), ("b", "P", 2.0), ("c", "T", -0.5), ("d", "T", 0.5))):
        model.body(name, (0.2, 0.1) if at == "P" else (0.85, 1.1), angle, {"P": (0, 0), "T": (1.2, 0)}, **arm)
        model.driver(f"turn_{name}", f"{name}.phi", f"{angle} + 0.{k + 3}*sin(2*t)")
    model.revolute("P", *ends)
    model.revolute("T", "d.P", "a.T", "c.P")
    run = model.inverse(0, 1, step=0.25)
    balanced(model, run)
    weight = 4 * 1.3 * 9.81
    assert np.mean(run["P.on_a.fy"] + run["P.on_b.fy"]) > weight / 2
    for word in ("fx", "fy"):
        for joint, links in (("P", ("a", "b", "ground")), ("T", ("a", "c", "d"))):
            np.testing.assert_allclose(sum(run[f"{joint}.on_{link}.{word}"] for link in links), 0, atol=1e-12 * weight)


def test_angles_of_segments_have_the_differences_of_joint_moments():
    """A driver acts between the bodies that its coordinate joins: thigh and shank driven by their own angles against
    the ground, or by the angles of hip and knee."""
    efforts = {}
    for way in ("segments", "joints"):
        model = mubo.Model("leg", gravity=(0, -9.81))
        model.ground.point("hip", (0, 0.9))
        for name, top, end in (("thigh", "hip", "knee"), ("shank", "knee", "ankle")):
            limb = {"mass": 7.0, "inertia": 0.1, "center": (0.19, 0)}
            model.body(name, (0, 0.9 if top == "hip" else 0.46), -1.5, {top: (0, 0), end: (0.44, 0)}, **limb)
        model.revolute("hip", "ground.hip", "thigh.hip")
        model.revolute("knee", "thigh.knee", "shank.knee")
        thigh, shank = "-1.5 + 0.4*sin(6*t)", "-1.7 + 0.5*sin(6*t + 1)"
        if way == "segments":
            model.driver("hip_drive", "thigh.phi", thigh)
            model.driver("knee_drive", "shank.phi", shank)
        else:
            model.driver("hip_drive", "hip", thigh)
            model.driver("knee_drive", "knee", f"({shank}) - ({thigh})")
        run = model.inverse(0, 1, step=0.25)
        balanced(model, run)
        efforts[way] = [run[f"{joint}_drive.effort"] for joint in ("hip", "knee")]
    hip, knee = efforts["joints"]
    np.testing.assert_allclose(efforts["segments"][0], hip - knee, rtol=0, atol=1e-9)
    np.testing.assert_allclose(efforts["segments"][1], knee, rtol=0, atol=1e-9)


def machine(dimension):
    """A slider-crank with masses; in space the one of the reference answers. Bodies, points and joints by role."""
    model = mubo.load(FORCES / ("guide_friction.toml" if dimension == 2 else "spatial_slider_crank.toml"))
    model.forces.clear()
    return model


ON = {
    2: {"at": ("rod.C",), "body": ("rod",), "of": ("A",), "points": ("ground.G", "rod.B"), "bodies": ("crank", "rod")},
    3: {
        "at": ("conrod.C",),
        "body": ("conrod",),
        "of": ("A",),
        "points": ("ground.A", "conrod.C"),
        "bodies": ("crank", "conrod"),
    },
}


@pytest.mark.parametrize(("dimension", "kind"), [(n, kind) for n in (2, 3) for kind in loads_of(n)])
def test_every_load_in_balance(dimension, kind):
    """With the numbers that its declaration gives as examples; bodies balance where its direction is known here."""
    model, element = machine(dimension), loads_of(dimension)[kind]
    key = element.key if element.key != "between" else "bodies" if element.ends == "body" else "points"
    given = {o.name: o.example for o in element.options if o.example is not None}
    if "coulomb" in given:
        given.pop("effort")
    model.force("F", kind, *ON[dimension][key], **given)
    run = over(model)
    free = FreeBodies(model, run)
    powers_match(model, run, free)
    if free.knows(model.forces["F"]):
        assert free.residual() < 1e-10
    assert np.any(run["F.power"]) or np.any(run["F.torque" if "F.torque" in run.columns else "F.force"])


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_has_the_efforts_of_the_recursion(seed):
    """M a + Jᵀλ = Q in absolute coordinates against RNEA in joint coordinates and Wittenburg's A q̈ − B."""
    model = random_tree(seed)
    system = System(model.build())
    order = [model.state_names.v.index(name) for name in system.rates]
    run = model.inverse(0, 0.6, step=0.2)
    balanced(model, run)
    names = model.state_names.v
    drivers = {driver.of if "." in driver.of else f"{driver.of}.q": name for name, driver in model.drivers.items()}
    for k in range(len(run["t"])):
        q, v, a = ([float(run[name.replace(".v", f".{w}")][k]) for name in names] for w in "qva")
        efforts = [run[f"{drivers[name.replace('.v', '.q')]}.effort"][k] for name in names]
        tau = model.inverse_dynamics(q, v, a)
        np.testing.assert_allclose(efforts, tau, rtol=0, atol=1e-10 * np.max(np.abs(tau)))
        A, B = system.matrices(np.array(q)[order], np.array(v)[order])
        np.testing.assert_allclose(A @ np.array(a)[order] - B, tau[order], rtol=0, atol=1e-10 * np.max(np.abs(tau)))


JOINT_DRIVEN = ("eight_bodies", "eleven_bar_one_pin", "robot", "rsur", "door_two_hinges", "four_bar_of_hinges")


@pytest.mark.parametrize(("name", "seed"), [*product(JOINT_DRIVEN, range(2))])
def test_nothing_depends_on_the_frame_of_the_ground(name, seed):
    model = mubo.load(FORCES / f"{name}.toml")
    other, R = moved(model, seed)
    here, there = over(model), over(other)
    for driver in model.drivers:
        size = np.max(np.abs(here[f"{driver}.effort"])) or 1.0
        np.testing.assert_allclose(there[f"{driver}.effort"], here[f"{driver}.effort"], rtol=0, atol=1e-8 * size)
    for place in here.record.forces.places:
        a, b = (run.reaction(place.joint, on=place.body) for run in (here, there))
        size = max(np.max(np.abs(a.force)), np.max(np.abs(a.moment)))
        np.testing.assert_allclose(b.force, a.force @ R.T, rtol=0, atol=1e-8 * size)
        turned = a.moment if model.dimension == 2 else a.moment @ R.T
        np.testing.assert_allclose(b.moment, turned, rtol=0, atol=1e-8 * size)


def in_millimetres(data):
    """The tables of a model file in mm, g and ms: forces are newtons as before, moments N mm."""
    length = {
        body: {k: scaled(v, 1e3) for k, v in given.items() if k in ("position", "center")}
        for body, given in data["body"].items()
    }
    for body, given in data["body"].items():
        length[body]["points"] = {k: scaled(v, 1e3) for k, v in given["points"].items()}
        length[body] |= (
            {"mass": given["mass"] * 1e3, "inertia": scaled(given["inertia"], 1e9)} if "mass" in given else {}
        )
    slides = {name for name, joint in data["joint"].items() if joint["type"] in ("translational", "prismatic")}
    for driver in data["driver"].values():
        size = 1e3 if driver["of"] in slides else 1.0
        law = driver["motion"]
        if "polynomial" in law:
            law["polynomial"] = [size * c * 1e-3**k for k, c in enumerate(law["polynomial"])]
        else:
            law["harmonic"] |= {k: size * law["harmonic"][k] for k in ("mean", "amplitude")}
            law["harmonic"]["rate"] *= 1e-3
    for force in data.get("force", {}).values():
        force |= {"torque": scaled(force["torque"], 1e3)} if "torque" in force else {}
    data["analysis"] |= {k: data["analysis"][k] * 1e3 for k in ("start", "end", "step")}
    units = {"length": "mm", "angle": "rad", "mass": "g", "time": "ms"}
    bodies = {body: {**given, **length[body]} for body, given in data["body"].items()}
    return data | {"units": units, "gravity": scaled(data["gravity"], 1e-3), "body": bodies}


def scaled(value, factor):
    return [factor * x for x in value] if isinstance(value, list) else factor * value


@pytest.mark.parametrize("name", ["four_bar", "eight_bodies", "rsur", "spatial_slider_crank", "door_two_hinges"])
def test_nothing_depends_on_units(name):
    """The minimum norm of the door neither: its length scale is a metre in every unit."""
    model = mubo.load(FORCES / f"{name}.toml")
    data = in_millimetres(tomllib.loads((FORCES / f"{name}.toml").read_text()))
    small = mubo.Model.from_definition(native_model(data, Path(name)))
    here, there = over(model), over(small)
    for driver in model.drivers:
        factor = 1e3 if here.columns.column(f"{driver}.value").holds == "angle" else 1.0
        size = np.max(np.abs(here[f"{driver}.effort"])) or 1.0
        np.testing.assert_allclose(
            there[f"{driver}.effort"] / factor, here[f"{driver}.effort"], rtol=0, atol=1e-8 * size
        )
    for place in here.record.forces.places:
        a, b = (run.reaction(place.joint, on=place.body) for run in (here, there))
        size = max(np.max(np.abs(a.force)), np.max(np.abs(a.moment)))
        np.testing.assert_allclose(b.force, a.force, rtol=0, atol=1e-8 * size)
        np.testing.assert_allclose(b.moment / 1e3, a.moment, rtol=0, atol=1e-8 * size)
        assert a.unique == b.unique

"""True for every column of every kind of run: it is the derivative that its schema says, and its unit is its unit."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from conftest import DATA, EXAMPLES
from force_mechanisms import covering, heavy, over

import mubo
from mubo.model.column_names import quantities_of
from mubo.results import Column, Columns

SI = {"m": 1.0, "mm": 1e-3, "rad": 1.0, "deg": math.pi / 180, "kg": 1.0, "g": 1e-3, "s": 1.0, "ms": 1e-3}
SI |= {"N": 1.0, "J": 1.0, "W": 1.0}
METRES = {"length": "m", "angle": "rad", "mass": "kg", "time": "s"}
MILLIMETRES = {"length": "mm", "angle": "deg", "mass": "g", "time": "ms"}


def in_si(unit):
    """ "g mm^2/ms^2" in kg m²/s²: units over the dash are multiplied, those under it divide."""
    over, _, under = unit.partition("/")
    size = 1.0
    for text, sign in ((over, 1), (under, -1)):
        for name, power in re.findall(r"([A-Za-z]+)(?:\^(\d))?", text):
            size *= SI[name] ** (sign * int(power or 1))
    return size


def slider_crank(units):
    length, angle, _, time = (SI[units[k]] for k in ("length", "angle", "mass", "time"))
    model = mubo.Model("slider crank", units)
    model.ground.point("O", (0, 0))
    model.body("crank", (0, 0), 0.5 / angle, {"O": (0, 0), "A": (0.3 / length, 0)})
    model.body("rod", (0.26 / length, 0.14 / length), -0.15 / angle, {"A": (0, 0), "B": (0.9 / length, 0)})
    model.body("piston", (1.15 / length, 0), 0, {"B": (0, 0)})
    model.revolute("O", "ground.O", "crank.O")
    model.revolute("A", "crank.A", "rod.A")
    model.revolute("B", "rod.B", "piston.B")
    model.translational("guide", "ground.O", "piston.B", (1, 0), 0)
    model.point("P", "rod", (0.5 / length, 0.1 / length))
    model.driver("motor", "crank.phi", f"{0.5 / angle!r} + {2 * time / angle!r}*t")
    return model.kinematics(0, 0.5 / time, 0.01 / time, transmission=True)


def slewing_crane(units):
    """A post turns and a trolley runs out by drivers; a bob hangs on it by a ball joint, with a flag that flaps."""
    length, angle, mass, time = (SI[units[k]] for k in ("length", "angle", "mass", "time"))
    model = mubo.Model("crane", units, dimension=3, gravity=(0, 0, -9.81 * time**2 / length))
    inertia = [x / (mass * length**2) for x in (0.3, 0.2, 0.25)]
    model.ground.point("O", (0, 0, 0))
    for name in ("post", "trolley", "bob", "flag"):
        points = {"O": (0, 0, 0), "E": (0, 0.1 / length, -0.6 / length)}
        model.body(name, points=points, mass=2 / mass, inertia=inertia, center=(0.1 / length, 0, -0.4 / length))
    model.revolute("slew", "ground.O", "post.O", axis=(0, 0, 1))
    model.joint("run", "prismatic", "post.O", "trolley.O", axis=(1, 0, 0))
    model.joint("hang", "spherical", "trolley.E", "bob.O")
    model.revolute("flap", "bob.E", "flag.O", axis=(1, 0, 0))
    model.point("tip", "flag", (0, 0, -0.2 / length))
    model.driver("slewing", "slew", f"{0.3 / angle!r} + {0.5 * time**2 / angle!r}*t**2")
    model.driver("running", "run", f"{1 / length!r} + {0.4 * time**2 / length!r}*t**2")
    return model.simulate(0, 0.5 / time, 0.01 / time)


@pytest.mark.parametrize("machine", [slider_crank, slewing_crane])
def test_every_column_has_its_unit(machine):
    """The same machine in m, rad, kg, s and in mm, deg, g, ms: numbers times units are the same, column by column."""
    one, two = machine(METRES), machine(MILLIMETRES)
    assert list(one.columns) == list(two.columns)
    for name in one.columns:
        here, there = (run[name] * in_si(run.columns.unit(name)) for run in (one, two))
        np.testing.assert_allclose(there, here, rtol=1e-6, atol=1e-7 * max(1, np.max(np.abs(here))), err_msg=name)
    known = {one.columns.unit(name) for name in one.columns}
    assert known >= ({"s", "m", "m/s", "m/s^2", "rad", "rad/s"} | ({"N", "N m", "J"} if one.model.gravity else set()))


def deck():
    return mubo.load(DATA / "okins_type1.deck").kinematics(0, 1, 0.01)


def hooke():
    return mubo.load(EXAMPLES / "hooke_joint.toml").kinematics(0, 0.2, 0.001)


RUNS = {
    "plane": lambda: slider_crank(MILLIMETRES),
    "space": hooke,
    "tree": lambda: slewing_crane(MILLIMETRES),
    "deck": deck,
}


@pytest.mark.parametrize("name", RUNS)
def test_a_derivative_is_what_the_difference_of_rows_says(name):
    """Over a step h a value changes by h times the mean rate, to h times the largest change of the rate in a step."""
    run = RUNS[name]()
    columns, h = run.columns, np.diff(run["t"])
    steps = h > 0  # a deck stands twice where its driver turns back
    for column in columns.schema:
        slope = columns.derivative(column.name)
        if slope is None:
            continue
        told = columns.column(slope)
        assert (told.kind, told.owner, told.order) == (column.kind, column.owner, column.order + 1)
        assert told.holds == column.holds
        rate, value = columns[slope], columns[column.name]
        off = (np.diff(value) - h * (rate[1:] + rate[:-1]) / 2)[steps]
        bend = np.max(np.abs(np.diff(rate)[steps]))
        np.testing.assert_allclose(off, 0, atol=np.max(h) * bend + 1e-9 * (1 + np.max(np.abs(value))), err_msg=slope)


@pytest.mark.parametrize("name", RUNS)
def test_what_has_no_derivative(name):
    """Accelerations, quaternions, lengths of links, efforts, energies, transmission and time; all else has one."""
    columns = RUNS[name]().columns
    without = {c.name: c for c in columns.schema if columns.derivative(c.name) is None}
    for column in without.values():
        quaternion = column.holds == "number" and column.kind in ("body", "joint")
        ends = column.kind in ("time", "energy", "transmission") or column.quantity in ("effort", "r")
        last = column.order == 2 or (column.kind == "driver" and column.order == 1)
        assert quaternion or ends or last, column
    assert all(column.order < 2 for column in columns.schema if column.name not in without)


def test_quaternions_go_on_through_full_turns():
    """A rotor at one turn a second: (cos φ/2, 0, 0, sin φ/2), which has the other sign after every turn."""
    model = mubo.Model("rotor", dimension=3, gravity=(0, 0, 0))
    model.ground.point("O", (0, 0, 0))
    model.body("rotor", points={"O": (0, 0, 0)}, mass=1.0, inertia=(1, 1, 1))
    model.revolute("A", "ground.O", "rotor.O", axis=(0, 0, 1))
    model.initial("A", 0.0, 2 * math.pi)
    run = model.simulate(0, 3, 0.1)
    p = np.stack([run[f"rotor.q{c}"] for c in "wxyz"], 1)
    half = math.pi * run["t"]
    np.testing.assert_allclose(p, np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], 1), atol=1e-8)
    coarse = model.simulate(0, 7, 0.7)  # 0.7 turns from row to row: p or −p, whichever is nearer to the row before
    p = np.stack([coarse[f"rotor.q{c}"] for c in "wxyz"], 1)
    np.testing.assert_allclose(np.sum(p[1:] * p[:-1], axis=1), abs(math.cos(0.7 * math.pi)), atol=1e-8)


def test_columns_of_one_owner_are_told_apart_by_its_kind():
    """A body and a point may have the same name: the derivative of the one is not that of the other."""
    entries = [
        (Column(f"{kind} {word}", kind, "P", "x", order, "length"), np.zeros(2))
        for kind in ("body", "point")
        for order, word in enumerate(("x", "vx"))
    ]
    columns = Columns(mubo.Model().units, entries)
    assert [columns.derivative(name) for name in ("body x", "point x")] == ["body vx", "point vx"]
    assert [column.name for column in columns.of_kind("point", "P")] == ["point x", "point vx"]
    assert columns.of_kind("point", "Q") == []
    other = columns.replaced({"point x": np.ones(2)})
    assert [float(other[name][0]) for name in ("body x", "point x")] == [0.0, 1.0]
    assert float(columns["point x"][0]) == 0.0


@pytest.mark.parametrize("path", covering(), ids=lambda path: path.stem)
def test_what_joints_are_said_to_exert_is_what_a_run_tells(path):
    """Over every kind of joint, also with the ground as its second body: no column is promised and missing."""
    model = heavy(path)
    for name, joint in model.joints.items():
        if joint.kind in ("revolute", "spherical") and len(joint.between) == 2:
            model.joints[name] = replace(joint, between=joint.between[::-1])
            break
    kinds = ("reaction", "contact", "shaking")
    told = {column.name for column in over(model).columns.schema if column.kind in kinds}
    assert told == {column.name for column in quantities_of(model).values() if column.kind in kinds}

"""A unit of force: the same machine in m and kg, in mm with N, in mm and t, in inches and pounds is one machine."""

import math

import numpy as np
import pytest

import mubo
from mubo.quantities.unit_algebra import measure

POUND, GRAVITY = 0.45359237, 9.80665
# Declared units, and the sizes of the units of length, mass and force in which plain numbers then are, in m, kg, N.
SYSTEMS = {
    "m, kg": ({"length": "m", "mass": "kg"}, 1.0, 1.0, 1.0),
    "mm, N": ({"length": "mm", "force": "N"}, 1e-3, 1.0, 1.0),
    "mm, t": ({"length": "mm", "mass": "t"}, 1e-3, 1e3, 1.0),
    "mm, g, kN": ({"length": "mm", "mass": "g", "force": "kN"}, 1e-3, 1e-3, 1e3),
    "in, lb, lbf": ({"length": "in", "mass": "lb", "force": "lbf"}, 0.0254, POUND, POUND * GRAVITY),
    "mm, kg": ({"length": "mm", "mass": "kg"}, 1e-3, 1.0, 1e-3),
}


def _engine(system, *, function=True):
    """A slider-crank with every way in which masses and forces are written, by plain numbers."""
    units, length, mass, force = SYSTEMS[system]
    torque, inertia = force * length, mass * length**2
    model = mubo.Model("engine", units=units, gravity=(0, -9.81 / length))
    model.ground.point("A", (0, 0))
    model.ground.point("S", (0, 0.3 / length))
    crank = {"A": (0, 0), "B": (0.1 / length, 0)}
    model.body("crank", points=crank, mass=2 / mass, inertia=0.01 / inertia, center=(0.03 / length, 0), angle=0.3)
    sizes = {"kind": "bar", "between": ["B", "C"], "width": 0.02 / length, "thickness": 0.01 / length}
    rod, steel = {"B": (0, 0), "C": (0.3 / length, 0)}, 7850 / (mass / length**3)
    model.body("rod", points=rod, shape=sizes, density=steel, added_masses={"C": 0.1 / mass})
    model.body("piston", points={"C": (0, 0)}, mass=1 / mass, position=(0.4 / length, 0))
    for name, pair in {"A": "ground crank", "B": "crank rod", "C": "rod piston"}.items():
        model.revolute(name, *(f"{body}.{name}" for body in pair.split()))
    model.joint("guide", "translational", "ground.A", "piston.C", axis=(1, 0))
    model.driver("motor", "crank.phi", "0.3 + 10*t")
    gas = f"-{300 / force!r}*(1 + cos(crank.phi)) - {20 / (force / length)!r}*piston.vx"
    model.force("gas", "point_force", "piston.C", direction=(1, 0), force=gas)
    spring = {"stiffness": 500 / (force / length), "length": 0.1 / length, "damping": 3 / (force / length)}
    model.force("strut", "spring", "ground.S", "rod.C", **spring)
    brake = (lambda t: -2 / torque * math.cos(t)) if function else f"-{2 / torque!r}*cos(t)"
    model.force("brake", "body_torque", "crank", torque=brake)
    model.force("rub", "friction", "A", coulomb=0.1, radius=0.01 / length)
    model.force("coil", "joint_spring", "A", stiffness=4 / torque, damping=0.2 / torque, preload=1 / torque)
    model.measure("push", value="2*motor.power/piston.vx")
    return model


TOLD = ("motor.effort", "motor.power", "B.on_rod.f", "gas.force", "strut.force", "rub.torque", "energy.total", "push")


@pytest.mark.parametrize("system", list(SYSTEMS)[1:])
def test_one_machine_in_other_units(system):
    one, other = (_engine(name).inverse(0, 0.6, step=0.02) for name in ("m, kg", system))
    for name in (*TOLD, "shaking.m", "rub.power"):
        in_si = other[name] * measure(other.unit(name))[0]
        np.testing.assert_allclose(in_si, one[name], rtol=1e-9, atol=1e-11 * np.nanmax(np.abs(one[name])), err_msg=name)


@pytest.mark.parametrize(
    ("system", "units"),
    [
        ("m, kg", ["N m", "W", "N", "N", "N", "N m", "J", "m kg/s^2"]),
        ("mm, N", ["N mm", "N mm/s", "N", "N", "N", "N mm", "N mm", "N"]),
        ("mm, t", ["N mm", "N mm/s", "N", "N", "N", "N mm", "N mm", "mm t/s^2"]),
        ("in, lb, lbf", ["lbf in", "lbf in/s", "lbf", "lbf", "lbf", "lbf in", "lbf in", "lbf"]),
    ],
)
def test_columns_carry_the_unit_of_force(system, units):
    run = _engine(system).inverse(0, 0.1, step=0.1)
    assert [run.unit(name) for name in TOLD] == units


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("ending", ["toml", "json"])
def test_a_file_reads_back_to_the_same_model(tmp_path, system, ending):
    model = _engine(system, function=False)
    model.save(tmp_path / f"engine.{ending}")
    again = mubo.load(tmp_path / f"engine.{ending}")
    assert again.units == model.units
    one, other = model.build(), again.build()
    assert {b.name: b.whole for b in one.bodies.values()} == {b.name: b.whole for b in other.bodies.values()}
    assert {f.name: f.options for f in one.forces.values()} == {f.name: f.options for f in other.forces.values()}


def test_masses_with_a_unit_of_their_own():
    """Text says what it is: 2 kg, 2000 g and 2 in a model of mm and N are one mass, and 9.81 N/mm one stiffness."""
    model = mubo.Model("weights", units={"length": "mm", "force": "N"})
    for name, mass in {"one": "2 kg", "two": "2000 g", "three": 2, "four": "0.002 N s^2/mm"}.items():
        model.body(name, mass=mass, inertia="3 kg mm^2")
    bodies = model.build().bodies
    assert len({round(body.mass, 15) for body in bodies.values() if body.mass}) == 1
    np.testing.assert_allclose(bodies["one"].mass, 0.002)  # tonnes: N s²/mm
    np.testing.assert_allclose(bodies["one"].inertia, 0.003)


def test_a_weight_hangs_with_its_newtons():
    """m g = 2 kg · 9.81 m/s² = 19.62 N on a pin, and m g l/2 = 19.62 · 50 N mm on its driver."""
    model = mubo.Model("weight", units={"length": "mm", "force": "N", "angle": "deg"}, gravity=(0, -9810))
    model.ground.point("A", (0, 0))
    model.body("bar", points={"A": (0, 0), "B": (100, 0)}, mass=2, shape={"kind": "bar", "between": ["A", "B"]})
    model.revolute("A", "ground.A", "bar.A")
    model.driver("hold", "A", 0)
    run = model.statics(0, 1, step=1)
    np.testing.assert_allclose(run["A.on_bar.fy"], 19.62)
    np.testing.assert_allclose(run["hold.effort"], 19.62 * 50)
    assert run.unit("hold.effort") == "N mm"


def _lever(units, length, force, coil=True):
    model = mubo.Model("lever", units=units, gravity=(0, -9.81 / length))
    model.ground.point("A", (0, 0))
    points = {"A": (0, 0), "B": (1 / length, 0), "C": (-0.5 / length, 0)}
    model.body("lever", points=points, mass=2, inertia=0, center=points["B"])
    model.body("weight", points={"C": (0, 0)}, mass=1, inertia=0, position=points["C"])
    model.revolute("A", "ground.A", "lever.A")
    model.joint("C", "fixed", "lever.C", "weight.C", angle=0)
    model.driver("hold", "A", {"rate": "10 deg/s"})
    if coil:
        model.force("coil", "joint_spring", "A", stiffness=2 / (force * length), rest=0)
    return model


def test_balance_chooses_masses_and_angles_in_the_units_of_the_model():
    """2 kg at 1 m against m at 0.5 m: m = 4 kg. A coil that alone holds 19.62 − 4.905 N m at 0°, with 2 N m/rad:
    rest = 14.715/2 rad."""
    model = _lever({"length": "mm", "force": "N", "angle": "deg"}, 1e-3, 1.0, coil=False)
    run = model.statics(0, 1, step=0.5, balance=["weight.mass"])
    assert run.summary["balance"]["parameters"]["weight.mass"]["before"] == pytest.approx(1.0)
    assert run.summary["balance"]["parameters"]["weight.mass"]["after"] == pytest.approx(4.0)
    held = _lever({"length": "mm", "force": "N", "angle": "deg"}, 1e-3, 1.0)
    run = held.statics(0, 0, step=1, balance=["coil.rest"])
    wanted = math.degrees((2 * 9.81 * 1 - 9.81 * 0.5) / 2)
    assert run.summary["balance"]["parameters"]["coil.rest"]["after"] == pytest.approx(wanted)


def test_wrong_units_of_force_are_refused():
    with pytest.raises(mubo.ModelError, match='"Newton" is not a unit of force'):
        mubo.Model("x", units={"force": "Newton"})
    with pytest.raises(mubo.ModelError, match='"kg" is not a unit of force'):
        mubo.Model("x", units={"force": "kg"})

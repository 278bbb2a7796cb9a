"""A unit of each quantity: what is read and what is written follow one key, and the physics does not depend on it.

Every number below is one machine in SI; in other units each plain number is divided by the size of its unit in SI,
which is that of the SI Brochure (9th edition, 2019) and NIST SP 811, appendix B.
"""

import re

import numpy as np
import pytest

import mubo
from mubo.laws.number_text import unit_text
from mubo.model import Units
from mubo.quantities.unit_algebra import KINDS, measure, powers_of
from mubo.quantities.unit_keys import BASE, DERIVED, KEYS, SETS

ODD = {
    "length": "cm",
    "angle": "rev",
    "mass": "g",
    "time": "ms",
    "force": "kN",
    "velocity": "km/h",
    "acceleration": "ft/s^2",
    "angular_velocity": "deg/s",
    "angular_acceleration": "rpm/s",
    "torque": "lbf in",
    "energy": "kJ",
    "power": "hp",
    "pressure": "bar",
    "inertia": "kg mm^2",
    "density": "g/cm^3",
    "stiffness": "N/m",
    "torsional_stiffness": "N m/deg",
}
SYSTEMS = {**SETS, "odd": ODD, "deg, rpm": {"length": "m", "angle": "deg", "angular_velocity": "rpm"}}
QUANTITIES = [*KINDS, *DERIVED.values(), "force*time/length", "torque*time/angle", "force/length^3", "force/time"]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("kind", dict.fromkeys(QUANTITIES))
def test_a_number_is_read_and_written_in_one_unit(system, kind):
    """The value in the unit of its label times the size of that unit is the SI value, in both directions."""
    units = Units.declare(SYSTEMS[system])
    unit = units.unit(kind)
    if kind == "number":
        assert (unit.factor, unit.label) == (1.0, "")
        return
    size, powers = measure(unit.label)
    assert powers == powers_of(kind)
    assert unit.si == pytest.approx(size, rel=1e-14)
    assert units.read(3.0, kind) == pytest.approx(units.read(f"3 {unit.label}", kind), rel=1e-14)
    assert units.read(3.0, kind) == pytest.approx(3 * unit.factor, rel=1e-14)
    assert units.in_own(f"3 {unit.label}", kind) == pytest.approx(3.0, rel=1e-14)


@pytest.mark.parametrize("holds", ["length", "angle"])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_columns_have_the_units_of_their_keys(holds, order):
    key = {"length": ("length", "velocity", "acceleration"), "angle": ("angle", "angular_velocity")}[holds]
    key = (*key, "angular_acceleration")[order]
    assert Units.declare(ODD).unit_of(holds, order) == ODD[key]
    assert Units.declare({}).unit_of(holds, order) == ""


@pytest.mark.parametrize("system", SYSTEMS)
def test_labels_have_one_notation(system):
    """Typed labels have powers by ^ and products by spaces; what people read has raised powers: m/s²."""
    units = Units.declare(SYSTEMS[system])
    labels = [units.unit_of(kind) for kind in QUANTITIES]
    labels += [units.unit_of("length^2 mass^1 time^-3"), units.unit_of("length^4"), units.unit_of("length", 2)]
    for label in labels:
        assert re.fullmatch(r"[A-Za-z]*([ /(^)0-9A-Za-z]*)", label)
        assert not re.search(r"[\^*·]", unit_text(label))
        assert measure(unit_text(label)) == measure(label) or "⁴" in unit_text(label) or not label
    assert unit_text("m/s^2") == "m/s²"


def machine(system, simulated=False):
    """A slider-crank with every kind of plain number that a file may have."""
    units = Units.declare(SYSTEMS[system])
    si = {kind: units.unit(kind).si for kind in QUANTITIES}
    length = si["length"]
    model = mubo.Model("engine", SYSTEMS[system], gravity=(0, -9.81 / si["length/time^2"]))
    model.ground.point("A", (0, 0))
    model.ground.point("S", (0, 0.3 / length))
    points = {"A": (0, 0), "B": (0.1 / length, 0)}
    inertia = 0.01 / si["mass*length^2"]
    center = (0.03 / length, 0)
    angle = 0.3 / si["angle"]
    model.body("crank", points=points, mass=2 / si["mass"], inertia=inertia, center=center, angle=angle)
    bar = {"kind": "bar", "between": ["B", "C"], "width": 0.02 / length, "thickness": 0.01 / length}
    density = 7850 / si["mass/length^3"]
    model.body("rod", points={"B": (0, 0), "C": (0.3 / length, 0)}, shape=bar, density=density)
    model.body("piston", points={"C": (0, 0)}, mass=1 / si["mass"], position=(0.4 / length, 0))
    for name, pair in {"A": "ground crank", "B": "crank rod", "C": "rod piston"}.items():
        model.revolute(name, *(f"{body}.{name}" for body in pair.split()))
    model.joint("guide", "translational", "ground.A", "piston.C", axis=(1, 0))
    speed, torque = si["angle/time"], si["torque"]
    if simulated:
        model.initial("A", q=0.3 / si["angle"], v=10 / speed)
    else:
        model.driver("motor", "crank.phi", {"rate": 10 / speed, "start": 0.3 / si["angle"]})
    viscous = 20 * si["length/time"] / si["force"]  # a plain factor between two columns as they are written
    model.force(
        "gas", "point_force", "piston.C", direction=(1, 0), force=f"-{viscous!r}*piston.vx - {300 / si['force']!r}"
    )
    spring = {"stiffness": 500 / si["force/length"], "length": 0.1 / length, "damping": 3 / si["force*time/length"]}
    model.force("strut", "spring", "ground.S", "rod.C", **spring)
    model.force("brake", "body_torque", "crank", torque=f"-{2 / torque!r}*cos({3 * si['time']!r}*t)")
    model.force("ramp", "body_torque", "crank", torque={"rate": 5 / (torque / si["time"]), "start": 1 / torque})
    turns = {"stiffness": 4 / si["torque/angle"], "damping": 0.2 / si["torque*time/angle"], "preload": 1 / torque}
    model.force("coil", "joint_spring", "A", **turns)
    model.force("drag", "body_torque", "crank", torque=f"-{0.05 * speed / torque!r}*A.v")
    curve = {"points": [[-100 / speed, 3 / torque], [100 / speed, -2 / torque]], "over": "crank.omega"}
    model.force("mill", "body_torque", "crank", torque=curve)
    model.force(
        "press", "point_force", "piston.C", direction=(1, 0), force="0.35 MPa * 100 mm^2 * (1 + piston.x/(1 m))"
    )
    model.force("hand", "body_torque", "crank", torque=lambda t, state: -0.01 * speed / torque * state["crank.omega"])
    model.measure("gain", value="strut.power/piston.vx" if not simulated else "piston.vx*crank.omega")
    return model


def same_in_si(one, other, reference=1e-9):
    for column in one.columns.schema:
        name = column.name
        if name == "energy.error":  # of the integrator, nothing but rounding and its tolerance
            continue
        size = measure(one.unit(name) or "1")[0], measure(other.unit(name) or "1")[0]
        first, second = one[name] * size[0], other[name] * size[1]
        scale = one.columns.scale(name) * size[0]
        np.testing.assert_allclose(second, first, rtol=0, atol=reference * max(scale, 1e-300), err_msg=name)


@pytest.mark.parametrize("system", list(SYSTEMS)[1:])
def test_one_machine_in_other_units(system):
    """Positions, forces, powers and measures of a driven machine are the same quantities."""
    time = Units.declare(SYSTEMS[system]).unit("time").si
    one = machine("SI").inverse(0, 0.6, step=0.03)
    same_in_si(one, machine(system).inverse(0, 0.6 / time, step=0.03 / time))


@pytest.mark.parametrize("system", list(SYSTEMS)[1:])
def test_one_simulation_in_other_units(system):
    """The integrator's tolerances are relative to coherent units, so that the agreement is that of its errors."""
    time = Units.declare(SYSTEMS[system]).unit("time").si
    one = machine("SI", simulated=True).simulate(0, 0.2, step=0.05, rtol=1e-10, atol=1e-12)
    other = machine(system, simulated=True).simulate(0, 0.2 / time, step=0.05 / time, rtol=1e-10, atol=1e-12)
    same_in_si(one, other, 1e-6)


@pytest.mark.parametrize("system", list(SYSTEMS)[1:])
def test_a_file_reads_back_to_the_same_machine(system, tmp_path):
    model = machine(system)
    del model.forces["hand"]
    model.save(tmp_path / "engine.toml")
    again = mubo.load(tmp_path / "engine.toml")
    assert again.units == model.units
    one, other = model.build(), again.build()
    assert {b.name: b.whole for b in one.bodies.values()} == {b.name: b.whole for b in other.bodies.values()}
    assert {f.name: f.options for f in one.forces.values()} == {f.name: f.options for f in other.forces.values()}
    assert (one.gravity, one.drivers) == (other.gravity, other.drivers)


def test_a_set_is_written_by_its_name(tmp_path):
    model = mubo.Model("plate", "machine design")
    model.body("plate")
    model.save(tmp_path / "plate.toml")
    assert 'units = "machine design"' in (tmp_path / "plate.toml").read_text()
    assert mubo.load(tmp_path / "plate.toml").units == Units.declare({"set": "machine design"})
    assert Units.declare({"set": "machine design", "power": "W"}).power == "W"


@pytest.mark.parametrize("name", SETS)
def test_sets_consist_of_units_of_their_keys(name):
    assert set(SETS[name]) <= set(KEYS)
    assert set(BASE) - {"force"} <= set(SETS[name])
    Units.declare(name)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"torque": "N"}, 'units: "N" is not a unit of torque. Write one such as "N m".'),
        ({"angular_velocity": "Hz"}, 'units: "Hz" is not a unit of angular_velocity. Write one such as "rad/s".'),
        ({"pressure": "MPaa"}, 'units: "MPaa" is not a unit of pressure: unknown unit "MPaa"'),
        ({"angular_speed": "rpm"}, 'units: there is no "angular_speed". Did you mean "angular_velocity"?'),
        ("machine", 'a set by name, "SI", "machine design", "US customary"; there is no set "machine"'),
        ({"length": "unstated", "velocity": "m/s"}, 'units: velocity is "m/s", and length is "unstated"'),
    ],
)
def test_wrong_keys_are_refused_with_the_cure(given, says):
    with pytest.raises(mubo.ModelError, match=re.escape(says)):
        mubo.Model("x", given)


def test_numbers_with_and_without_units_are_not_mixed():
    """In mm, N m and m/s a plain 20 beside 5 N s/m could be of several units."""
    model = machine("machine design")
    model.force("odd", "point_force", "piston.C", direction=(1, 0), force="5 N s/m*piston.vx - 20*crank.omega")
    with pytest.raises(mubo.ModelError, match="numbers with and without a unit are mixed"):
        model.kinematics(0, 0.1, step=0.1)

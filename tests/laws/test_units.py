"""Units as text: products, quotients and powers, wherever a quantity may stand.

Factors are those of the SI Brochure (9th edition, 2019) and NIST SP 811, appendix B: 1 lb = 0.453 592 37 kg,
1 in = 25.4 mm, 1 kgf = 9.806 65 N, 1 bar = 100 kPa, 1 rpm = 2π/60 rad/s.
"""

import re
from math import pi

import pytest

import mubo
from mubo.elements import joints_of, loads_of
from mubo.errors import ModelError
from mubo.laws import Expression, Polynomial
from mubo.model import Units
from mubo.model.laws import read_law
from mubo.quantities.quantity_text import quantity
from mubo.quantities.unit_algebra import KINDS, PRODUCTS, example_of, measure, powers_of

SI = Units(length="m", angle="rad", mass="kg", time="s")
SMALL = Units(length="mm", angle="deg", mass="g", time="ms")
# In mm, g, ms a newton is 1e3 g · 1e3 mm / (1e3 ms)² = 1, a newton metre 1e3, a watt 1e3 / 1e3 = 1.
CASES = [  # text, kind, in SI, in mm, g, ms with angles in radians
    ("1500 rpm", "angle/time", 50 * pi, 0.05 * pi),
    ("90 deg/s", "angle/time", pi / 2, pi / 2000),
    ("3 rev/min", "angle/time", pi / 10, pi / 1e4),
    ("9.81 m/s^2", "length/time^2", 9.81, 9.81e-3),
    ("981 cm/s²", "length/time^2", 9.81, 9.81e-3),
    ("7.85 g/cm^3", "mass/length^3", 7850, 7.85e-3),
    ("7850 kg m^-3", "mass/length^3", 7850, 7.85e-3),
    ("2 N/mm", "force/length", 2000, 2.0),
    ("2 kN", "force", 2000, 2000),
    ("10 kgf", "force", 98.0665, 98.0665),
    ("1 lbf", "force", 4.4482216152605, 4.4482216152605),
    ("4 bar*cm^2", "force", 40, 40),
    ("5 MPa mm^2", "force", 5, 5),
    ("3 Nm", "torque", 3, 3000),
    ("3 N m", "torque", 3, 3000),
    ("3000 N·mm", "torque", 3, 3000),
    ("3 J", "torque", 3, 3000),
    ("2 N*m/rad", "torque/angle", 2, 2000),
    ("2 Nm/deg", "torque/angle", 360 / pi, 360e3 / pi),
    ("0.5 N s/m", "force*time/length", 0.5, 0.5),
    ("0.5 N m s/rad", "torque*time/angle", 0.5, 0.5e6),
    ("0.5 N m/(rad/s)", "torque*time/angle", 0.5, 0.5e6),
    ("4 kg m/( s^2 )", "force", 4, 4),
    ("12 lb in^2", "mass*length^2", 12 * 0.45359237 * 0.0254**2, 12 * 453.59237 * 25.4**2),
    ("2 kW", "power", 2000, 2000),
]


@pytest.mark.parametrize(("text", "kind", "metric", "small"), CASES)
def test_sizes(text, kind, metric, small):
    assert SI.read(text, kind) == pytest.approx(metric, rel=1e-14)
    assert Units().read(text, kind) == pytest.approx(metric, rel=1e-14)  # where nothing is declared: SI
    assert SMALL.read(text, kind) == pytest.approx(small, rel=1e-14)


def test_own_units_are_read_to_the_last_digit():
    for text, kind in (("30.1 deg", "angle"), ("0.7 mm", "length"), ("0.1 mm/ms", "length/time"), ("0.3 g", "mass")):
        assert SMALL.in_own(text, kind) == float(text.split()[0])


def test_plain_numbers_are_in_the_units_of_the_model():
    assert SMALL.read(90, "angle") == pytest.approx(pi / 2)
    assert SMALL.read(90, "angle/time") == pytest.approx(pi / 2)
    assert SMALL.read(3, "torque/angle") == 3  # per radian
    assert SMALL.in_own(90, "angle") == 90


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("30 mm", "angle", '"30 mm" is no angle: write a number, or text such as "1 rad"'),
        ("5 N", "force/length", '"5 N" is no force per length: write a number, or text such as "1 N/m"'),
        ("5 Nm", "torque/angle", 'is no torque per angle: write a number, or text such as "1 N m/rad"'),
        ("20 1/s", "angle/time", '"20 1/s" is no angle per time: write a number, or text such as "1 rad/s"'),
        ("9.81 m/s", "length/time^2", 'is no length per time²: write a number, or text such as "1 m/s^2"'),
        ("3 Mm", "length", '"3 Mm" is no length: unknown unit "Mm". Did you mean "m"?'),
        ("3 m/sq", "length/time", 'unknown unit "sq"'),
        ("3 m s-1", "length/time", '"3 m s-1" is no length per time'),
        ("51/s", "angle/time", 'expected a number, or text such as "1 rad/s"; found "51/s"'),
        ("m 3", "length", 'expected a number, or text such as "1 m"; found "m 3"'),
        ("1e999 m", "length", "expected a finite number"),
        ("2 rad", "number", 'expected a number; found "2 rad"'),
    ],
)
def test_wrong_ones(text, kind, says):
    with pytest.raises(ModelError, match=re.escape(says)):
        SI.read(text, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_of_a_kind_is_of_that_kind(kind):
    assert measure(example_of(kind)) == (1.0, powers_of(kind))


@pytest.mark.parametrize("word", PRODUCTS)
def test_products_multiply(word):
    factor, powers = measure(word)
    assert measure(f"{word}^2/{word}") == (pytest.approx(factor), powers)
    assert measure(f"{word}*m/m") == (pytest.approx(factor), powers)


def options():
    for dimension in (2, 3):
        for element in (*joints_of(dimension).values(), *loads_of(dimension).values()):
            yield from ((element, option) for option in element.options)


@pytest.mark.parametrize(("element", "option"), [pytest.param(*o, id=f"{o[0].name}.{o[1].name}") for o in options()])
def test_what_options_measure_is_a_kind(element, option):
    for coordinate, effort in (("angle", "torque"), ("length", "force")):
        kind = option.measures.replace("coordinate", coordinate).replace("effort", effort)
        assert measure(example_of(kind)) == (1.0, powers_of(kind))


RATIOS = {"coulomb", "static_ratio", "efficiency", "back_efficiency"}


def test_numbers_and_laws_of_loads_say_what_they_measure():
    """One that measures a bare number would refuse "20 N m"; a coefficient is one."""
    loads = [load for dimension in (2, 3) for load in loads_of(dimension).values()]
    sizes = [(load.name, o.name, o.measures) for load in loads for o in load.options if o.holds in ("number", "law")]
    assert sizes
    assert {size[1] for size in sizes if size[2] == "number"} == RATIOS


def test_forces_of_a_model_carry_units():
    """The same model in SI and in millimetres, grams and milliseconds: text means the same, sizes follow the units."""
    made = []
    for units in (SI, SMALL):
        model = mubo.Model("arm", units, dimension=3, gravity=["0 m/s^2", 0, "-9.81 m/s^2"])
        model.ground.point("O", (0, 0, 0))
        model.body("arm", mass="2 kg", inertia=["1 kg m^2"] * 3, points={"O": (0, 0, 0), "P": ("1 m", 0, 0)})
        model.joint("O", "revolute", "ground.O", "arm.O", axis=(0, 0, 1))
        model.force("coil", "joint_spring", "O", stiffness="2 N m/deg", damping="3 N m s/rad", rest="30 deg")
        model.force("strut", "spring", "ground.O", "arm.P", stiffness="2 N/mm", damping="1 kN s/m", length="5 cm")
        model.force("motor", "joint_effort", "O", effort="3 Nm")
        model.force("push", "point_force", "arm.P", direction=(1, 0, 0), force={"rate": "5 kN/s", "start": "1 kgf"})
        model.initial("O", q="90 deg", v="1500 rpm")
        made.append(model)
    one, other = made
    assert one.forces["coil"].options == pytest.approx({"stiffness": 360 / pi, "damping": 3, "rest": pi / 6})
    assert other.forces["coil"].options == pytest.approx({"stiffness": 360e3 / pi, "damping": 3e6, "rest": pi / 6})
    assert one.forces["strut"].options == pytest.approx({"stiffness": 2000, "damping": 1000, "length": 0.05})
    assert other.forces["strut"].options == pytest.approx({"stiffness": 2, "damping": 1000, "length": 50})
    assert one.forces["motor"].options["effort"] == Polynomial((3.0,))
    assert other.forces["push"].options["force"].coefficients == pytest.approx((9.80665, 5))
    assert other.initial_joints["O"].v == pytest.approx((0.05 * pi,))
    assert other.gravity == pytest.approx((0, 0, -9.81e-3))
    assert other.bodies["arm"].inertia[:3] == pytest.approx((1e9,) * 3)
    with pytest.raises(ModelError, match=re.escape('effort: "3 N" is no torque')):
        one.force("more", "joint_effort", "O", effort="3 N")


def test_a_speed_in_python_and_in_a_file(tmp_path):
    """1500 rpm are 25 turns in a second."""
    (tmp_path / "arm.toml").write_text(
        """[body.ground]
        points = { O = [0, 0] }
        [body.arm]
        points = { O = [0, 0] }
        [joint.O]
        type = "revolute"
        between = ["ground.O", "arm.O"]
        [driver.motor]
        of = "O"
        motion = { rate = "1500 rpm", start = "30 deg" }
        """
    )
    read = mubo.load(tmp_path / "arm.toml")
    made = read.copy()
    made.drivers.clear()
    made.driver("motor", "O", {"rate": "1500 rpm", "start": "30 deg"})
    assert made == read
    run = made.kinematics(0, 1, step=0.25)
    assert run["arm.phi"][-1] == pytest.approx(50 * pi + pi / 6, rel=1e-14)
    (quarter,) = read.replace("motor", "90 deg").drivers["motor"].motion.coefficients
    assert quarter == pytest.approx(pi / 2, rel=4e-16)  # the factor of a unit rounds
    with pytest.raises(ModelError, match=re.escape('a constant speed is written { rate = "1500 rpm" }')):
        read.replace("motor", "1500 rpm")


@pytest.mark.parametrize(
    "text", ["31/t", "5.1/t", "2*t", "1e3", "1e0*t", "2.5E-1*t", "3e+2/t", "t", "3", "e + t", "2**t"]
)
def test_expressions_are_no_quantities(text):
    """ "31/t" is a law, 31 divided by the time, and not 3 per tonne; the e of "1e0*t" belongs to its number."""
    assert quantity(text) is None
    assert read_law(text, SI, "angle") == Expression(text)

"""Parameters: expressions wherever a number stands. Laws: a model with expressions is the model with their numbers;
files keep the expressions; slopes are the derivatives."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

import mubo
from mubo.elements import JOINTS, LOADS, PLANE_LOADS, SPATIAL_JOINTS
from mubo.laws.dependent import Dependent, cos, hypot, sin, slope_of, sqrt
from mubo.laws.expression import evaluate, parse
from mubo.laws.jet import Jet
from mubo.model import Builder
from mubo.model.dependence import numbers_in
from mubo.model.options import read_options
from mubo.model.read_parameters import with_parameters
from mubo.quantities.units import Units

TEXT = """
name = "four bar"
gravity = [0, 0]
units = { length = "mm", angle = "deg" }
[parameters]
a = 40
b = "3*a"
beta = "20 deg"
w = "60 rpm"
m = 2.5
[body.ground]
lengths = { AD = "2.5*a" }
[body.crank]
angle = "3*beta"
points = { A = [0, 0], B = ["1e0*a", 0] }
mass = "m"
inertia = "m*a^2/12"
[body.coupler]
lengths = { BC = "b", BP = "2*a", CP = "1.5*a" }
right = ["P"]
shape = { kind = "plate", thickness = "a/8" }
density = "7800 kg/m^3"
[body.rocker]
lengths = { DC = "2.6*a", DQ = "a" }
angles = { QDC = "beta" }
mass = 1
inertia = 1
added_masses = { Q = "m/2" }
[joint.A]
type = "revolute"
between = ["ground.A", "crank.A"]
[joint.B]
type = "revolute"
between = ["crank.B", "coupler.B"]
[joint.C]
type = "revolute"
between = ["coupler.C", "rocker.C"]
[joint.D]
type = "revolute"
between = ["ground.D", "rocker.D"]
[driver.motor]
of = "crank.phi"
motion = "3*beta + w*t + 5*sin(beta)"
[point.P]
body = "coupler"
at = ["b/2", 10]
[force.spring]
type = "spring"
between = ["ground.A", "rocker.C"]
stiffness = "0.05*a"
length = "a"
[force.push]
type = "body_torque"
body = "rocker"
torque = "m*rocker.omega + cos(beta)"
[analysis]
start = 0
end = "2/3"
step = 0.05
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "bar.toml"
    path.write_text(TEXT)
    return mubo.load(path)


def close(one, other):
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)


def test_values_are_those_of_the_expressions(model):
    """Each number worked out by hand: triangles by the law of cosines."""
    bodies = model.bodies
    assert bodies["crank"].points["B"] == (40.0, 0.0)
    assert close(bodies["crank"].angle, math.radians(60))
    x = (120**2 + 80**2 - 60**2) / (2 * 120)
    assert np.allclose(bodies["coupler"].points["P"], (x, -math.sqrt(80**2 - x**2)), rtol=1e-14)
    c, s = math.cos(math.radians(20)), math.sin(math.radians(20))
    assert np.allclose(bodies["rocker"].points["Q"], (40 * c, 40 * s), rtol=1e-14)
    t = np.array([0.0, 0.5])
    assert np.allclose(model.drivers["motor"].motion(t)[:, 0], 60 + 360 * t + 5 * s, rtol=1e-14)
    run = model.kinematics()
    push = model.inverse()["push.torque"]
    assert np.allclose(push, 2.5 * run["rocker.omega"] + c, rtol=1e-9)


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_files_keep_the_expressions(model, ending, tmp_path):
    path = tmp_path / f"copy.{ending}"
    model.save(path)
    again = mubo.load(path)
    assert again == model
    assert again.build().expressions == model.build().expressions
    assert again.replace(a=45) == model.replace(a=45)


def test_a_model_with_other_parameters_is_the_file_with_other_parameters(model, tmp_path):
    path = tmp_path / "other.toml"
    path.write_text(TEXT.replace("a = 40", "a = 43").replace('"20 deg"', '"0.4 rad"'))
    other, replaced = mubo.load(path), model.replace(a=43, beta="0.4 rad")
    assert replaced == other
    assert np.array_equal(replaced.kinematics()["P.x"], other.kinematics()["P.x"])
    assert model.replace(beta=25).parameters["beta"].text == "25.0 deg"  # a number is in the model's units


def test_pickles_and_builders_keep_the_expressions(model):
    frozen = model.build()
    copy = pickle.loads(pickle.dumps(frozen))
    assert copy == frozen
    assert copy.expressions == frozen.expressions
    assert copy.replace(a=45) == frozen.replace(a=45)
    builder = mubo.Model.from_definition(frozen)
    crank = builder.bodies["crank"]
    builder.bodies["crank"] = replace(crank, points={"A": (0.0, 0.0), "B": (40.0, 0.0)})  # equal, but no expression
    assert builder.replace(a=45).bodies["crank"].points["B"] == (40.0, 0.0)


@pytest.mark.parametrize("name", ["a", "beta", "w", "m"])
def test_slopes_are_derivatives(model, name):
    """Every number, those of shapes and figures included, against central differences of replaced models."""
    frozen = model.build()

    def numbers(shift):
        changed = frozen.replace(**{name: float(frozen.parameters[name].value) + shift})
        places = dict(changed.dependents)
        for body in changed.bodies.values():
            whole = body.whole
            places |= {(body.name, *place): number for place, number in numbers_in(whole)}
        return places

    step = 1e-5
    here, more, less = (numbers(shift) for shift in (0.0, step, -step))
    assert here.keys() == more.keys() == less.keys()
    assert len(here) > 25
    for place, number in here.items():
        difference = (float(more[place]) - float(less[place])) / (2 * step)
        scale = max(abs(float(number)), 1e-9) / float(frozen.parameters[name].value)
        assert abs(number.slope(name) - difference) < 1e-6 * max(scale, abs(difference)), place


ELEMENTS = {**JOINTS, **PLANE_LOADS}
SPATIAL = {**SPATIAL_JOINTS, **LOADS}


@pytest.mark.parametrize(
    ("kind", "dimension"), [*((kind, 2) for kind in ELEMENTS), *((kind, 3) for kind in SPATIAL)], ids=str
)
def test_every_option_of_every_element_may_be_an_expression(kind, dimension):
    """Over the registry: numbers given by a parameter are the numbers themselves, and follow it."""
    element = (ELEMENTS if dimension == 2 else SPATIAL)[kind]
    what = "joint" if kind in (JOINTS if dimension == 2 else SPATIAL_JOINTS) else "force"
    on = ("crank.phi",) if element.key == "of" else ("a.P", "b.Q")
    for option in element.options:
        sample = {"direction": ("p", *(0.2,) * (dimension - 1)), "lengths": ("p", 0.2)}.get(str(option.holds), "p")
        if option.holds not in ("angle", "length", "number", "coordinate", "direction", "lengths", "law"):
            continue
        value = max(0.7, option.least or 0.0)
        units = with_parameters(Units(), {"p": value})
        read = read_options(units, kind, on, {option.name: sample}, dimension, what, "angle")
        found = dict(numbers_in(read))
        assert {float(number) for number in found.values()} == {value}, option.name
        assert all(slope_of(number, "p") == 1.0 for number in found.values())


def test_arithmetic_of_dependent_numbers():
    model = Builder("numbers")
    model.parameter("x", 3.0)
    model.parameter("y", "x + 1")
    x, y = (model.units.read(text, "number") for text in ("x", "y"))
    assert isinstance(x, Dependent)
    assert y.names == {"x", "y"}
    for value, exact, slope in (
        (hypot(x, y), 5.0, (3 + 4) / 5),
        (sqrt(x * x + 7), 4.0, 3 / 4),
        (-x / y + 2**x, 8 - 0.75, -1 / 16 + 8 * math.log(2)),
        (abs(-y) - (1 - x), 4 + 2, 2.0),
        (sin(x) + cos(y), math.sin(3) + math.cos(4), math.cos(3) - math.sin(4)),
        (x**2 - y**0.5, 7.0, 6 - 1 / 4),
    ):
        assert float(value) == pytest.approx(exact, rel=1e-15)
        assert value.slope("x") == pytest.approx(slope, rel=1e-14)
    assert y.slope("y") == 1.0  # seen for itself
    many = model.parameters.over({"x": np.array([1.0, 2.0])})
    assert np.array_equal(many["y"], [2.0, 3.0])
    assert np.array_equal((x * y).over(many), [2.0, 6.0])


WRONG = {
    'b = "3*c"': ["line 7", 'unknown name "c"', "parameters b"],
    'b = "3*b"': ["line 7", "defined by itself: b → b"],
    "b = true": ["line 7", "a parameter is a number"],
    'b = "3 *"': ["line 7"],
    'b = "3*a"\nsin = 2': ["line 8", "is reserved in expressions"],
    'b = "3*a"\n"a-b" = 2': ["a-b", "cannot be the name"],
    'b = "sqrt(0 - a)"': ["line 7", "not a finite number where a = 40"],
}


@pytest.mark.parametrize("line", list(WRONG))
def test_wrong_parameters_are_told_with_their_line(line, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(TEXT.replace('b = "3*a"', line))
    with pytest.raises(mubo.ModelError) as caught:
        mubo.load(path)
    for words in WRONG[line]:
        assert words in str(caught.value)


def test_circles_units_and_names_in_numbers(tmp_path):
    def refused(*changes):
        text = TEXT
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "wrong.toml"
        path.write_text(text)
        with pytest.raises(mubo.ModelError) as caught:
            mubo.load(path)
        return str(caught.value)

    assert "a → b → a" in refused(("a = 40", 'a = "b/3"'))
    told = refused(('mass = "m"', 'mass = "2*beta"'))
    assert "expected a mass, but 2*beta is an angle" in told
    assert "line 16" in told
    assert 'unknown name "n"' in refused(('mass = "m"', 'mass = "2*n"'))
    assert 'unknown name "t"' in refused(('mass = "m"', 'mass = "2*t"'))
    told = refused(("a = 40", 'a = "40 mm"'), ('b = "3*a"', 'b = "a + beta"'))
    assert "a length and an angle cannot be added" in told
    told = refused(('"3*beta + w*t + 5*sin(beta)"', '"w"'))
    assert "an angle per time" in told
    assert "expected an angle" in told
    assert "no triangle" in refused(('CP = "1.5*a"', 'CP = "9*a"'))


def test_numbers_that_parameters_make_impossible_are_told(model):
    assert "mass cannot be negative; found -1" in refused_by(model.replace(m=-1))
    assert "AD must be positive" in refused_by(model.replace(a=-3))
    with pytest.raises(mubo.ModelError, match='no parameter "bet"'):
        model.replace(bet=3)
    with pytest.raises(mubo.ModelError, match='parameter a is written without a unit; found "20 deg"'):
        model.replace(a="20 deg")
    with pytest.raises(mubo.ModelError, match='parameter beta is an angle; found "2 kg"'):
        model.replace(beta="2 kg")


def refused_by(model):
    with pytest.raises(mubo.ModelError) as caught:
        model.kinematics()
    return str(caught.value)


def test_a_parameter_that_nothing_uses_is_told(tmp_path):
    path = tmp_path / "bar.toml"
    path.write_text(TEXT.replace("m = 2.5", "m = 2.5\nspare = 1"))
    with pytest.warns(UserWarning, match="line 11: parameters spare: nothing uses this parameter"):
        mubo.load(path)


def test_parameters_may_define_each_other_in_a_chain_of_any_length_and_order(tmp_path):
    """p0 = p1 + 1, p1 = p2 + 1 … and the last is 1: the first is their number."""
    count = 1100
    lines = [f'p{k} = "p{k + 1} + 1"' for k in range(count - 1)]
    path = tmp_path / "chain.toml"
    path.write_text("\n".join(['name = "chain"', "[body.b]", "[parameters]", *lines, f"p{count - 1} = 1"]))
    assert float(mubo.load(path).build().parameters["p0"].value) == count


@pytest.mark.parametrize("text", ["a", "-a", "a + 2*b", "(a - b)/(3*a)", "-(a*b - 1)/b + 0.1", "2.5", "a/b/a*b - -a"])
def test_plain_arithmetic_has_the_bits_of_jets(text):
    """Signs and + − × ÷ are rounded by IEEE 754 in the same way on plain numbers and over jets; so are derivatives."""
    tree, scope = parse(text), {"a": 0.1, "b": 0.3}
    other = {"a": 1 / 3, "b": -7.7}
    number = Dependent.from_tree(tree, scope, text)
    assert float(number.at(other)) == float(Dependent.from_tree(tree, other, text))
    for name in scope:
        none, one = np.zeros(1), np.ones(1)
        names = {key: Jet(value * one, one * (key == name), none) for key, value in scope.items()}
        assert number.slope(name) == evaluate(tree, {**names, "t": Jet(none, none, none)}, text).d[0]


def test_what_divides_by_zero_is_refused_in_words():
    number = Dependent.from_tree(parse("a/b"), {"a": 1.0, "b": 2.0}, "a/b")
    with pytest.raises(mubo.ModelError, match="not a finite number where a = 1, b = 0"):
        number.at({"a": 1.0, "b": 0.0})

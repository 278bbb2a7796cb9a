"""Numbers with units inside expressions, and columns in a unit that is asked for: the same physics in every unit."""

import unicodedata

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.quantities.unit_algebra import mark_quantities

UNITS = ({}, {"length": "mm", "angle": "deg"}, {"length": "mm", "angle": "deg", "force": "N", "mass": "kg"})


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("3*cos(30 deg)", "3*cos(q(30, 'deg'))"),
        ("0.35 MPa * 1963 mm^2", "q(0.35, 'MPa') * q(1963, 'mm^2')"),
        ("1 rev / n", "q(1, 'rev') / n"),
        ("5 N m + 2.5e-1 kN/mm*x", "q(5, 'N m') + q(2.5e-1, 'kN/mm')*x"),
        ("2*t", "2*t"),
        ("2 t", "2 t"),  # the time, not tonnes
        ("a2 m", "a2 m"),
        ("1e0*d", "1e0*d"),
        ("3 min(a, b)", "3 min(a, b)"),  # a function, not minutes
    ],
)
def test_a_unit_belongs_to_the_number_before_it(text, marked):
    assert mark_quantities(text, "q") == marked


@pytest.mark.parametrize("units", UNITS)
def test_an_expression_with_units_is_the_same_quantity_in_all_units(units):
    """Pressure times area: 0.35 MPa · 1963 mm² = 687.05 N; a half of 10 cm at cos 60° = 1/2 is 25 mm."""
    model = mubo.Model("piston", units, gravity=(0, -9.81))
    own = model.units
    force = own.read("0.35 MPa * 1963 mm^2", "force")
    assert force == pytest.approx(own.read("687.05 N", "force"), rel=1e-14)
    assert own.read("10 cm*cos(60 deg)/2", "length") == pytest.approx(own.read("25 mm", "length"), rel=1e-14)
    with pytest.raises(mubo.ModelError, match=r"expected a force, but 2 MPa \* 3 mm has the unit kg/s\^2"):
        own.read("2 MPa * 3 mm", "force")


@pytest.mark.parametrize("units", UNITS)
def test_a_driver_by_an_expression_with_units(units):
    model = mubo.Model("wheel", units)
    model.ground.point("O", (0, 0))
    model.body("wheel", points={"O": (0, 0)})
    model.revolute("O", "ground.O", "wheel.O")
    model.driver("motor", "wheel.phi", "30 deg + 1.5 rev/s * t + 0.1 rad * sin(90 deg * t / 1 s)")
    run = model.kinematics(at=["0 s", "1 s"])
    np.testing.assert_allclose(run["wheel.phi [deg]"], [30, 30 + 540 + np.degrees(0.1)], rtol=1e-13)
    assert run["wheel.omega [rpm]"][0] == pytest.approx(90 + 0.1 * (np.pi / 2) * 60 / (2 * np.pi), rel=1e-13)


def test_parameters_and_loads_have_units_in_expressions():
    model = mubo.Model("block", {"length": "mm", "force": "N"}, gravity=(0, 0))
    model.parameter("bore", "50 mm")
    model.parameter("area", "pi/4*bore^2")
    model.ground.point("O", (0, 0))
    model.body("block", points={"C": (0, 0)}, mass="2 kg")
    model.translational("rail", "ground.O", "block.C", axis=(1, 0), angle=0)
    model.driver("ram", "rail", "100 mm/s * t")
    model.force("gas", "point_force", "block.C", direction=(-1, 0), force="0.35 MPa*area*(1 + block.x/(50 mm))")
    run = model.inverse(at=[0, 1])
    gas = 0.35 * np.pi / 4 * 50**2 * np.array([1, 3])  # N: pressure times area, and three times that at x = 100 mm
    np.testing.assert_allclose(run["ram.effort"], gas, rtol=1e-12)
    np.testing.assert_allclose(run["ram.effort [kN]"], gas / 1000, rtol=1e-12)
    np.testing.assert_allclose(run["ram.power [W]"], gas * 0.1, rtol=1e-12)  # at 100 mm/s


def test_a_time_of_the_wrong_unit_is_refused_with_the_cure(tmp_path):
    text = (
        (EXAMPLES / "four_bar.toml")
        .read_text()
        .replace('"pi/3 + 2*pi*t"', '"n*t"')
        .replace("end = 1\n", 'end = "2*pi/n"\n')
    )
    file = tmp_path / "m.toml"
    file.write_text(text.replace("[body.ground]", '[parameters]\nn = "100 rpm"\n\n[body.ground]', 1))
    with pytest.raises(
        mubo.ModelError, match=r'end: must be a time, but 2\*pi/n has the unit s/rad\. Write "1 rev/n"'
    ) as told:
        mubo.load(file)
    assert str(told.value).count("must be a time") == 1
    file.write_text(file.read_text().replace("2*pi/n", "1 rev / n"))
    assert mubo.load(file).kinematics()["t"][-1] == pytest.approx(0.6)  # 100 turns a minute
    assert mubo.load(file).replace(n="200 rpm").kinematics()["t"][-1] == pytest.approx(0.3)


def test_columns_in_a_unit_that_is_asked_for(tmp_path):
    run = mubo.load(EXAMPLES / "engine.toml").inverse(at=["10 deg", "200 deg"])
    assert run["crank.omega [rpm]"] == pytest.approx([1500, 1500])
    np.testing.assert_allclose(run["shaft.effort [N mm]"], 1000 * run["shaft.effort"], rtol=1e-15)
    np.testing.assert_allclose(run["piston.ax [mm/s²]"], 1000 * run["piston.ax"], rtol=1e-15)
    assert run.unit("shaft.power [kW]") == "kW"
    assert run.header(["t", "shaft.power [kW]"]) == ["t [s]", "shaft.power [kW]"]
    with pytest.raises(mubo.ResultError, match=r"column crank.omega has no unit mm"):
        run["crank.omega [mm]"]
    with pytest.raises(mubo.ResultError, match=r'no column "crank.omgea'):
        run["crank.omgea [rpm]"]


def test_a_chart_in_a_unit_that_is_asked_for(tmp_path):
    run = mubo.load(EXAMPLES / "engine.toml").inverse()
    figure = run.plot("crank.omega [rpm]", "piston.vx [mm/s]", path=tmp_path / "c.png")
    labels = [unicodedata.normalize("NFC", axes.get_ylabel()) for axes in figure.axes]
    assert labels == ["ω [rpm]", "\N{LATIN SMALL LETTER X WITH DOT ABOVE} [mm/s]"]
    drawn = figure.axes[1].lines[0].get_ydata()
    assert np.nanmax(np.abs(drawn)) == pytest.approx(1000 * np.max(np.abs(run["piston.vx"])), rel=1e-3)

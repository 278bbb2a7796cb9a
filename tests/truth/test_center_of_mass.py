"""The centre of mass is a point: of measures, loads, joints and columns.

A crank that turns by φ(t) = 3 t² has ω = 6 t and α = 6 rad/s², so that its centre of mass at the distance r from the
pin has the acceleration r √(α² + ω⁴). Newton: the pin carries m (a − g).
"""

import numpy as np
import pytest

import mubo

AT, MASS, G = (0.5, 0.1), 2.0, 9.81


def crank(**body):
    model = mubo.Model("crank")
    model.gravity = (0, -G)
    model.ground.point("A", (0, 0))
    model.body("crank", points={"A": (0, 0), "B": (1, 0)}, **(body or {"mass": MASS, "inertia": 0.2, "center": AT}))
    model.revolute("A", "ground.A", "crank.A")
    model.driver("motor", "crank.phi", "3*t^2")
    return model


def test_its_acceleration_is_a_column_of_measures_and_points():
    model = crank()
    model.measure("pull", value="sqrt(crank.center.ax^2 + crank.center.ay^2)")
    model.measure("arm", distance=("ground.A", "crank.center"))
    model.point("G", "crank", "center")
    run = model.inverse(0, 1, step=0.25)
    arm, omega = np.hypot(*AT), 6 * run["t"]
    np.testing.assert_allclose(run["pull"], arm * np.hypot(6.0, omega**2), rtol=1e-12)
    np.testing.assert_allclose(run["arm"], arm, rtol=1e-12)
    np.testing.assert_array_equal(run["G.ay"], run["crank.center.ay"])
    np.testing.assert_allclose(run["A.on_crank.fx"], MASS * run["G.ax"], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(run["A.on_crank.fy"], MASS * (run["G.ay"] + G), rtol=1e-9, atol=1e-9)


def test_tables_have_it_only_where_it_is_named():
    run = crank().kinematics(0, 1, step=0.5)
    assert not [name for name in run.columns if ".center." in name]
    with pytest.raises(mubo.MuboError, match=r'model\.point\("P", "crank", "center"\)'):
        run["crank.center.ax"]


def test_a_load_acts_at_it_and_depends_on_it():
    """−c v of the centre of mass takes the power c v², in inverse dynamics and in a simulation."""
    model = crank()
    model.force("air", "point_force", "crank.center", direction=(1, 0), force="-0.5*crank.center.vx")
    model.point("G", "crank", "center")
    run = model.inverse(0, 1, step=0.25)
    np.testing.assert_allclose(run["air.power"], -0.5 * run["G.vx"] ** 2, rtol=1e-12, atol=1e-12)
    model.drivers.clear()
    free = model.simulate(0, 1, step=0.1)
    supplied = free["energy.dissipated"][-1] + free["energy.total"][-1] - free["energy.total"][0]
    assert abs(supplied - free["energy.supplied"][-1]) < 1e-6


def test_it_follows_shape_added_masses_parameters_and_replaced_centres():
    """A bar of length a and mass m with the same mass at its end: centre at 3a/4."""
    model = mubo.Model("bar")
    model.parameter("a", 0.4)
    model.ground.point("A", (0, 0))
    bar = {"kind": "bar", "between": ["A", "B"]}
    model.body("bar", points={"A": (0, 0), "B": ("a", 0)}, mass=2, shape=bar, added_masses={"B": 2})
    model.revolute("A", "ground.A", "bar.A")
    model.driver("motor", "bar.phi", "t")
    model.point("G", "bar", "center")
    assert model.points["G"].at[0] == pytest.approx(0.3)
    swept = model.sweep({"a": [0.4, 0.8]}, measures=["max G.x"], start=0, end=1, step=0.5)
    np.testing.assert_allclose(swept.values[:, 0], [0.3, 0.6], rtol=1e-12)
    other = crank()
    other.point("G", "crank", "center")
    assert other.build().replace("crank.center", (0.2, 0)).points["G"].at == (0.2, 0)


def test_a_joint_at_the_centre_of_mass_swings_nothing():
    """A body hung at its centre of mass is in neutral equilibrium: gravity gives no torque."""
    model = mubo.Model("balance")
    model.gravity = (0, -G)
    model.ground.point("A", (0, 0))
    model.body("beam", points={"A": (0, 0)}, mass=3, inertia=0.1, center=(0.2, -0.1))
    model.revolute("A", "ground.A", "beam.center")
    model.initial("A", q="40 deg", v=0)
    run = model.simulate(0, 1, step=0.5)
    np.testing.assert_allclose(run["beam.phi"], np.radians(40), atol=1e-12)


def test_in_space_and_read_back(tmp_path):
    model = mubo.Model("top", dimension=3)
    model.gravity = (0, 0, -G)
    model.ground.point("A", (0, 0, 0))
    model.body("arm", points={"A": (0, 0, 0)}, mass=1, inertia=(0.1, 0.1, 0.1), center=(0.3, 0, 0.2))
    model.revolute("A", "ground.A", "arm.A", axis=(0, 0, 1))
    model.driver("motor", "A", "2*t")
    model.point("G", "arm", "center")
    run = model.kinematics(0, 1, step=0.5)
    np.testing.assert_allclose(np.hypot(run["G.ax"], run["G.ay"]), 0.3 * 2**2, rtol=1e-12)
    np.testing.assert_allclose(run["G.z"], 0.2, rtol=1e-12)
    model.save(tmp_path / "top.toml")
    assert 'at = "center"' in (tmp_path / "top.toml").read_text()
    assert mubo.load(tmp_path / "top.toml") == model


def test_a_body_without_mass_has_none():
    model = crank(mass=None)
    model.measure("arm", distance=("ground.A", "crank.center"))
    with pytest.raises(mubo.ModelError, match=r'"crank" has no mass(?s:.*)Give its mass'):
        model.kinematics(0, 1, step=0.5)


def test_batches_refuse_what_they_do_not_follow():
    model = crank()
    model.point("G", "crank", "center")
    with pytest.raises(mubo.ModelError, match="do not follow centres of mass"):
        model.batch({"crank.B": [(1, 0), (2, 0)]}, 0, 1, step=0.5, columns=["G.x"])

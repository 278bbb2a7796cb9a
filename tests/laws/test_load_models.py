"""Every load in a whole model, in the plane and in space: forces do not know units nor where the frame stands.

The same machine is built in metres on the ground, in millimetres and grams, and on a base that stands turned elsewhere.
A new load is tested by being in a registry: its numbers are the examples of its options.
"""

import numpy as np
import pytest

import mubo
from mubo.elements import loads_of
from mubo.geometry.rotation import about, matrix
from mubo.laws import law_of
from mubo.model import Units
from mubo.model.options import measured

SI = Units("m", "rad", "kg", "s")
SMALL = {"length": "mm", "angle": "deg", "mass": "g", "time": "s"}
NOT_TOGETHER = {"friction": ("coulomb", "radius")}  # a size of its own is given instead


class Plane:
    """A slider-crank on a base, driven at its crank."""

    joint, body, point, pair = "B", "rod", "rod.C", ("base", "rod")

    def __init__(self, units, place):
        self.turn, self.at = place[0], np.array(place[1])
        c, s = np.cos(self.turn), np.sin(self.turn)
        self.R = np.array([[c, -s], [s, c]])
        model = self.model = mubo.Model("machine", units=units, gravity=texts(self.R @ [0, -9.81], "m/s^2"))
        self.body_("base", (0, 0), 0, {"A": (0, 0), "G": (0, 0.02), "S": (0.3, 0.25)})
        model.joint("hold", "ground", "base")
        self.body_("crank", (0, 0), 0.7, {"A": (0, 0), "B": (0.1, 0)}, 1.2, 0.004, (0.04, 0.01))
        self.body_("rod", (0.076, 0.064), -0.1, {"B": (0, 0), "C": (0.4, 0)}, 0.8, 0.011, (0.2, 0.02))
        self.body_("ram", (0.47, 0.02), 0, {"C": (0, 0)}, 2.0, 0.003, (0.03, 0))
        model.revolute("A", "base.A", "crank.A")
        model.revolute("B", "crank.B", "rod.B")
        model.revolute("C", "rod.C", "ram.C")
        model.translational("guide", "base.G", "ram.C", axis=(1, 0), angle=0)
        model.driver("motor", "A", {"polynomial": ["0.7 rad", "3 rad/s", "2 rad/s^2"]})

    def body_(self, name, at, angle, points, mass=None, inertia=None, center=None):
        place = self.R @ at + self.at
        more = {} if mass is None else {"mass": f"{mass} kg", "inertia": f"{inertia} kg m^2", "center": texts(center)}
        self.model.body(
            name, texts(place), f"{angle + self.turn!r} rad", {key: texts(at) for key, at in points.items()}, **more
        )


class Space:
    """Two arms on a base, both driven: about a slanted axis, and about a second one."""

    joint, body, point, pair = "B", "fore", "fore.T", ("base", "fore")

    def __init__(self, units, place):
        self.at = np.array([*place[1], 0.3])
        self.p = about(np.array([0.48, 0.6, 0.64]), place[0])
        self.R = matrix(self.p)
        model = self.model = mubo.Model("machine", units, 3, texts(self.R @ [0, 0, -9.81], "m/s^2"))
        model.ground.point("O", texts(self.at))
        points = {"O": (0, 0, 0), "A": (0.1, 0, 0.2), "S": (0.4, 0.2, -0.1)}
        model.body("base", points={key: texts(at) for key, at in points.items()}, mass=0, inertia=(0, 0, 0))
        model.joint("hold", "fixed", "ground.O", "base.O", zero=tuple(self.p))
        self.body_("arm", {"A": (0, 0, 0), "B": (0.5, 0, 0)}, 3.0, (0.02, 0.08, 0.07), (0.2, 0.03, 0.01))
        self.body_("fore", {"B": (0, 0, 0), "T": (0.3, 0.1, 0)}, 1.5, (0.01, 0.03, 0.025), (0.1, 0, 0.02))
        model.revolute("A", "base.A", "arm.A", axis=(0.6, 0, 0.8))
        model.revolute("B", "arm.B", "fore.B", axis=(0, 1, 0))
        model.driver("first", "A", {"polynomial": ["0.4 rad", "2 rad/s", "-1 rad/s^2"]})
        model.driver("second", "B", {"polynomial": ["0.3 rad", "-3 rad/s", "1 rad/s^2"]})

    def body_(self, name, points, mass, inertia, center):
        tensor = texts(inertia, "kg m^2")
        at = {key: texts(value) for key, value in points.items()}
        self.model.body(name, points=at, mass=f"{mass} kg", inertia=tensor, center=texts(center))


def texts(values, unit="m"):
    return tuple(f"{float(value)!r} {unit}" for value in values)


def loaded(dimension, units=None, place=(0.0, (0.0, 0.0))):
    """The machine with one load of every kind, called as its kind is."""
    machine = (Plane if dimension == 2 else Space)(units or {"length": "m"}, place)
    for name, element in loads_of(dimension).items():
        on = {"of": (machine.joint,), "at": (machine.point,), "body": (machine.body,)}.get(element.key, machine.pair)
        if element.key == "between" and element.ends == "point":
            on = ("base.S", machine.point)
        given = [o for o in element.options if o.example is not None and o.name not in NOT_TOGETHER.get(name, ())]
        machine.model.force(name, name, *on, **{option.name: written(machine, element, option) for option in given})
    return machine.model


def written(machine, element, option):
    """The example of an option with its unit; of a law its value at one time."""
    value = option.example
    if option.holds == "direction" and "ground" in element.options[1].holds:
        return tuple(machine.R @ value)  # ground axes do not turn with the base
    if option.holds in ("number", "law"):
        number, unit = float(law_of(value)(np.array([0.4]))[0, 0]), SI.unit(measured(option, "angle")).label
        return f"{number!r} {unit}" if unit else number
    unit = {"length": " m", "angle": " rad", "coordinate": " rad"}.get(option.holds)
    return f"{value}{unit}" if unit else value


def told(run, force=1.0, length=1.0):
    """What drivers and loads do, in SI."""
    torque = force * length
    out = {f"{name}.effort": run[f"{name}.effort"] * torque for name in run.model.drivers}
    for name in run.model.forces:
        size = "torque" if f"{name}.torque" in run.columns else "force"
        out[f"{name}.{size}"] = run[f"{name}.{size}"] * (torque if size == "torque" else force)
        out[f"{name}.power"] = run[f"{name}.power"] * torque
    return out | {"kinetic": run["energy.kinetic"] * torque, "potential": run["energy.potential"] * torque}


# A force of g mm/s² is 1e-6 N, and a length of mm is 1e-3 m.
OTHERS = {"units": ({"units": SMALL}, (1e-6, 1e-3)), "frame": ({"place": (1.1, (0.7, -0.4))}, (1.0, 1.0))}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_forces_do_not_know_units_nor_where_the_frame_stands(dimension, other):
    """Of the potential its changes count: the base stands at another height."""
    given, scale = OTHERS[other]
    run, same = (loaded(dimension, **more).inverse(0, "0.4 s", step="0.1 s") for more in ({}, given))
    for one in (run, same):
        assert one.summary["power_residual"] < 1e-10
    expected, found = told(run), told(same, *scale)
    for values in (expected, found):
        values["potential"] = values["potential"] - values["potential"][0]
    for key, values in expected.items():
        assert np.abs(values).max() > 0, key
        np.testing.assert_allclose(found[key], values, rtol=1e-9, atol=1e-9 * np.abs(values).max(), err_msg=key)


def test_a_tree_falls_alike_by_recursions_and_by_wittenburg():
    """Both arms fall from where their drivers held them; torques between bodies are not in Wittenburg's equations."""
    model = loaded(3)
    model.drivers.clear()
    for name in [name for name, load in loads_of(3).items() if load.ends == "body"]:
        del model.forces[name]
    for joint in ("A", "B"):
        model.initial(joint, q="0.4 rad", v="1 rad/s")
    runs = [model.simulate(0, 0.2, step=0.05, formulation=way) for way in ("tree", "wittenburg")]
    for column in ("A.q", "B.q", "A.v", "B.v"):
        np.testing.assert_allclose(*(run[column] for run in runs), atol=1e-8)
    assert np.abs(runs[0]["energy.error"]).max() < 1e-8


@pytest.mark.parametrize("ending", ["toml", "json"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_files_keep_every_load(tmp_path, dimension, ending):
    """Also in degrees and millimetres, to the last digit."""
    model = loaded(dimension, units=SMALL)
    model.save(tmp_path / f"machine.{ending}")
    assert mubo.load(tmp_path / f"machine.{ending}").forces == model.forces

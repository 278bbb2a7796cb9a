"""Every load in a whole model, in the plane and in space: forces do not know units nor where the frame stands.

The same machine is built in metres on the ground, in millimetres and grams, and on a base that stands elsewhere, turned.
A new load is tested by being in a registry: its numbers are the examples of its options.
"""

import numpy as np
import pytest

import mubo
from mubo.elements import loads_of
from mubo.model import Units
from mubo.model.options import measured
from mubo.model.rotation import about, matrix
from mubo.motion import law_of

SI = Units("m", "rad", "kg", "s")
SMALL = {"length": "mm", "angle": "deg", "mass": "g", "time": "s"}
NOT_TOGETHER = {"friction": ("coulomb", "radius")}  # a size of its own is given instead
CASES = [(dimension, name) for dimension in (2, 3) for name in loads_of(dimension)]


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
        model.drive("motor", "A", {"polynomial": ["0.7 rad", "3 rad/s", "2 rad/s^2"]})

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
        model.body("base", points={key: texts(at) for key, at in points.items()})
        model.joint("hold", "fixed", "ground.O", "base.O", zero=tuple(self.p))
        self.body_("arm", {"A": (0, 0, 0), "B": (0.5, 0, 0)}, 3.0, (0.02, 0.08, 0.07), (0.2, 0.03, 0.01))
        self.body_("fore", {"B": (0, 0, 0), "T": (0.3, 0.1, 0)}, 1.5, (0.01, 0.03, 0.025), (0.1, 0, 0.02))
        model.revolute("A", "base.A", "arm.A", axis=(0.6, 0, 0.8))
        model.revolute("B", "arm.B", "fore.B", axis=(0, 1, 0))
        model.drive("first", "A", {"polynomial": ["0.4 rad", "2 rad/s", "-1 rad/s^2"]})
        model.drive("second", "B", {"polynomial": ["0.3 rad", "-3 rad/s", "1 rad/s^2"]})

    def body_(self, name, points, mass, inertia, center):
        tensor = texts(inertia, "kg m^2")
        at = {key: texts(value) for key, value in points.items()}
        self.model.body(name, points=at, mass=f"{mass} kg", inertia=tensor, center=texts(center))


def texts(values, unit="m"):
    return tuple(f"{float(value)!r} {unit}" for value in values)


def loaded(dimension, name, units=None, place=(0.0, (0.0, 0.0))):
    machine = (Plane if dimension == 2 else Space)(units or {"length": "m"}, place)
    element, of = loads_of(dimension)[name], "angle"
    on = {"of": (machine.joint,), "at": (machine.point,), "body": (machine.body,)}.get(element.key, machine.pair)
    if element.key == "between" and element.ends == "point":
        on = ("base.S", machine.point)
    options = {}
    for option in element.options:
        if option.example is None or option.name in NOT_TOGETHER.get(name, ()):
            continue
        value = option.example
        if option.holds == "direction" and "ground" in element.options[1].holds:
            value = tuple(machine.R @ value)  # ground axes do not turn with the base
        elif option.holds in ("number", "law"):
            value = f"{float(law_of(value)(np.array([0.4]))[0, 0])!r} {SI.of_kind(measured(option, of))}"
        elif option.holds in ("length", "angle", "coordinate"):
            unit = "m" if option.holds == "length" or (option.holds == "coordinate" and of != "angle") else "rad"
            value = f"{value} {unit}"
        options[option.name] = value
    machine.model.force("load", name, *on, **options)
    return machine.model.inverse(0, "0.4 s", step="0.1 s")


def told(run, force=1.0, length=1.0):
    """What drivers and the load do, in SI."""
    torque = force * length
    out = {f"{name}.effort": run[f"{name}.effort"] * torque for name in run.model.drivers}
    size = "load.torque" if "load.torque" in run.columns else "load.force"
    out["size"] = run[size] * (torque if size.endswith("torque") else force)
    out["power"] = run["load.power"] * torque
    out["kinetic"] = run["energy.kinetic"] * torque
    return out


@pytest.mark.parametrize(("dimension", "name"), CASES, ids=lambda x: str(x))
def test_forces_do_not_know_units_nor_where_the_frame_stands(dimension, name):
    run = loaded(dimension, name)
    assert run.summary["power_residual"] < 1e-10
    assert np.abs(told(run)["size"]).max() > 0
    small = loaded(dimension, name, units=SMALL)
    elsewhere = loaded(dimension, name, place=(1.1, (0.7, -0.4)))
    # a force of g mm/s² is 1e-6 N, a torque of g mm²/s² is 1e-9 N m
    for other, scale in ((small, (1e-6, 1e-3)), (elsewhere, (1.0, 1.0))):
        assert other.summary["power_residual"] < 1e-10
        for (key, one), two in zip(told(run).items(), told(other, *scale).values(), strict=True):
            np.testing.assert_allclose(two, one, rtol=1e-9, atol=1e-9 * np.abs(one).max(), err_msg=key)

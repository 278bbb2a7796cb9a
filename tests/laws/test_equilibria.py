"""Laws of equilibria: they need no effort to be held, potentials decide their stability, and no unit or frame matters.

The efforts come from inverse dynamics along a sweep, not from the search; potentials from the table of that sweep.
"""

import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.arrays import Array

STEP = 1e-4


def slider_crank(unit: float = 1.0, turn: float = 0.0, **units: str) -> mubo.Model:
    """With a spring and weights; lengths and forces in other units, or the whole turned about the origin."""
    model = mubo.Model("slider-crank", units=units or None)
    c, s = math.cos(turn), math.sin(turn)

    def at(x: float, y: float) -> tuple[float, float]:
        return unit * (c * x - s * y), unit * (s * x + c * y)

    def own(x: float, y: float) -> tuple[float, float]:
        return unit * x, unit * y

    radian = 180 / math.pi if units.get("angle") == "deg" else 1.0
    model.gravity = at(0, -9.81)
    model.ground.point("A", (0, 0))
    model.ground.point("S", at(0.5, 0.6))
    ends = {"A": own(0, 0), "B": own(0.2, 0)}
    model.body("crank", position=at(0, 0), angle=radian * (turn + 1.0), points=ends, mass=3.0, center=own(0.1, 0.02))
    points = {"B": own(0, 0), "C": own(0.5, 0), "S": own(0.2, 0.1)}
    model.body(
        "rod", position=at(0.11, 0.17), angle=radian * (turn - 0.3), points=points, mass=2.0, center=own(0.25, 0)
    )
    model.body("piston", position=at(0.58, 0), angle=radian * turn, points={"C": (0, 0)}, mass=1.0)
    model.revolute("A", "ground.A", "crank.A")
    model.revolute("B", "crank.B", "rod.B")
    model.revolute("C", "rod.C", "piston.C")
    model.joint("guide", "translational", "ground.A", "piston.C", axis=(c, s), angle=radian * turn)
    model.force("spring", "spring", "ground.S", "rod.S", stiffness=300, length=unit * 0.3)
    return model


def five_bar() -> mubo.Model:
    """Two degrees of freedom."""
    model = mubo.Model("five-bar")
    model.gravity = (0, -9.81)
    model.ground.point("A", (0, 0))
    model.ground.point("E", (0.6, 0))
    model.ground.point("S", (0.3, 0.9))
    for name, at, angle, ends in (
        ("a", (0, 0), 1.8, "AB"),
        ("b", (-0.1, 0.4), 0.6, "BC"),
        ("c", (0.7, 0.4), 2.6, "DC"),
    ):
        model.body(
            name, position=at, angle=angle, points={ends[0]: (0, 0), ends[1]: (0.45, 0)}, mass=1, center=(0.2, 0)
        )
    model.body("d", position=(0.6, 0), angle=1.3, points={"E": (0, 0), "D": (0.4, 0)}, mass=1.5, center=(0.2, 0.05))
    for name, *ends in (("A", "ground.A", "a.A"), ("B", "a.B", "b.B"), ("C", "b.C", "c.C"), ("D", "d.D", "c.D")):
        model.revolute(name, *ends)
    model.revolute("E", "ground.E", "d.E")
    model.force("spring", "spring", "ground.S", "b.C", stiffness=90, length=0.2)
    return model


def pendulum_in_space() -> mubo.Model:
    """A bar on a universal joint with a spring: two degrees of freedom."""
    model = mubo.Model("bar in space", dimension=3)
    model.gravity = (0, 0, -9.81)
    model.ground.point("O", (0, 0, 0))
    model.ground.point("S", (0.3, 0.4, 0.5))
    points = {"O": (0, 0, 0), "S": (0.1, 0.0, -0.5)}
    model.body("bar", position=(0, 0, 0), points=points, mass=2.0, inertia=(0.1, 0.1, 0.05), center=(0, 0.05, -0.3))
    model.joint("O", "universal", "ground.O", "bar.O", axes=((1, 0, 0), (0, 1, 0)))
    model.force("spring", "spring", "ground.S", "bar.S", stiffness=40, length=0.2)
    return model


ONE = {"slider-crank": (slider_crank, "A", "A.q"), "turned": (lambda: slider_crank(turn=0.7), "A", "A.q")}


@pytest.mark.parametrize("name", ONE)
def test_an_equilibrium_is_held_by_no_effort_and_its_stiffness_is_the_slope_of_the_effort(name: str) -> None:
    make, joint, column = ONE[name]
    run = make().statics()
    assert len(run) >= 2
    for row, entry in enumerate(run.summary["equilibria"]):
        model = make()
        for body in ("crank", "rod", "piston"):
            model = model.replace(f"{body}.position", (run[f"{body}.x"][row], run[f"{body}.y"][row]))
            model = model.replace(f"{body}.angle", run[f"{body}.phi"][row])
        model.driver("lock", joint, f"{float(entry['coordinates'][column])!r} + t")
        sweep = model.statics(-STEP, STEP, STEP)
        effort, potential = sweep["lock.effort"], sweep["energy.potential"]
        largest = sweep["A.on_crank.f"].max()
        slope = (effort[2] - effort[0]) / (2 * STEP)
        assert abs(effort[1]) < 1e-10 * largest
        assert slope == pytest.approx(entry["stiffness_of"][column], rel=1e-5)
        assert (potential[0] + potential[2] > 2 * potential[1]) == (entry["stability"] == "stable")
        assert run["energy.potential"][row] == pytest.approx(potential[1], rel=1e-12)


def around(model: mubo.Model, angles: tuple[float, float]) -> tuple[Array, Array]:
    """Efforts that hold both cranks of the five-bar, and the slopes of the potential's gradient: H of V₀ + ½ xᵀ H x,
    from potentials in six directions, those of opposite ones averaged."""
    rises, forms = [], []
    for direction in np.linspace(0, 2 * np.pi, 7)[:-1]:
        x = np.array([math.cos(direction), math.sin(direction)])
        model.drivers.clear()
        for body, angle, part in zip("ad", angles, x.tolist(), strict=True):
            model.driver(f"lock_{body}", f"{body}.phi", f"{angle!r} + {part!r}*t")
        sweep = model.statics(0, STEP, STEP)
        rises.append(2 * np.diff(sweep["energy.potential"])[0] / STEP**2)
        forms.append([x[0] ** 2, 2 * x[0] * x[1], x[1] ** 2])
    h = np.linalg.lstsq(np.array(forms), np.array(rises), rcond=None)[0]
    efforts = np.array([sweep[f"lock_{body}.effort"][0] for body in "ad"])
    return efforts, np.array([[h[0], h[1]], [h[1], h[2]]])


def test_two_freedoms_in_the_plane() -> None:
    run = five_bar().statics(starts=5)
    seen = set()
    for row, entry in enumerate(run.summary["equilibria"]):
        model = five_bar()
        for body in "abcd":
            model = model.replace(f"{body}.position", (run[f"{body}.x"][row], run[f"{body}.y"][row]))
            model = model.replace(f"{body}.angle", run[f"{body}.phi"][row])
        efforts, slopes = around(model, (float(run["a.phi"][row]), float(run["d.phi"][row])))
        assert np.max(np.abs(efforts)) < 1e-9 * np.max([run[f"{j}.on_{b}.f"][row] for j, b in (("A", "a"), ("E", "d"))])
        assert int(np.sum(np.linalg.eigvalsh(slopes) < 0)) == entry["unstable_motions"]
        seen.add(entry["stability"])
    assert seen == {"stable", "unstable"}


def test_two_freedoms_in_space() -> None:
    run = pendulum_in_space().statics(starts=12)
    seen = set()
    for row, entry in enumerate(run.summary["equilibria"]):
        model = pendulum_in_space().replace("bar.orientation", [run[f"bar.q{c}"][row] for c in "wxyz"])
        for name, of in (("one", "O.q1"), ("two", "O.q2")):
            model.driver(name, of, float(run[of][row]))
        held = model.statics()
        assert max(abs(held["one.effort"][0]), abs(held["two.effort"][0])) < 1e-9 * 2 * 9.81
        assert held["energy.potential"][0] == pytest.approx(entry["potential"], rel=1e-10)
        seen.add(entry["stability"])
    lowest = min(run.summary["equilibria"], key=lambda entry: entry["potential"])
    assert lowest["stability"] == "stable"
    assert "unstable" in seen


def test_units_do_not_matter() -> None:
    metres, millimetres = slider_crank(), slider_crank(1000.0, length="mm", angle="deg", mass="g", time="s")
    millimetres = millimetres.replace("spring.stiffness", 300 * 1000.0)  # g/s² per kg/s²
    for body, mass in (("crank", 3.0), ("rod", 2.0), ("piston", 1.0)):
        millimetres = millimetres.replace(f"{body}.mass", 1000 * mass)
    one, two = metres.statics(), millimetres.statics()
    assert len(one) == len(two)
    assert two["A.q"] == pytest.approx(np.degrees(one["A.q"]), abs=1e-8)
    assert two["A.on_crank.f"] == pytest.approx(1e6 * one["A.on_crank.f"], rel=1e-9)
    assert list(two["stability"]) == list(one["stability"])


def test_the_frame_does_not_matter() -> None:
    turn = 2.1
    one, two = slider_crank().statics(), slider_crank(turn=turn).statics()
    assert len(one) == len(two)
    found = [(e["potential"], e["stability"], *e["stiffness"]) for e in one.summary["equilibria"]]
    again = [(e["potential"], e["stability"], *e["stiffness"]) for e in two.summary["equilibria"]]
    for (v, stability, k), (w, other, m) in zip(sorted(found), sorted(again), strict=True):
        assert (w, m, other) == (pytest.approx(v, rel=1e-9), pytest.approx(k, rel=1e-6), stability)
    assert sorted(two["A.on_crank.f"]) == pytest.approx(sorted(one["A.on_crank.f"]), rel=1e-9)


def test_equilibria_of_a_circuit_alternate() -> None:
    """Around each circuit minima and maxima of the potential take turns; a note names the drawn circuit."""
    run = mubo.load(EXAMPLES / "loaded_four_bar.toml").statics(free="hold")
    equilibria = run.summary["equilibria"]
    for path in (1, 2):
        one = [entry for entry in equilibria if entry["path"] == path]
        one.sort(key=lambda entry: entry["coordinates"]["A.q"] % 360)
        signs = [entry["stability"] for entry in one]
        assert sorted(signs) == ["stable", "stable", "unstable", "unstable"]
        assert signs[0] == signs[2] != signs[1] == signs[3]
    drawn = [str(entry["number"]) for entry in equilibria if entry["path"] == 1]
    named = f"equilibria {', '.join(drawn[:-1])} and {drawn[-1]} are on the circuit of the position drawn"
    assert any(named in note for note in run.summary["warnings"] + run.summary.get("notes", []))


@pytest.mark.parametrize(("asked", "positions"), [({}, 16), ({"starts": 20}, 21)])
def test_a_search_ends_where_nothing_is_found(asked, positions) -> None:
    """Two blocks that fall: no position is an equilibrium. More starts than are usual are made where asked for."""
    model = mubo.Model("blocks", gravity=(0, -9.81))
    for k, name in enumerate(("left", "right")):
        model.ground.point(name, (k, 0))
        model.body(name, (k, 1), 0.0, {"P": (0, 0)}, mass=1.0, inertia=0.1)
        model.translational(f"guide_{name}", f"ground.{name}", f"{name}.P", (0, 1), 0)
    with pytest.raises(mubo.MuboError, match=f"no equilibrium was found: from {positions} positions"):
        model.statics(**asked)

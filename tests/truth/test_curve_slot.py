"""A pin in a curved slot: parabola, circle, ellipse, straight line, spline; on the ground and on a body that turns.

A bead on y = k x²/2 let go at x = a: with x = a cos θ its energy gives dt = √(1 + k²x²) / √(g k) dθ, so that its period
is 4 E(−k²a²) / √(g k), E the complete elliptic integral of the second kind. Near its lowest point a wire of curvature κ
pushes with m (g + κ v²) (Timoshenko and Young, Advanced Dynamics, 1948).
"""

import numpy as np
import pytest
from conftest import EXAMPLES
from scipy.special import ellipe, ellipeinc, ellipk

import mubo
from mubo.mechanism.curves import curve_of

G = 9.81


def bead(at=(0.0, 0.0), **curve) -> mubo.Model:
    model = mubo.Model("bead", gravity=(0, -G))
    model.ground.point("O", (0, 0))
    model.body("bead", at, points={"P": (0, 0)}, mass=0.5, inertia=0.01)
    model.joint("wire", "curve_slot", "ground.O", "bead.P", **curve)
    return model


def test_parabola_driven():
    """x = t: y = 2 x², vy = 4 x, ay = 4."""
    model = bead(y="2*x^2", range=(-1.5, 1.5))
    model.driver("push", "bead.P.x", "t")
    model.driver("hold", "bead.phi", "0")
    run = model.kinematics(-1, 1, 0.05)
    t = run["t"]
    assert np.max(np.abs(run["bead.y"] - 2 * t**2)) < 1e-12
    assert np.max(np.abs(run["bead.vy"] - 4 * t)) < 1e-11
    assert np.max(np.abs(run["bead.ay"] - 4)) < 1e-10


def test_bead_on_a_parabola(form):
    model = mubo.load(EXAMPLES / "bead_on_parabola.toml")
    period = 4 * ellipe(-1.0) / np.sqrt(G)
    run = model.simulate(0, period, period / 40, formulation=form, reactions=True)
    x, y = run["bead.x"], run["bead.y"]
    assert np.max(np.abs(y - x**2 / 2)) < 1e-10
    assert x[[0, 10, 20, 30, 40]] == pytest.approx([1, 0, -1, 0, 1], abs=1e-8)
    # √(g k) t = ∫ √(1 + cos² θ) dθ = √2 E(θ | 1/2), x = cos θ
    times = np.sqrt(2) * ellipeinc(np.arccos(np.clip(x[:21], -1, 1)), 0.5) / np.sqrt(G)
    assert np.max(np.abs(times[1:20] - run["t"][1:20])) < 1e-7
    # at the bottom v² = 2 g y₀ = g, κ = 1: N = m (g + g)
    assert run["wire.on_bead.fy"][10] == pytest.approx(0.1 * 2 * G, rel=1e-7)


def test_small_oscillation_and_equilibrium():
    model = bead(at=(0.1, 0.01), y="1.5*x^2", range=(-1, 1))
    linear = model.linearize()
    assert max(2 * np.pi * mode.frequency for mode in linear.modes) == pytest.approx(np.sqrt(3 * G), rel=1e-9)


@pytest.mark.parametrize(
    "curve",
    [
        {"x": "0.5*cos(s)", "y": "0.5*sin(s)", "range": (0, 2 * np.pi), "ends": "closed"},
        {"x": "0.5*sin(s)", "y": "-0.5*cos(s)", "range": (-2, 2)},
    ],
    ids=["closed", "open"],
)
def test_a_circle_by_formula_is_a_ring(form, curve):
    model = bead(at=(0.5, 0.0), **curve)
    period = 4 * ellipk(0.5) * np.sqrt(0.5 / G)
    run = model.simulate(0, period, period / 16, formulation=form)
    assert np.max(np.abs(np.hypot(run["bead.x"], run["bead.y"]) - 0.5)) < 1e-10
    assert run["bead.x"][[0, 8, 16]] == pytest.approx([0.5, -0.5, 0.5], abs=1e-8)
    ring = mubo.load(EXAMPLES / "bead_on_ring.toml").simulate(0, period, period / 16, formulation=form)
    assert np.max(np.abs(run["bead.y"] - ring["bead.y"])) < 1e-8


def test_ellipse_driven_all_round():
    """A crank with a slot drives a pin around an ellipse: at the angle φ the radius is 1 / √(cos²/a² + sin²/b²)."""
    a, b = 0.8, 0.5
    model = mubo.Model("ellipse")
    model.ground.point("O", (0, 0))
    model.body("crank", points={"O": (0, 0)})
    model.body("pin", (a, 0), points={"P": (0, 0)})
    model.revolute("A", "ground.O", "crank.O")
    model.joint("groove", "slot", "crank.O", "pin.P", axis=(1, 0))
    curve = {"x": f"{a}*cos(s)", "y": f"{b}*sin(s)", "range": (0, 2 * np.pi), "ends": "closed"}
    model.joint("track", "curve_slot", "ground.O", "pin.P", **curve)
    model.driver("turn", "crank.phi", "t")
    model.driver("hold", "pin.phi", "0")
    run = model.kinematics(0, 2 * np.pi, np.pi / 40)
    t = run["t"]
    radius = 1 / np.sqrt((np.cos(t) / a) ** 2 + (np.sin(t) / b) ** 2)
    assert np.max(np.abs(run["pin.x"] - radius * np.cos(t))) < 1e-9
    assert np.max(np.abs(run["pin.y"] - radius * np.sin(t))) < 1e-9


def test_a_straight_curve_is_a_slot():
    """On a crank that turns, y = 0 in its axes is the slot along x: the same motion, the same reaction."""

    def machine(**groove):
        model = mubo.Model("crank", gravity=(0, -G))
        model.ground.point("O", (0, 0))
        model.body("crank", angle=0.4, points={"O": (0, 0), "Q": (0.1, 0.2)}, mass=1.0, inertia=0.1)
        model.body("block", (0.5, 0.3), points={"P": (0, 0)}, mass=0.5, inertia=0.05)
        model.revolute("A", "ground.O", "crank.O")
        model.joint("groove", *groove.pop("kind"), "crank.Q", "block.P", **groove)
        model.driver("turn", "crank.phi", "0.4 + t")
        model.driver("along", "block.P.x", "0.5 - 0.2*t")
        model.driver("hold", "block.phi", "0.1*t")
        return model.inverse(0, 0.8, step=0.1)

    slot = machine(kind=("slot",), axis=(1, 0))
    curve = machine(kind=("curve_slot",), y="0*x", range=(-3, 3))
    for name in ("block.y", "block.ay", "groove.on_block.fx", "groove.on_block.fy", "turn.effort"):
        assert np.max(np.abs(slot[name] - curve[name])) < 1e-9, name


def test_spline_through_points_of_a_parabola():
    """A cubic spline through points of y = x²/2, whose chords are its parameter, meets it between them to 1e-6."""
    x = np.linspace(-1.2, 1.2, 121)
    model = bead(at=(1, 0.5), points=np.column_stack([x, x**2 / 2]))
    model.driver("push", "bead.P.x", "t")
    model.driver("hold", "bead.phi", "0")
    run = model.kinematics(-1, 1, 0.013)
    assert np.max(np.abs(run["bead.y"] - run["t"] ** 2 / 2)) < 1e-6


def test_reach():
    """Of a circle its radius; of the parabola y = k x²/2 the radius of curvature at its vertex, 1/k."""
    circle = bead(x="2*cos(s)", y="2*sin(s)", range=(0, 2 * np.pi), ends="closed")
    parabola = bead(y="x^2", range=(-1, 1))
    for model, expected in ((circle, 2.0), (parabola, 0.5)):
        assert 0.85 * expected < curve_of(model.build().joints["wire"]).reach < expected


@pytest.mark.parametrize(
    ("curve", "says"),
    [
        ({"x": "sin(s)", "y": "sin(2*s)", "range": (0.5, 6.7)}, "crosses itself near"),
        ({"x": "sin(s)", "y": "sin(2*s)", "range": (0, 4)}, "crosses itself near"),
        ({"y": "abs(x)", "range": (-1, 1)}, "corner at"),
        ({"x": "s^3", "y": "s^2", "range": (-1, 1)}, "zero speed"),
        ({"x": "cos(s)", "y": "sin(s)", "range": (0, 3), "ends": "closed"}, "does not continue into its start"),
        ({"y": "x^2"}, '"range"'),
        ({"y": "x^2", "range": (1, -1)}, "must go upwards"),
        ({"y": "1/x", "range": (-1, 1)}, "not a finite number|corner"),
        ({"x": "cos(s)", "range": (0, 3)}, 'needs "y"'),
        ({"points": [[0, 0], [1, 0], [1, 0], [2, 0]]}, "the same place"),
    ],
)
def test_curves_that_are_refused(curve, says):
    with pytest.raises(mubo.ModelError, match=says):
        bead(**curve).check()


def test_leaving_the_slot_is_reported(form):
    """Let go at x = 0.5 the bead would swing to −0.5; a slot that ends at −0.4 lets it out."""
    run = bead(at=(0.5, 0.125), y="x^2/2", range=(-0.4, 0.6)).simulate(0, 1, 0.05, formulation=form)
    assert any("joint wire: its pin leaves the slot at t = " in note for note in run.summary["warnings"])
    inside = bead(at=(0.5, 0.125), y="x^2/2", range=(-0.6, 0.6)).simulate(0, 1, 0.05, formulation=form)
    assert not any("leaves the slot" in note for note in inside.summary["warnings"])


def test_a_file_in_other_units(tmp_path):
    """Lengths with their units, and a range of s as text."""
    text = (EXAMPLES / "bead_on_parabola.toml").read_text()
    (tmp_path / "a.toml").write_text(text.replace("range = [-1.4, 1.4]", 'range = ["-1400 mm", "1.4 m"]'))
    circle = 'x = "0.5*sin(s)"\ny = "0.5 - 0.5*cos(s)"\nrange = [0, "2*pi"]\nends = "closed"'
    text = text.replace('y = "x^2/2"\nrange = [-1.4, 1.4]', circle).replace(
        "position = [1, 0.5]", "position = [0.5, 0.5]"
    )
    (tmp_path / "b.toml").write_text(text)
    for name in ("a", "b"):
        assert mubo.load(tmp_path / f"{name}.toml").check().ok


def test_files_keep_the_curve(tmp_path):
    model = bead(at=(1, 0.5), y="x^2/2", range=(-1, 1))
    model.save(tmp_path / "bead.toml")
    assert 'y = "x^2/2"' in (tmp_path / "bead.toml").read_text()
    assert mubo.load(tmp_path / "bead.toml").joints == model.joints

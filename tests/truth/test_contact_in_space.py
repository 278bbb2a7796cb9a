"""Contacts of spheres, boxes, capsules and hulls in space, against closed forms."""

import numpy as np
import pytest

import mubo

FORMULATIONS = pytest.mark.parametrize("formulation", ["tree", "absolute"])
G = 9.81


def _model(*gravity):
    return mubo.Model("space", dimension=3, gravity=gravity or (0, 0, -G))


def _floor(model, friction=0.0, restitution=0.0):
    model.surface("floor", body="ground", shape="plane", normal=(0, 0, 1))
    rubs = {"friction": friction} if friction else {}
    model.contact("floor", between=["skin", "floor"], restitution=restitution, **rubs)


def _events(run, *kinds):
    return [entry for entry in run.summary["contacts"] if entry["event"] in kinds]


@pytest.mark.parametrize("friction", [0.5, 0.1])
@FORMULATIONS
def test_a_sphere_rolls_or_slips_down_an_incline(formulation, friction):
    """It rolls with 5/7 g sin where tan < 7/2 μ, else slides with g (sin − μ cos) and spins up by 5/2 μ g cos / r."""
    slope, radius, mass = 0.5, 0.1, 2.0
    heading = np.array([np.cos(0.3), np.sin(0.3)])  # downhill in no axis of the coordinates
    model = _model(*(G * np.sin(slope) * heading), -G * np.cos(slope))
    model.body("ball", (0, 0, radius), mass=mass, inertia=(0.4 * mass * radius**2,) * 3)
    model.surface("skin", body="ball", shape="sphere", radius=radius)
    _floor(model, friction)
    run = model.simulate(0, 1, step=0.1, formulation=formulation)
    rolls = np.tan(slope) < 3.5 * friction
    a = 5 / 7 * G * np.sin(slope) if rolls else G * (np.sin(slope) - friction * np.cos(slope))
    spin = a / radius if rolls else 2.5 * friction * G * np.cos(slope) / radius
    along = run["ball.x"] * heading[0] + run["ball.y"] * heading[1]
    assert along == pytest.approx(a * run["t"] ** 2 / 2, abs=1e-9)
    turn = -run["ball.wx"] * heading[1] + run["ball.wy"] * heading[0]
    assert turn == pytest.approx(spin * run["t"], abs=1e-9)
    assert run["floor.normal"] == pytest.approx(np.full(11, mass * G * np.cos(slope)), rel=1e-9)


@FORMULATIONS
def test_a_spinning_ball_slides_on_a_straight_line(formulation):
    """Side spin: the slip keeps its direction, u(t) = u0 (1 − 7/2 μ g t/|u0|), and the path is a parabola."""
    radius, mass, mu = 0.05, 0.3, 0.2
    v0, w0 = np.array([2.0, 0.0, 0.0]), np.array([30.0, 0.0, 0.0])
    model = _model()
    model.body("ball", (0, 0, radius), mass=mass, inertia=(0.4 * mass * radius**2,) * 3)
    model.initial("ball", velocity=list(v0), omega=list(w0))
    model.surface("skin", body="ball", shape="sphere", radius=radius)
    _floor(model, mu)
    u0 = v0 + np.cross(w0, [0, 0, -radius])
    size = np.linalg.norm(u0)
    rolls = 2 * size / (7 * mu * G)
    run = model.simulate(0, 1.5 * rolls, step=1.5 * rolls / 12, formulation=formulation)
    assert _events(run, "stick")[0]["t"] == pytest.approx(rolls, abs=1e-8)
    t = np.minimum(run["t"], rolls)
    later = run["t"] - t
    end = v0 - mu * G * t[:, None] * u0 / size
    place = v0 * t[:, None] - mu * G * t[:, None] ** 2 / 2 * u0 / size + end * later[:, None]
    assert np.stack([run["ball.x"], run["ball.y"]], 1) == pytest.approx(place[:, :2], abs=1e-8)


@pytest.mark.parametrize("shape", ["box", "hull"])
@FORMULATIONS
def test_a_box_slides_and_stops(formulation, shape):
    """v² / 2 μ g on four corners, which share its weight and leave their friction open."""
    half = np.array([0.2, 0.1, 0.05])
    corners = [tuple(half * sign) for sign in np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T]
    given = {"size": tuple(2 * half)} if shape == "box" else {"corners": corners}
    model = _model()
    model.body("box", (0, 0, half[2]), mass=3, inertia=(0.0125, 0.0425, 0.05))
    model.initial("box", velocity=[1.2, 0.9, 0], omega=[0, 0, 0])
    model.surface("skin", body="box", shape=shape, **given)
    _floor(model, 0.3)
    stop = 1.5 / (0.3 * G)
    run = model.simulate(0, 1.2 * stop, step=0.1, formulation=formulation)
    assert _events(run, "stick")[0]["t"] == pytest.approx(stop, abs=1e-8)
    assert run["box.x"][-1] == pytest.approx(1.5**2 / (0.6 * G) * 0.8, abs=1e-8)
    assert run["floor.normal"] == pytest.approx(np.full(len(run["t"]), 3 * G), rel=1e-9)


@FORMULATIONS
def test_a_ball_with_topspin_bounces(formulation):
    """Sticking impact: the tangential impulse is 2/7 m of the slip at the contact; v' = e v."""
    radius, mass, e = 0.1, 0.5, 0.8
    model = _model(0, 0, 0)
    model.body("ball", (0, 0, 0.3), mass=mass, inertia=(0.4 * mass * radius**2,) * 3)
    v, w = np.array([1.0, -0.5, -3.0]), np.array([4.0, 12.0, 1.0])
    model.initial("ball", velocity=list(v), omega=list(w))
    model.surface("skin", body="ball", shape="sphere", radius=radius)
    _floor(model, 0.9, e)
    run = model.simulate(0, 0.1, step=0.05, formulation=formulation)
    hit = _events(run, "impact")[0]
    slip = v + np.cross(w, [0, 0, -radius])
    T = -2 / 7 * mass * slip[:2]
    assert hit["impulse"] == pytest.approx(mass * (1 + e) * 3, rel=1e-10)
    assert hit["friction_impulse"] == pytest.approx(np.linalg.norm(T), rel=1e-9)
    assert [run["ball.vx"][-1], run["ball.vy"][-1], run["ball.vz"][-1]] == pytest.approx([*(v[:2] + T / mass), 2.4])


@pytest.mark.parametrize("shapes", [("capsule", "capsule"), ("box", "box"), ("hull", "box"), ("capsule", "box")])
@FORMULATIONS
def test_crossed_edges_meet(formulation, shapes):
    """Two bars cross edge to edge in their middles: a central collision of equal masses swaps their speeds."""
    model = _model(0, 0, 0)
    tall = {"capsule": 0.02, "box": 0.02 * np.sqrt(2), "hull": 0.02 * np.sqrt(2)}
    gap = 0.01
    turns = [
        (float(np.cos(np.pi / 8)), float(np.sin(np.pi / 8)), 0, 0),
        (float(np.cos(np.pi / 8)), 0, float(np.sin(np.pi / 8)), 0),
    ]
    for name, shape, turn, axis, side in zip("ab", shapes, turns, (0, 1), (-1, 1), strict=True):
        z = side * (tall[shape] + gap / 2)
        size = [0.04, 0.04, 0.04]
        size[axis] = 0.5
        end = [0.0, 0.0, 0.0]
        end[axis] = 0.25
        model.body(name, (0, 0, z), orientation=turn, mass=1.5, inertia=(0.02, 0.03, 0.04))
        model.initial(name, velocity=[0, 0, 1.0 if name == "a" else 0.0], omega=[0, 0, 0])
        corners = [tuple(np.array(size) / 2 * sign) for sign in np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T]
        given = {
            "capsule": {"at": tuple(-np.array(end)), "to": tuple(end), "radius": 0.02},
            "box": {"size": tuple(size)},
            "hull": {"corners": corners},
        }[shape]
        model.surface(name, body=name, shape=shape, **given)
    model.contact("hit", between=["a", "b"], restitution=1)
    run = model.simulate(0, 0.02, step=0.02, formulation=formulation)
    (hit,) = _events(run, "impact")
    assert hit["t"] == pytest.approx(gap, abs=1e-9)
    assert hit["impulse"] == pytest.approx(1.5, rel=1e-9)
    assert run["b.vz"][-1] == pytest.approx(1.0, rel=1e-9)
    assert run["a.vz"][-1] == pytest.approx(0.0, abs=1e-9)


def test_corners_in_a_plane_enclose_nothing():
    model = _model()
    model.body("plate", (0, 0, 1), mass=1, inertia=(1, 1, 1))
    model.surface("skin", body="plate", shape="hull", corners=[(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
    model.body("other", (0, 0, 2), mass=1, inertia=(1, 1, 1))
    model.surface("ball", body="other", shape="sphere", radius=0.1)
    model.contact("hit", between=["ball", "skin"])
    with pytest.raises(mubo.ModelError, match="enclose no volume"):
        model.simulate(0, 0.1, step=0.1)


@FORMULATIONS
def test_a_ball_rests_in_its_socket_with_clearance(formulation):
    """A pendulum hangs below its socket by the clearance and Hertz' penetration, (m g/K)^(2/3)."""
    model = _model()
    model.ground.point("O", (0, 0, 0))
    play, radius = 1e-4, 0.01
    stiffness = 4 / 3 / np.sqrt(1 / (radius - play) - 1 / radius) / (2 * (1 - 0.09) / 2e11)
    deep = (G / stiffness) ** (2 / 3)
    steel = {"young": 2e11, "poisson": 0.3, "bearing_radius": radius, "clearance": play}
    inertia = (0.01, 0.01, 0.01)
    model.body("bob", (0, 0, -play - deep), mass=1, inertia=inertia, center=(0, 0, -0.2), points={"P": (0, 0, 0)})
    model.joint("ball", "spherical", "ground.O", "bob.P", restitution=0.2, **steel)
    run = model.simulate(0, 0.001, step=0.0001, formulation=formulation)
    assert run["ball.normal"] == pytest.approx(np.full(11, G), rel=1e-6)
    assert run["ball.gap"] == pytest.approx(np.full(11, -deep), rel=1e-6)

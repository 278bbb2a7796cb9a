"""Walking in space: inverse kinematics and dynamics of a synthetic person whose motion and moments are known."""

import numpy as np
import pytest
import synthetic_walker_space as walker

import mubo
from mubo.formats.walk.chain import ChainLink, ball, pose, root_motions
from mubo.formats.walk.chain_fit import angles_of, fit, guess_by_segments

T = np.arange(260) / 200.0  # s, a cycle of the right foot
INSIDE = slice(20, -20)  # at its ends a spline knows less


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    return mubo.load(walker.write(tmp_path_factory.mktemp("walk"), T))


@pytest.fixture(scope="module")
def found(walk):
    return walk.gait()


def test_the_chain_finds_the_coordinates_of_the_motion(walk):
    """Rigid segments: the markers of the file have 1e-7 mm, so that all 27 coordinates come out to 1e-7."""
    for name, known in walker.coordinates(T).items():
        factor = 1.0 if name.startswith("pelvis_t") and name[-1] in "xyz" else 180 / np.pi
        np.testing.assert_allclose(walk.drivers[name].motion.value, factor * known, atol=1e-5)
    assert any("inverse kinematics by chain" in note and "thigh_r 0.0" in note for note in walk.origin.notes)


def test_segments_for_themselves_agree_with_the_chain(tmp_path):
    """Of rigid segments both kinds of inverse kinematics give the same."""
    text = walker.model_text(more='kinematics = "segments"\n')
    model = mubo.load(walker.write(tmp_path, T, text))
    for name, known in walker.coordinates(T).items():
        if name.startswith(("hip", "knee", "ankle")):
            np.testing.assert_allclose(model.drivers[name].motion.value, np.degrees(known), atol=1e-5)


def test_moments_are_those_of_newton_and_euler(found):
    """All nine components of each leg, against a recursion without mubo; splines of 200 Hz cost 2e-3 N m/kg."""
    for name, known in walker.moments(T).items():
        assert np.ptp(known) > 0.01
        np.testing.assert_allclose(found.run[f"{name}_moment"][INSIDE], known[INSIDE], atol=3e-3)


def test_powers_are_moment_times_rate_and_add_up(found):
    run, total = found.run, 0.0
    for word in ("angle", "adduction", "rotation"):
        name = f"knee_{word}_r"
        power = run[f"{name}_moment"] * np.radians(run[f"{name}.rate"])
        np.testing.assert_allclose(run[f"{name}_power"], power, rtol=1e-12, atol=1e-12)
        total += power
    np.testing.assert_allclose(run["knee_r_power"], total, rtol=1e-12, atol=1e-12)


def test_the_root_residual_is_none(found):
    """The ground exerts what the body needs: the drivers of the pelvis have nothing to do."""
    assert found.residual is not None
    for word in ("fx", "fy", "fz", "mx", "my", "mz"):
        assert np.max(np.abs(found.run[f"residual.{word}"][INSIDE])) < 0.6  # N, N m, of 900 N
    for name in ("pelvis_tx", "pelvis_list", "pelvis_rotation"):
        assert np.max(np.abs(found.run[f"{name}.effort"][INSIDE])) < 0.6


def test_the_centre_of_pressure_is_that_of_the_wrench(found):
    """x = M_z/F_y and z = −M_x/F_y on the floor, of the moment about the origin."""
    _, moment, _, _ = walker.ground(T)["r"]
    force = walker.ground(T)["r"][0]
    stands = force[:, 1] > 100
    moment, upward = moment[stands], force[stands, 1]
    np.testing.assert_allclose(found.run["ground_r_point_x"][stands], moment[:, 2] / upward, atol=1e-6)
    np.testing.assert_allclose(found.run["ground_r_point_z"][stands], -moment[:, 0] / upward, atol=1e-6)


def test_angles_are_those_of_grood_and_suntay():
    """Rz(a) Rx(b) Ry(c), and back."""
    rng = np.random.default_rng(3)
    q = rng.uniform(-1.2, 1.2, (50, 6))
    signs = (1.0, -1.0, 1.0)
    placed = pose([ChainLink("thigh", -1, np.zeros(3), ball(3, signs))], q)
    np.testing.assert_allclose(angles_of(placed.axes[0], signs), q[:, 3:], atol=1e-12)


def test_weights_and_lost_markers():
    """A marker that is 10 mm off pulls by its weight: of none the fit is exact, also with another one lost."""
    rng = np.random.default_rng(5)
    markers = {f"m{k}": at for k, at in enumerate(rng.normal(size=(5, 3)))}
    link = ChainLink("pelvis", -1, np.zeros(3), root_motions(), markers)
    q = rng.uniform(-0.5, 0.5, (20, 6))
    placed = pose([link], q)
    measured = {name: placed.places[0] + placed.axes[0] @ at for name, at in markers.items()}
    measured["m0"] = measured["m0"] + [0.01, 0.0, 0.0]
    measured["m1"][7] = np.nan
    guess = guess_by_segments([link], measured)
    assert np.max(np.abs(fit([link], measured, guess, {}).coordinates - q)) > 1e-4
    np.testing.assert_allclose(fit([link], measured, guess, {"m0": 0.0}).coordinates, q, atol=1e-9)

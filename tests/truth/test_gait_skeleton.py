"""A walk of a given skeleton: coordinates and moments of the synthetic person, whose .osim is written by the tests."""

import numpy as np
import pytest
import synthetic_skeleton as skeleton
import synthetic_walker_space as walker
from matplotlib.figure import Figure

import mubo
from mubo.applications.gait.legs import legs_of
from mubo.applications.gait.normative import Band, Normative
from mubo.formats.walk.chain import ChainLink, ChainMotion, CoordinateCurve, marker_places
from mubo.laws import Polynomial
from mubo.view.gait import Curves, draw_curves, ends_of

T = np.arange(130) / 100.0  # s, a cycle of the right foot
SHORT = np.arange(30) / 50.0
PLANE = skeleton.MODEL.replace("dimension = 3\n", "").replace("-9.81, 0]", "-9.81]")
OTHER_HIP = (
    skeleton.skeleton_text().replace('="hip_', '="thigh_').replace(">hip_", ">thigh_").replace("'hip_", "'thigh_")
)
INSIDE = slice(10, -10)


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    return mubo.load(skeleton.write(tmp_path_factory.mktemp("skeleton"), T))


@pytest.fixture(scope="module")
def found(walk):
    return walk.gait()


def test_coordinates_of_the_skeleton_are_those_of_the_motion(walk):
    """All 27 coordinates; the marker on the kneecap fits, with spline and constraint between it and the knee."""
    for name, known in walker.coordinates(T).items():
        factor = 1.0 if name.startswith("pelvis_t") and name[-1] in "xyz" else 180 / np.pi
        np.testing.assert_allclose(walk.drivers[name].motion.value, factor * known, atol=2e-5)
    notes = " ".join(walk.origin.notes)
    assert "kneecap_r 0.0" in notes
    assert "skeleton person.osim: 70 kg" in notes


def test_moments_are_those_of_newton_and_euler(found):
    """The masses of the file; the moment of the knee is its generalised force."""
    for name, known in walker.moments(T).items():
        np.testing.assert_allclose(found.run[f"{name}_moment"][INSIDE], known[INSIDE], atol=3e-3)
    assert found.legs[0].bodies == {"thigh": "thigh_r", "shank": "shank_r", "foot": "foot_r"}
    assert found.flipped == ()
    assert "segments are those of the skeleton" in str(found)


def test_a_knee_that_flexes_negatively_is_named_and_drawn(tmp_path):
    """About z to the right flexion is negative: angles and moments change sign, powers do not; words change ends."""
    model = mubo.load(skeleton.write(tmp_path, SHORT, skeleton=skeleton.skeleton_text(knee=1)))
    known = np.degrees(walker.coordinates(SHORT)["knee_angle_r"])
    np.testing.assert_allclose(model.drivers["knee_angle_r"].motion.value, -known, atol=2e-5)
    flipped = legs_of(model)[0].flipped
    assert flipped == ("knee_angle", "knee_angle_moment")
    assert ends_of("knee", "angle", flipped) == ("flexion", "extension")
    assert ends_of("knee", "power", flipped) == ends_of("knee", "power")
    bands = {name: Band(np.full(101, 30.0), np.full(101, 5.0)) for name in ("knee_angle", "knee_angle_power")}
    group = Normative("a group", bands)
    assert group.band("knee_angle_r", flipped).mean[0] == -30.0
    assert group.band("knee_angle_r_power", flipped).mean[0] == 30.0


def test_locked_coordinates_stay_as_drawn(tmp_path):
    names = [f"knee_{word}_{side}" for word in ("adduction", "rotation") for side in "rl"]
    text = skeleton.skeleton_text(locked=names)
    model = mubo.load(skeleton.write(tmp_path, SHORT, skeleton=text))
    for name in names:
        assert model.drivers[name].motion == Polynomial((0.0,))
    assert any("locked by the skeleton: knee_adduction_r" in note for note in model.origin.notes)


def test_derivatives_of_places_are_differences():
    """A chain with a slide by a cubic of a turn: central differences of second order."""
    rng = np.random.default_rng(8)
    curve = CoordinateCurve(np.array([-0.5, 0.2]), rng.normal(size=(2, 4)))
    unit = np.array([2.0, -1.0, 2.0]) / 3
    first = ChainLink("a", -1, rng.normal(size=3), (ChainMotion(True, unit, 0), ChainMotion(False, unit[::-1], 1)))
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    last = ChainLink(
        "b",
        0,
        rng.normal(size=3),
        (ChainMotion(False, unit, 0, (curve,)), ChainMotion(True, unit[::-1], 2)),
        {"m": rng.normal(size=3)},
        turn,
        rng.normal(size=3),
    )
    q, step = rng.normal(0, 0.1, (4, 3)), 1e-6
    slopes = marker_places([first, last], q)[1]
    for k in range(3):
        ahead, behind = (marker_places([first, last], q + s * step * np.eye(3)[k])[0] for s in (1, -1))
        np.testing.assert_allclose(slopes[:, :, k], (ahead - behind)[:, 0] / (2 * step), atol=1e-8)


@pytest.mark.parametrize(
    ("text", "file", "match"),
    [
        (PLANE, None, r"a skeleton moves in space"),
        (skeleton.MODEL.replace('length = "m"', 'length = "mm"'), None, r"a skeleton is in m, kg and s.*length"),
        (skeleton.MODEL.replace("skeleton =", 'functional = "walk.trc"\nskeleton ='), None, r"leave out functional"),
        (skeleton.MODEL.replace("skeleton =", 'kinematics = "segments"\nskeleton ='), None, r"kinematics is chain"),
        (
            skeleton.MODEL.replace("[plate.right]", "[body.thigh_r]\nmass = 1\n[plate.right]"),
            None,
            r"gives it: leave out",
        ),
        (skeleton.MODEL.replace("person.osim", "walk.toml"), None, r"this is not XML"),
        (None, OTHER_HIP, r"the hip needs a coordinate hip_…_r"),
        (
            None,
            skeleton.skeleton_text().replace('r name="', 'r name="old_'),
            r"no marker of the skeleton person.osim is in",
        ),
    ],
)
def test_skeletons_that_do_not_fit(tmp_path, text, file, match):
    with pytest.raises(mubo.ModelError, match=match):
        mubo.load(skeleton.write(tmp_path, SHORT, text=text or skeleton.MODEL, skeleton=file))


def test_masses_that_are_not_those_of_the_subject(tmp_path):
    text = skeleton.MODEL.replace("70 kg", "80 kg")
    model = mubo.load(skeleton.write(tmp_path, SHORT, text=text))
    assert any("the skeleton has 70 kg, the subject 80 kg" in note for note in model.origin.notes)


def test_a_hinge_has_one_panel():
    """Joints of three, one and two coordinates: 6 rows of them and one of powers; those that are missing are empty."""
    names = {"hip": ("a_angle", "a_adduction", "a_rotation"), "knee": ("knee_angle",), "ankle": ("b_angle", "c_angle")}
    curves = Curves(lambda _: np.zeros(101), lambda _: np.zeros(101), lambda _: "", "rl", {}, names, "", None, ())
    figure = Figure()
    draw_curves(figure, curves)
    shown = [[axes.get_visible() for axes in figure.axes[3 * row : 3 * row + 3]] for row in range(7)]
    three = [[True, True, True], [True, False, True], [True, False, False]]
    assert shown == [*three, *three, [True, True, True]]

"""A generic skeleton is scaled to the synthetic person, whose lengths, masses, motion and moments are known."""

import numpy as np
import pytest
import synthetic_skeleton as skeleton
import synthetic_walker as plane
import synthetic_walker_space as walker

import mubo

T = np.arange(130) / 100.0  # s, a cycle of the right foot
SHORT = np.arange(30) / 50.0
INSIDE = slice(10, -10)
FACTORS = {"pelvis": 1.03, "thigh_r": 1.12, "thigh_l": 1.12, "shank_r": 0.91, "shank_l": 0.93, "foot_r": 1.07}
FACTORS |= {"foot_l": 1.07, "trunk": 0.95}
PAIRS = {
    "pelvis": '[["RASI", "LASI"]]',
    "thigh": '[["RTH0", "RKNEL"], ["LTH0", "LKNEL"]]',
    "trunk": '[["RSHO", "LSHO"]]',
    "shank_r": '[["RSH0", "RANKL"], ["RSH1", "RANKM"]]',
    "shank_l": '[["LSH0", "LANKL"]]',
    "foot": '[["RHEE", "RTOE"], ["LHEE", "LTOE"]]',
}
SCALE = f'static = "static.trc"\nscale = {{ {", ".join(f"{body} = {pairs}" for body, pairs in PAIRS.items())} }}\n'
MODEL = skeleton.MODEL.replace('skeleton = "person.osim"\n', f'skeleton = "person.osim"\n{SCALE}')


def write(folder, t, generic, text=MODEL, still=None):
    """Files of the walk; the trial standing still has the markers of the walk and more decimals than a laboratory's."""
    path = skeleton.write(folder, t, text, generic)
    standing = still or walker.markers(t[:5], still=True)
    (folder / "static.trc").write_text(plane.trc(standing, t[:5], rate=1 / (t[1] - t[0]), decimals=9))
    return path


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    generic = skeleton.generic_text(FACTORS, mass=1.25)
    return mubo.load(write(tmp_path_factory.mktemp("generic"), T, generic))


def test_lengths_and_masses_are_those_of_the_person(walk, tmp_path):
    """All places of joints and markers, centres and inertias to 1e-6 of the skeleton that the walk was made with."""
    own = mubo.load(skeleton.write(tmp_path, T))
    assert own.bodies.keys() == walk.bodies.keys()
    for name, body in own.bodies.items():
        mine = walk.bodies[name]
        for point, at in body.points.items():
            np.testing.assert_allclose(mine.points[point], at, atol=1e-6, err_msg=f"{name}.{point}")
        assert (mine.mass or 0.0) == pytest.approx(body.mass or 0.0, rel=1e-9)
        np.testing.assert_allclose(mine.center, body.center, atol=1e-6)
        np.testing.assert_allclose(mine.inertia or 0.0, body.inertia or 0.0, rtol=1e-6, atol=1e-9)
    notes = " ".join(walk.origin.notes)
    assert "pelvis 1.03, thigh_r 1.12, thigh_l 1.12, trunk 0.95, shank_r 0.91, shank_l 0.93, foot_r 1.07" in notes
    assert "markers were 0 mm (rms) from those of the scaled skeleton" in notes


def test_motion_and_moments_are_those_of_the_person(walk):
    """Coordinates by inverse kinematics, and moments by Newton and Euler, with a kneecap whose slide is scaled too."""
    for name, known in walker.coordinates(T).items():
        factor = 1.0 if name.startswith("pelvis_t") and name[-1] in "xyz" else 180 / np.pi
        np.testing.assert_allclose(walk.drivers[name].motion.value, factor * known, atol=2e-5)
    found = walk.gait()
    for name, known in walker.moments(T).items():
        np.testing.assert_allclose(found.run[f"{name}_moment"][INSIDE], known[INSIDE], atol=3e-3)


def test_factors_along_axes(tmp_path):
    """A pelvis that is wider, and a thigh of given factors: affine changes, whose inertias follow by S J S."""
    factors = {"pelvis": (1.0, 1.0, 1.08), "thigh_r": (1.1, 1.2, 0.9)}
    text = MODEL.replace(SCALE, 'static = "static.trc"\nscale = { pelvis = { z = [["RASI", "LASI"]] }, thigh_r = ')
    text = text.replace("thigh_r = ", "thigh_r = { x = 1.1, y = 1.2, z = 0.9 } }\n")
    model = mubo.load(write(tmp_path, SHORT, skeleton.generic_text(factors), text))
    (tmp_path / "own").mkdir()
    own = mubo.load(skeleton.write(tmp_path / "own", SHORT))
    for name in ("pelvis", "thigh_r", "kneecap_r"):
        for point, at in own.bodies[name].points.items():
            np.testing.assert_allclose(model.bodies[name].points[point], at, atol=1e-6)
    np.testing.assert_allclose(model.bodies["thigh_r"].inertia, own.bodies["thigh_r"].inertia, rtol=1e-9)


def test_markers_are_placed_where_they_stand(tmp_path):
    """Markers of thighs and shanks that sit 23 mm from those of the skeleton: they fit the walk after all.

    With 1e-4 of the weight of the others they turn the pose of the trial by 1e-4 · 23 mm / 100 mm = 0.001° and more.
    """
    generic = skeleton.skeleton_text()
    for name, (_, at) in walker.sites().items():
        if "TH" in name or "SH" in name[1:3]:
            generic = generic.replace(
                f"<location>{skeleton.numbers(at)}</location>",
                f"<location>{skeleton.numbers(np.add(at, [0.01, 0.02, -0.005]))}</location>",
            )
    text = MODEL.replace(SCALE, 'static = "static.trc"\n')
    weights = ", ".join(f"{name} = 1e-4" for name in walker.sites() if "TH" in name or "SH" in name[1:3])
    text = text.replace('static = "static.trc"\n', f'static = "static.trc"\nweights = {{ {weights} }}\n')
    model = mubo.load(write(tmp_path, SHORT, generic, text))
    known = np.degrees(walker.coordinates(SHORT)["hip_flexion_r"])
    np.testing.assert_allclose(model.drivers["hip_flexion_r"].motion.value, known, atol=0.03)
    assert "thigh_r 0.0" in " ".join(model.origin.notes)


@pytest.mark.parametrize(
    ("scale", "match"),
    [
        ('scale = { thigh = [["RTH0", "RKNEL"]] }', r"scale needs static, a trial standing still"),
        ('static = "static.trc"\nscale = { tigh = [["RTH0", "RKNEL"]] }', r'no body "tigh". Did you mean "thigh_'),
        ('static = "static.trc"\nscale = { foot = [["RTH0", "RKNE"]] }', r'"RKNE" is no marker of both'),
        ('static = "static.trc"\nscale = { foot = [["RTH0", "RTH0"]] }', r"RTH0 and RTH0 are at one place"),
        ('static = "static.trc"\nscale = { foot = ["RTH0", "RKNEL"] }', r"foot needs pairs of markers, or a number"),
        ('static = "static.trc"\nscale = { foot = { w = 1.1 } }', r'axes are x, y and z; found "w"'),
        ('static = "static.trc"\nscale = { foot = true }', r"foot needs pairs of markers, or a number; found True"),
        ('static = "static.trc"\nscale = { foot = 1000 }', r"foot is 1000 times that of the skeleton, given"),
    ],
)
def test_scales_that_cannot_be(tmp_path, scale, match):
    with pytest.raises(mubo.ModelError, match=match):
        mubo.load(write(tmp_path, SHORT, skeleton.skeleton_text(), MODEL.replace(SCALE, f"{scale}\n")))


def test_a_trial_in_which_somebody_walks_is_named(tmp_path):
    with pytest.raises(
        mubo.ModelError, match=r"walk.trc: half of the markers move by .* m and more: this is no static trial"
    ):
        mubo.load(write(tmp_path, SHORT, skeleton.skeleton_text(), MODEL.replace("static.trc", "walk.trc")))


def test_a_trial_in_another_unit_is_named(tmp_path):
    """Metres read as millimetres: the markers are a thousandth as far apart."""
    still = {name: at / 1000 for name, at in walker.markers(SHORT[:5], still=True).items()}
    with pytest.raises(mubo.ModelError, match=r"the unit of"):
        mubo.load(write(tmp_path, SHORT, skeleton.skeleton_text(), still=still))

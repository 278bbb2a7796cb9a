"""Recordings that are wrong beside a given skeleton, each named: mutated copies of the synthetic person's walk."""

import numpy as np
import pytest
import synthetic_skeleton as skeleton
import synthetic_walker_space as walker

import mubo

T = np.arange(40) / 50.0
WALK, FORCES = skeleton.markers(T), walker.force_text(T)
LEFT_HANDED = skeleton.MODEL.partition("[plate")[0].replace("[markers]", '[markers]\nhand = "left"')


def write(folder, model=skeleton.MODEL, held=None):
    walker.write(folder, T, model=model, held=held or dict(WALK), forces=FORCES)
    (folder / "person.osim").write_text(skeleton.skeleton_text())
    return folder / "walk.toml"


def refused(folder, match, **files):
    path = write(folder, **files)
    with pytest.raises(mubo.ModelError, match=match):
        mubo.load(path)


def test_swapped_markers(tmp_path):
    held = {name: at.copy() for name, at in WALK.items()}
    frames = slice(20, 26)
    held["RTH0"][frames], held["RSH2"][frames] = WALK["RSH2"][frames], WALK["RTH0"][frames]
    refused(tmp_path, r"(?s)marker (RTH0|RSH2) jumps in frame 21.*swapped with (RTH0|RSH2)", held=held)


def test_a_pelvis_that_is_not_seen(tmp_path):
    """Without the pelvis the thigh has the first three markers, but two of the pelvis turn it: nothing is refused."""
    held = {name: at for name, at in WALK.items() if name != "SACR"}
    model = mubo.load(write(tmp_path, held=held))
    known = np.degrees(walker.coordinates(T)["pelvis_tilt"])
    np.testing.assert_allclose(model.drivers["pelvis_tilt"].motion.value, known, atol=2e-5)


def test_too_few_markers_of_a_segment(tmp_path):
    held = {name: at for name, at in WALK.items() if not name.startswith(("LSH", "LANK", "LHEE", "LTOE", "LMET"))}
    refused(tmp_path, r"foot_l needs two markers of the walk", held=held)


def test_the_unit_of_the_markers(tmp_path):
    """A file in mm that states m: the legs are too long."""
    path = write(tmp_path)
    text = (tmp_path / "walk.trc").read_text()
    (tmp_path / "walk.trc").write_text(text.replace("\tmm\t", "\tm\t"))
    with pytest.raises(mubo.ModelError, match=r"1.*e\+03 times as far apart as those of .* unit of the file"):
        mubo.load(path)


def test_the_unit_of_the_forces(tmp_path):
    text = skeleton.MODEL.replace("[plate.right]", '[plate.right]\nunits = { force = "kN" }')
    refused(tmp_path, r"times the weight.*its unit looks like N", model=text)


def test_the_wrong_foot(tmp_path):
    text = skeleton.MODEL.replace('force = "f1_"', 'foot = "left"\nforce = "f1_"')
    refused(tmp_path, r"the force on foot_l acts .* away from it: it is under foot_r", model=text)


def test_a_mirrored_laboratory(tmp_path):
    """z to the left; with its hand it is read as it is."""
    held = {name: at * [1, 1, -1] for name, at in WALK.items()}
    walker.write(tmp_path, T, model=LEFT_HANDED, held=held, forces=FORCES)
    (tmp_path / "person.osim").write_text(skeleton.skeleton_text())
    known = np.degrees(walker.coordinates(T)["hip_adduction_r"])
    np.testing.assert_allclose(
        mubo.load(tmp_path / "walk.toml").drivers["hip_adduction_r"].motion.value, known, atol=2e-5
    )
    refused(
        tmp_path,
        r"mirror image of the skeleton.s: right and left are exchanged, or the laboratory is left-handed",
        held=held,
    )


def test_legs_that_are_exchanged(tmp_path):
    held = {name.translate(str.maketrans("LR", "RL")) if name[0] in "LR" else name: at for name, at in WALK.items()}
    refused(tmp_path, r"mirror image of the skeleton.s: right and left are exchanged", held=held)

"""Recordings in space that are wrong, each named: mutated copies of the synthetic person's walk."""

import numpy as np
import pytest
import synthetic_walker_space as walker

import mubo

T = np.arange(70) / 50.0
FORCES = walker.force_text(T)


def walk():
    return {name: at for name, at in walker.markers(T).items() if "KNE" not in name and "ANK" not in name}


def refused(folder, match, **files):
    with pytest.raises(mubo.ModelError, match=match):
        mubo.load(walker.write(folder, T, **{"forces": FORCES, **files}))


def test_the_walk_as_it_is(tmp_path):
    model = mubo.load(walker.write(tmp_path, T, forces=FORCES))
    assert not any("jumps" in note or "swapped" in note for note in model.origin.notes)


def test_swapped_markers(tmp_path):
    """A marker of the thigh and one of the shank change places for some frames."""
    held = walk()
    frames = slice(30, 36)
    held["RTH0"][frames], held["RSH2"][frames] = held["RSH2"][frames].copy(), held["RTH0"][frames].copy()
    refused(tmp_path, r"(?s)marker (RTH0|RSH2) jumps in frame 31.*swapped with (RTH0|RSH2)", held=held)


def test_a_marker_that_is_missing(tmp_path):
    held = walk()
    del held["RASI"]
    refused(tmp_path, r"pelvis needs three markers of the walk that are not on one line; found LASI, SACR", held=held)


def test_too_few_markers_of_a_segment(tmp_path):
    held = {name: at for name, at in walk().items() if not name.startswith("LSH")}
    refused(tmp_path, r"do not show how shank_l turns", held=held)


def test_a_mirrored_laboratory(tmp_path):
    """z to the left: the right front spine is on the left."""
    text = walker.model_text().replace('static = "static.trc"\n', "")
    full = {name: at * [1, 1, -1] for name, at in walker.markers(T).items()}
    refused(tmp_path, r"upside down.*mirrored", model=text, held=full)


def test_legs_that_are_exchanged(tmp_path):
    text = walker.model_text()
    legs = text.replace("right = {", "once = {").replace("left = {", "right = {").replace("once = {", "left = {")
    refused(tmp_path, r"legs are exchanged", model=legs)


def test_the_wrong_foot(tmp_path):
    text = walker.model_text().replace('force = "f1_"', 'foot = "left"\nforce = "f1_"')
    refused(tmp_path, r"the force on foot_l acts .* away from it: it is under foot_r", model=text)


def test_the_wrong_unit_of_forces(tmp_path):
    text = walker.model_text().replace("[plate.right]", '[plate.right]\nunits = { force = "kN" }')
    refused(tmp_path, r"times the weight.*its unit looks like N", model=text)


def test_the_wrong_unit_of_markers(tmp_path):
    path = walker.write(tmp_path, T, forces=FORCES)
    for name in ("walk.trc", "static.trc"):
        text = (tmp_path / name).read_text()
        (tmp_path / name).write_text(text.replace("\tmm\t", "\tm\t"))
    with pytest.raises(mubo.ModelError, match=r"m from the feet on the mean: the unit of the file looks wrong"):
        mubo.load(path)


def test_the_wrong_plate(tmp_path):
    """The centre of pressure is that of a plate 0.6 m aside."""
    words = FORCES.splitlines()
    head, rows = words[:7], [line.split("\t") for line in words[7:]]
    at = head[6].split("\t").index("p1_z")
    moved = ["\t".join([*row[:at], f"{float(row[at]) + 0.6:.6f}", *row[at + 1 :]]) for row in rows]
    text = walker.model_text().replace('force = "f1_"', 'foot = "right"\nforce = "f1_"')
    refused(tmp_path, r"acts 0\.\d+ away from it", forces="\n".join([*head, *moved]) + "\n", model=text)


def test_gravity_that_points_elsewhere(tmp_path):
    model = mubo.load(walker.write(tmp_path, T, walker.model_text().replace("[0, -9.81, 0]", "[0, 0, -9.81]")))
    with pytest.raises(mubo.ModelError, match=r"y is up in space too"):
        model.gait()

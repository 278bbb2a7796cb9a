"""Markers that are exchanged, moved or frozen, each named, in the plane and in space: mutated copies of a walk."""

import re

import numpy as np
import pytest
import synthetic_walker as plane
import synthetic_walker_space as walker

import mubo
from mubo.formats.walk.rigidity import JointPlace, StandingBody, cluster_notes

T = np.arange(70) / 50.0
FORCES = walker.force_text(T)
RNG = np.random.default_rng(4)
WALK = {
    name: at + RNG.normal(0, 2e-4, at.shape)  # 0.2 mm of noise, as cameras have it
    for name, at in walker.markers(T).items()
    if "KNE" not in name and "ANK" not in name
}
SPACE = walker.model_text()
PLANE = SPACE.replace("dimension = 3\n", "").replace("[0, -9.81, 0]", "[0, -9.81]")
BOTH = pytest.mark.parametrize("text", [PLANE, SPACE], ids=["plane", "space"])
NOTE = 'marker_check = "note"\n[plate.right]'


def load(folder, text, held=None, static=None):
    path = walker.write(folder, T, text, held=held or dict(WALK), forces=FORCES)
    if static is not None:
        (folder / "static.trc").write_text(plane.trc(static, T[:5], rate=50, decimals=6))
    return mubo.load(path)


def exchanged(first, second, frames):
    held = {name: at.copy() for name, at in WALK.items()}
    held[first][frames], held[second][frames] = WALK[second][frames], WALK[first][frames]
    return held


def notes_about(model, pattern):
    return [note for note in model.origin.notes if re.search(pattern, note)]


@BOTH
def test_the_walk_as_it_is(tmp_path, text):
    assert not notes_about(load(tmp_path, text), "are exchanged|sits elsewhere|is frozen|are repeated| jumps? ")


@BOTH
@pytest.mark.parametrize("frames", [slice(None), slice(20, None), slice(0, 40)], ids=["all", "later", "first"])
@pytest.mark.parametrize("pair", [("RTH0", "RTH2"), ("LSH1", "LSH2"), ("RHEE", "RMET")])
def test_markers_of_a_segment_that_are_exchanged(tmp_path, text, frames, pair):
    """Standing still their distances from the third one differ by 30 mm and more, as the sites of the walker have."""
    with pytest.raises(mubo.ModelError, match=rf"markers ({pair[0]} and {pair[1]}|{pair[1]} and {pair[0]}) of .* are"):
        load(tmp_path, text, exchanged(*pair, frames))


def test_exchanged_markers_are_noted_on_request():
    names = ("RTH0", "RTH1", "RTH2")
    still = {name: at[0] for name, at in walker.markers(T[:5], still=True).items() if name in names}
    notes = cluster_notes("walk.trc", StandingBody({"thigh_r": still}), exchanged(*names[:2], slice(None)), 1.0, "note")
    assert notes == [
        "walk.trc: by their distances the markers RTH0 and RTH1 of thigh_r are exchanged against the static trial"
    ]


def test_clusters_of_alike_distances_are_shown_by_the_joint():
    """An isosceles cluster: only the knee, which thigh and shank carry, shows that two of its markers are exchanged."""
    still = walker.markers(T[:1], still=True)
    bodies, names = walker.poses(T)[0], [name for name in still if name[:3] in ("RTH", "RSH") and name[3] in "012"]
    clusters = {
        kind: {name: still[name][0] for name in names if name[:3] == head}
        for kind, head in (("thigh_r", "RTH"), ("shank_r", "RSH"))
    }
    knee = 0.5 * (still["RKNEL"] + still["RKNEM"])[0]
    hip = knee - walker.LINES["thigh"]
    alike = {"RTH0": (0.05, -0.2, 0.05), "RTH1": (0.05, -0.3, 0.05), "RTH2": (-0.03, -0.25, -0.05)}
    clusters["thigh_r"] = {name: hip + at for name, at in alike.items()}
    axes, origin = bodies["thigh_r"]
    places = WALK | {name: origin + axes @ np.array(at) for name, at in alike.items()}
    body = StandingBody(clusters, (JointPlace("right knee", ("thigh_r", "shank_r"), knee),))
    assert cluster_notes("walk.trc", body, places, 1.0, "refuse") == []
    places["RTH0"], places["RTH1"] = places["RTH1"], places["RTH0"]
    with pytest.raises(
        mubo.ModelError, match=r"carry the right knee to places \d+ mm apart.* RTH0 and RTH1 of thigh_r"
    ):
        cluster_notes("walk.trc", body, places, 1.0, "refuse")


@BOTH
@pytest.mark.parametrize("frames", [slice(None), slice(20, None)], ids=["all", "later"])
def test_front_spines_that_are_exchanged_in_the_walk(tmp_path, text, frames):
    where = "" if frames == slice(None) else " in 50 frames, the first of them 21"
    with pytest.raises(mubo.ModelError, match=f"upside down{where}: its right front spine is on the left"):
        load(tmp_path, text, exchanged("RASI", "LASI", frames))


@BOTH
def test_a_trial_standing_still_of_another_person(tmp_path, text):
    still = {name: 1.15 * at for name, at in walker.markers(T[:5], still=True).items()}
    with pytest.raises(mubo.ModelError, match=r"0\.869 times as far apart as in the static trial.*another person"):
        load(tmp_path, text, static=still)


@BOTH
def test_a_marker_that_was_put_on_again(tmp_path, text):
    """Moved by 40 mm along the thigh, all other distances are as they were."""
    still = walker.markers(T[:5], still=True)
    still["RTH1"] = still["RTH1"] + [0, 0.04, 0]
    found = notes_about(load(tmp_path, text, static=still), "sits elsewhere")
    assert len(found) == 1
    assert "marker RTH1 of thigh_r" in found[0]


@BOTH
@pytest.mark.parametrize("name", ["RTH1", "SACR", "RSHO", "LTOE"])
def test_a_marker_that_is_frozen(tmp_path, text, name):
    """5 frames of the same decimals."""
    held = {one: at.copy() for one, at in WALK.items()}
    held[name][30:35] = held[name][30]
    path = text.replace("[plate.right]", NOTE, 1)
    found = notes_about(load(tmp_path, path, held), "is frozen from")
    assert len(found) == 1
    assert f"marker {name} is frozen from t = 0.6 to 0.68" in found[0]


@BOTH
def test_frames_that_are_repeated(tmp_path, text):
    held = {name: at.copy() for name, at in WALK.items()}
    for at in held.values():
        at[30:33] = at[30]
    model = load(tmp_path, text.replace("[plate.right]", NOTE, 1), held)
    assert notes_about(model, r"all markers keep their places from t = 0\.6 to 0\.64: frames are repeated")
    assert not notes_about(model, "is frozen from")


def test_decimals_that_are_too_coarse_show_no_noise():
    """In whole millimetres a foot that stands keeps its decimals."""
    from mubo.formats.walk.stillness import still_notes

    places = {"RHEE": np.round(walker.markers(T)["RHEE"], 3), "SACR": np.round(walker.markers(T)["SACR"], 3)}
    places["RHEE"][20:40] = places["RHEE"][20]
    assert not still_notes("walk.trc", T, places, 1.0)
    assert still_notes("walk.trc", T, {"RHEE": places["RHEE"] + 1e-5 * np.arange(70)[:, None] % 3e-5}, 1.0) == []


@BOTH
def test_a_frozen_marker_is_the_cause_of_what_it_breaks(tmp_path, text):
    held = {one: at.copy() for one, at in WALK.items()}
    held["RHEE"][30:45] = held["RHEE"][30]
    with pytest.raises(mubo.ModelError, match=r"marker RHEE is frozen from t = 0\.6 to 0\.88.*(?s:.*)blank"):
        load(tmp_path, text, held)

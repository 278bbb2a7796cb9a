"""Laboratories as they are: treadmills, events that somebody marked, hips by regression and by motion."""

import numpy as np
import pytest
import synthetic_walker as walker
import synthetic_walker_space as space
from conftest import EXAMPLES
from synthetic_walker import trc

import mubo
from mubo.formats.walk.hips import REGRESSIONS, functional_centre
from mubo.formats.walk.registration import ClusterMotion

FRAMES = 130
T = walker.times()[:FRAMES]
MODEL = (EXAMPLES / "walker.toml").read_text()


def on_a_belt(folder, more=""):
    """The walk seen from a treadmill: everything moves back with the mean speed, the centres of pressure too."""
    back = walker.SPEED * T
    held = {name: at - np.outer(back, [1.0, 0.0, 0.0]) for name, at in walker.markers(T).items()}
    (folder / "walker.trc").write_text(trc(held, T))
    lines = walker.force_text(frames=FRAMES).splitlines()
    words, rows = lines[6].split("\t"), [line.split("\t") for line in lines[7:]]
    for k, row in enumerate(rows):
        for name in ("ground_force_px", "1_ground_force_px"):
            row[words.index(name)] = f"{float(row[words.index(name)]) - back[k]:.9f}"
    (folder / "walker_forces.mot").write_text("\n".join([*lines[:7], *("\t".join(row) for row in rows)]) + "\n")
    (folder / "walker.toml").write_text(MODEL.replace("[markers]\n", f"[markers]\n{more}"))
    return mubo.load(folder / "walker.toml").gait()


def test_a_treadmill_is_found_and_strides_are_counted_on_the_belt(tmp_path):
    """Moments are those over ground: the laboratory moves at constant speed. The standing foot slips by a few cm/s."""
    found = on_a_belt(tmp_path)
    assert found.belt == pytest.approx(walker.SPEED, abs=0.08)
    assert any("treadmill: the belt moves at" in note and "found from the feet" in note for note in found.notes)
    given = on_a_belt(tmp_path, 'belt = "1.22 m/s"\n')
    assert given.as_dict()["strides"]["r"]["speed"] == pytest.approx(walker.SPEED, abs=0.01)
    known = walker.joints(found.run["t"])["knee_r"]["moment"]
    np.testing.assert_allclose(given.run["knee_angle_r_moment"][10:-10], known[10:-10], atol=0.02)
    wrong = on_a_belt(tmp_path, 'belt = "2 m/s"\n')
    assert any("as given; the feet that stand move back at 1.2" in note for note in wrong.notes)


def test_over_ground_there_is_no_belt(tmp_path):
    assert mubo.load(EXAMPLES / "walker.toml").gait().belt == 0.0


def test_events_of_the_file(tmp_path):
    """The strikes of the synthetic person are known: the right foot at LEAD + k CYCLE, the left half a cycle later."""
    ezc3d = pytest.importorskip("ezc3d")
    held = walker.markers(T)
    c3d = ezc3d.c3d()
    c3d["parameters"]["POINT"]["RATE"]["value"] = [walker.RATE]
    c3d["parameters"]["POINT"]["LABELS"]["value"] = list(held)
    c3d["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    c3d["data"]["points"] = np.stack([np.vstack([1000 * at.T, np.ones(len(T))]) for at in held.values()], axis=1)
    strikes = [walker.LEAD, walker.LEAD + walker.CYCLE]
    marked = [("Right", "Foot Strike", t) for t in strikes] + [("Right", "Foot Off", strikes[0] + 0.62 * walker.CYCLE)]
    c3d.add_parameter("EVENT", "CONTEXTS", [side for side, _, _ in marked])
    c3d.add_parameter("EVENT", "LABELS", [label for _, label, _ in marked])
    c3d.add_parameter("EVENT", "TIMES", np.array([[0.0] * len(marked), [t for _, _, t in marked]]))
    c3d.write(str(tmp_path / "walker.c3d"))
    (tmp_path / "walker_forces.mot").write_text(walker.force_text(frames=FRAMES))
    (tmp_path / "walker.toml").write_text(MODEL.replace("walker.trc", "walker.c3d"))
    found = mubo.load(tmp_path / "walker.toml").gait()
    assert found.strikes["r"].rule == "file"
    np.testing.assert_allclose(found.strikes["r"].heel, strikes, atol=1e-6)
    assert found.cycles["r"].stance[0] == pytest.approx(62.0, abs=1e-4)
    assert found.strikes["l"].rule != "file"
    assert "events of the file" in str(found)


@pytest.mark.parametrize("method", REGRESSIONS)
def test_hips_by_regression_in_space(tmp_path, method):
    """W = 240 mm, D = 160 mm; L from the front spine to the inner malleolus of the person who stands."""
    still = space.markers(np.zeros(2), still=True)
    leg = 1000 * float(np.linalg.norm(still["RASI"][0] - still["RANKM"][0]))
    x, y, z = (value / 1000 for value in REGRESSIONS[method](240.0, 160.0, leg))
    t = np.arange(30) / 50.0
    model = mubo.load(space.write(tmp_path, t, space.model_text(f'"{method}"'), forces=space.force_text(t)))
    np.testing.assert_allclose(model.bodies["pelvis"].points["hip_r"], (x, y, z), atol=1e-6)
    np.testing.assert_allclose(model.bodies["pelvis"].points["hip_l"], (x, y, -z), atol=1e-6)


def test_a_hip_by_motion_is_the_centre_of_the_turns(tmp_path):
    """A leg that circles about (−50, −90, 85) mm of the pelvis; one that hardly turns is refused."""
    from scipy.spatial.transform import Rotation

    rng = np.random.default_rng(4)
    centre = np.array([-0.05, -0.09, 0.085])
    pelvis = Rotation.from_rotvec(rng.normal(0, 0.3, (60, 3))).as_matrix()
    thigh = Rotation.from_rotvec(rng.normal(0, 0.6, (60, 3))).as_matrix()
    origin = rng.normal(0, 1, (60, 3))
    moved = ClusterMotion(thigh, origin + pelvis @ centre - thigh @ centre, np.zeros(60))
    found, apart = functional_centre(ClusterMotion(pelvis, origin, np.zeros(60)), moved, "right")
    np.testing.assert_allclose(found, centre, atol=1e-12)
    assert apart < 1e-12
    t = np.arange(60) / 50.0
    with pytest.raises(mubo.ModelError, match=r"right hip by motion: the thigh turns too little"):
        mubo.load(space.write(tmp_path, t, space.model_text('"functional"'), forces=space.force_text(t)))

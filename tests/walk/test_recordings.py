"""Recordings as laboratories write them: rounded times, virtual markers, static trials, plates that miss a step.

The person is the synthetic walker, whose joint moments are known; each recording is that walk written in another form,
and must give the same answer.
"""

import numpy as np
import pytest
import synthetic_walker as walker
from conftest import EXAMPLES
from synthetic_walker import trc

import mubo
from mubo.formats.motion_data import read_motion_data
from mubo.formats.motion_data.sampling import regular_times
from mubo.formats.walk.registration import register

MODEL = (EXAMPLES / "walker.toml").read_text()
FRAMES = 90  # a cycle of the right foot
T = walker.times()[:FRAMES]
LEG = '{ hip = "RHIP", knee = "RKNE", ankle = "RANK", heel = "RHEE", toe = "RTOE" }'


def written(folder, model=MODEL, held=None, forces=None):
    (folder / "walker.trc").write_text(trc(held or walker.markers(T), T))
    (folder / "walker_forces.mot").write_text(forces or walker.force_text(frames=FRAMES))
    (folder / "walker.toml").write_text(model)
    return folder / "walker.toml"


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    return mubo.load(written(tmp_path_factory.mktemp("straight")))


def same_motion(model, straight, atol=1e-6):
    for name, driver in straight.drivers.items():
        np.testing.assert_allclose(model.drivers[name].motion.value, driver.motion.value, atol=atol)


# Times


@pytest.mark.parametrize("rate", [60.0, 120.0, 150.0, 239.76])
@pytest.mark.parametrize("start", [0.0, 1.2345])
def test_times_rounded_to_milliseconds_are_those_of_the_rate(rate, start):
    exact = start + np.arange(400) / rate
    found = regular_times(np.round(exact, 3), rate)
    np.testing.assert_allclose(np.diff(found), 1 / rate, rtol=1e-9)
    assert np.max(np.abs(found - exact)) <= 5e-4  # the first time itself is known to half a millisecond


def test_times_that_are_not_regular_are_kept():
    for time in (np.array([0.0, 0.01, 0.03, 0.05]), np.array([0.0, 0.01, 0.02, 0.04, 0.05, 0.06])):
        assert regular_times(time) is time
    drifting = np.round(np.arange(400) / 150 * 1.01, 3)
    assert regular_times(drifting, 150.0) is drifting  # the header says another rate


# Markers


def test_virtual_markers_behind_the_counted_ones(tmp_path):
    """Cortex counts 12 and lists 14; the second V_X is numbered; blank in every row, they are known nowhere."""
    blank = np.full((FRAMES, 3), np.nan)
    held = {**walker.markers(T), "V_X": blank, "V_Y": blank}
    text = trc(held, T, count=12).replace("V_Y", "V_X")
    (tmp_path / "walk.trc").write_text(text)
    data = read_motion_data(tmp_path / "walk.trc")
    np.testing.assert_allclose(data.column("RKNE.x"), 1000 * held["RKNE"][:, 0], atol=1e-6)
    assert np.isnan(data.column("V_X_2.y")).all()


@pytest.mark.parametrize(("ending", "form"), [("csv", "{}{}"), ("txt", "{}_{}"), ("tsv", "{} {}")])
def test_tables_in_mm_whose_markers_have_no_dot(tmp_path, straight, ending, form):
    """RHIPx, RHIP_X or RHIP X, in mm that no header states; all columns of the table are named likewise."""
    held = walker.markers(T)
    names = [form.format(name, axis.upper() if ending != "csv" else axis) for name in held for axis in "xyz"]
    rows = np.column_stack([T, *(1000 * at for at in held.values())])
    separator = "," if ending == "csv" else "\t"
    lines = [separator.join(["Time", *names]), *(separator.join(f"{x:.7f}" for x in row) for row in rows)]
    model = MODEL.replace("walker.trc", f"walker.{ending}").replace("[markers]", '[markers]\nunits = { length = "mm" }')
    path = written(tmp_path, model)
    (tmp_path / f"walker.{ending}").write_text("\n".join(lines) + "\n")
    same_motion(mubo.load(path), straight)
    data = read_motion_data(tmp_path / f"walker.{ending}")
    np.testing.assert_allclose(data.column("RKNE.z"), 1000 * held["RKNE"][:, 2], atol=1e-6)


def test_axes_are_found_from_the_markers(tmp_path, straight):
    """Walking along −y with z up: forward and up are left out, and stated in a note."""
    turned = {name: np.column_stack([m[:, 2], -m[:, 0], m[:, 1]]) for name, m in walker.markers(T).items()}
    plain = "\n".join(line for line in MODEL.splitlines() if not line.startswith(("forward", "up ")))
    plain = plain[: plain.index("[plate.right]")]
    model = mubo.load(written(tmp_path, plain, turned))
    same_motion(model, straight)
    assert any('forward = "-y" and up = "z"' in note for note in model.origin.notes)


def test_a_plate_finds_its_foot(tmp_path, straight):
    model = mubo.load(written(tmp_path, MODEL.replace('foot = "right"\n', "").replace('foot = "left"\n', "")))
    assert [force.on for force in model.forces.values()] == [force.on for force in straight.forces.values()]
    assert any("plate right: under the right foot" in note for note in model.origin.notes)


def test_a_jump_is_noted_and_the_marker_that_jumps_is_named(tmp_path):
    """60 mm in one frame: less than a third of the thigh."""
    held = walker.markers(T)
    held["RKNE"][40, 0] += 0.06
    notes = mubo.load(written(tmp_path, held=held)).origin.notes
    assert [note for note in notes if "marker RKNE jumps in frame 41" in note]
    held["RKNE"][40, 0] += 0.3
    with pytest.raises(mubo.ModelError, match=r"marker RKNE jumps in frame 41 .* marker_check"):
        mubo.load(written(tmp_path, held=held))
    tolerant = MODEL.replace("[markers]\n", '[markers]\nmarker_check = "note"\n')
    assert any("RKNE jumps" in note for note in mubo.load(written(tmp_path, tolerant, held)).origin.notes)


# Joint centres


@pytest.mark.parametrize("seed", range(5))
def test_a_rigid_motion_is_recovered(seed):
    """R, t of three to six markers, one of them hidden in some frames: places carried along are exact."""
    from scipy.spatial.transform import Rotation

    rng = np.random.default_rng(seed)
    static = rng.normal(size=(3 + seed % 4, 3))
    turn = Rotation.random(20, random_state=seed).as_matrix()
    move = rng.normal(size=(20, 3))
    frames = np.einsum("fij,mj->fmi", turn, static) + move[:, None]
    if len(static) > 3:
        frames[5:9, 0] = np.nan
    found = register(static, frames)
    at = rng.normal(size=3)
    np.testing.assert_allclose(found.carried(at), turn @ at + move, atol=1e-12)
    assert np.max(found.residual) < 1e-12


def cluster(t):
    """Three markers beside the line of every thigh and shank, and knee and ankle on both sides."""
    bodies, out = walker.motion(t), {}
    lengths = {"thigh": walker.THIGH, "shank": walker.SHANK}
    for side, z in (("r", 0.09), ("l", -0.09)):
        for kind, length in lengths.items():
            for k, (x, y, wide) in enumerate(((0.05, -0.3, 0.04), (-0.05, -0.45, 0.05), (0.02, -0.7, 0.06))):
                place = walker.carried(*bodies[f"{kind}_{side}"], (x, y * length))[0]
                out[f"{side}_{kind}_{k}"] = np.column_stack([*place, np.full(len(t), z * (1 + 10 * wide))])
        for joint, body in (("knee", "shank"), ("ankle", "foot")):
            place = walker.carried(*bodies[f"{body}_{side}"], (0, 0))[0]
            for word, off in (("lat", 0.05), ("med", -0.05)):
                out[f"{side}_{joint}_{word}"] = np.column_stack([*place, np.full(len(t), z + off)])
    return out


def static_model(folder, leave_out=()):
    """The walk without markers of knee and ankle, which only a trial standing in the first frame has."""
    both = {**walker.markers(T), **cluster(T)}
    walk = {k: v for k, v in both.items() if not k.endswith(("_lat", "_med", "KNE", "ANK")) and k not in leave_out}
    still = {k: np.repeat(v[:1], 10, axis=0) for k, v in both.items()}
    (folder / "static.trc").write_text(trc(still, T[:10]))
    model = MODEL.replace("[markers]\n", '[markers]\nstatic = "static.trc"\n')
    for side in "rl":
        for joint, marker in (("knee", "KNE"), ("ankle", "ANK")):
            pair = f'["{side}_{joint}_lat", "{side}_{joint}_med"]'
            model = model.replace(f'{joint} = "{side.upper()}{marker}"', f"{joint} = {pair}")
    return written(folder, model, walk)


def test_joint_centres_from_a_static_trial_and_clusters(tmp_path, straight):
    """Rigid segments carry the centres exactly: to the seventh decimal of a millimetre that the file has.

    The left foot stands, tilted by θ, in the trial: there it is level. The right one is too steep to stand.
    """
    model = mubo.load(static_model(tmp_path))
    tilt = float(np.degrees(walker.motion(T[:1])["foot_l"][1][0, 0]))
    shift = {"ankle_l_turn": -tilt}
    for name, driver in straight.drivers.items():
        known = driver.motion.value + np.array(shift.get(name, 0.0))
        np.testing.assert_allclose(model.drivers[name].motion.value, known, atol=1e-5)
    assert any("the right foot is tilted by -" in note and "does not stand" in note for note in model.origin.notes)
    assert any("clusters of the static trial" in note and "thigh_r 0.0 mm" in note for note in model.origin.notes)


def test_too_few_markers_of_a_cluster_are_named(tmp_path):
    lost = [f"r_{kind}_{k}" for kind in ("thigh", "shank") for k in (0, 1)]
    with pytest.raises(mubo.ModelError, match=r"r_knee_lat is in the static trial only.*thigh_r: r_thigh_2"):
        mubo.load(static_model(tmp_path, lost))


def test_the_hip_by_regression_is_where_the_formula_says(tmp_path):
    """A level pelvis, W = 240 mm and D = 160 mm: x = −0.24·160 − 9.9, y = −0.30·240 − 10.9 from the front spines."""
    held = walker.markers(T)
    hip = held["RHIP"] * [1, 1, 0]
    spines = {"RASI": (0, 0, 0.12), "LASI": (0, 0, -0.12), "SACR": (-0.16, 0, 0)}
    held |= {name: hip + np.array(place) for name, place in spines.items()}
    pelvis = 'pelvis = { asis = ["RASI", "LASI"], psis = "SACR" }\n'
    text = MODEL.replace('hip = "RHIP"', 'hip = "harrington"').replace("[plate.right]", f"[plate.right]\n{pelvis}", 1)
    text = text.replace(pelvis, "").replace("[markers]\n", f"[markers]\n{pelvis}")
    model = mubo.load(written(tmp_path, text[: text.index("[plate.right]")], held))
    for axis, off in (("x", -0.0483), ("y", -0.0829)):
        known = hip[:, "xyz".index(axis)] + off
        np.testing.assert_allclose(model.drivers[f"hip_r_{axis}"].motion.value, known, atol=1e-6)
    swapped = text.replace('["RASI", "LASI"]', '["LASI", "RASI"]')
    with pytest.raises(mubo.ModelError, match="right front spine is on the left"):
        mubo.load(written(tmp_path, swapped[: swapped.index("[plate.right]")], held))


# Cycles


def test_a_stride_beside_the_plates_is_left_out_of_moments(tmp_path):
    """The right foot of the whole walk has three cycles; its second stance loses its force: two cycles have moments."""
    lines = walker.force_text().splitlines()
    head = lines.index("endheader") + 1
    whole = mubo.load(EXAMPLES / "walker.toml").gait()
    start, end = whole.cycles["r"].times[1]
    for k in range(head + 1, len(lines)):
        cells = lines[k].split("\t")
        if start - 0.05 < float(cells[0]) < start + 0.75 * (end - start):
            lines[k] = "\t".join([cells[0], *["0"] * 9, *cells[10:]])
    (tmp_path / "walker.trc").write_text(walker.marker_text())
    (tmp_path / "walker_forces.mot").write_text("\n".join(lines) + "\n")
    (tmp_path / "walker.toml").write_text(MODEL)
    found = mubo.load(tmp_path / "walker.toml").gait()
    cycles = found.cycles["r"]
    assert len(cycles.of["knee_angle_r"]) == len(cycles.times) == len(whole.cycles["r"].times)
    assert cycles.borne.count(False) == 1
    assert len(cycles.of["ankle_angle_r_moment"]) == len(cycles.times) - 1
    assert any("1 of" in note and "left out of moments" in note for note in found.notes)
    # The strike without a force is that of the heel's coordinate, a little apart: the peaks of push-off are the same.
    others = np.delete(whole.cycles["r"].of["ankle_angle_r_moment"], 1, axis=0).min(axis=1)
    np.testing.assert_allclose(cycles.of["ankle_angle_r_moment"].min(axis=1), others, rtol=0.01)
    assert found.residual.counts.sum() < whole.residual.counts.sum()
    assert "judged at" in str(found)


def test_one_cycle_has_no_deviation(straight):
    found = straight.gait()
    assert len(found.cycles["r"].times) == 1
    assert np.isnan(found.deviation("knee_angle_r")).all()

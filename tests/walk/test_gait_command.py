"""Gait as people meet it: the command, other laboratories, and what is wrong with markers, plates and subjects."""

import itertools
import json
import re

import numpy as np
import pytest
import synthetic_walker as walker
from conftest import EXAMPLES

import mubo
from mubo.formats.motion_data import read_motion_data

MODEL = (EXAMPLES / "walker.toml").read_text()
FRAMES = 90  # enough for a cycle of the right foot; the whole record is tried in tests/truth/test_gait.py
MARKERS, FORCES = walker.marker_text(frames=FRAMES), walker.force_text(frames=FRAMES)
TIMES = walker.times()[:FRAMES]


def written(folder, model=MODEL, markers=MARKERS, forces=FORCES):
    (folder / "walker.trc").write_text(markers)
    (folder / "walker_forces.mot").write_text(forces)
    (folder / "walker.toml").write_text(model)
    return folder / "walker.toml"


def refused(folder, *words, **files):
    with pytest.raises(mubo.ModelError) as error:
        mubo.load(written(folder, **files))
    for word in words:
        assert word in str(error.value), str(error.value)


def with_rows(text, change, first=6):
    """A .trc file with other rows: `change(frame, cells)`; cells 2 … are markers."""
    lines = text.splitlines()
    rows = [change(k, line.split("\t")) for k, line in enumerate(lines[first:])]
    return "\n".join([*lines[:first], *("\t".join(row) for row in rows)]) + "\n"


def column(marker):
    """Where the x of a marker stands in a row of the .trc file."""
    return 2 + 3 * list(walker.markers(np.zeros(1))).index(marker)


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """The walk as it is."""
    return mubo.load(written(tmp_path_factory.mktemp("straight"))).gait()


# The command


def test_the_command_writes_tables_picture_and_page(command, tmp_path):
    written(tmp_path)
    done = command("gait", "walker.toml", "-o", "c.csv", "-o", "m.sto", "-o", "g.png", "--report", "p.html")
    assert done.returncode == 0, done.stderr
    for word in ("70 kg", "Winter", "force > 20 N", "knee_angle_r", "residual", "good"):
        assert word in done.stdout, done.stdout
    head, *rows = (tmp_path / "c.csv").read_text().splitlines()
    assert len(rows) == 101
    assert "knee_angle_r_moment [N m/kg]" in head
    assert "knee_angle_r.sd [deg]" in head
    assert "Root residual" in (tmp_path / "p.html").read_text()
    assert (tmp_path / "g.png").stat().st_size > 20_000
    stored = read_motion_data(tmp_path / "m.sto")
    known = walker.joints(stored.time)["knee_r"]
    np.testing.assert_allclose(stored.column("knee_angle_r"), np.degrees(known["angle"][0]), atol=1e-2)
    inner = (stored.time > 0.25) & (stored.time < 1.5)
    moment = walker.MASS * known["moment"]
    np.testing.assert_allclose(stored.column("knee_angle_r_moment")[inner], moment[inner], atol=0.3)


def test_json_and_the_run_of_the_file(command, tmp_path):
    written(tmp_path)
    done = command("gait", "walker.toml", "--json", "--threshold", "30 N")
    told = json.loads(done.stdout)
    assert told["events"]["r"]["rule"] == "force"
    assert told["strides"]["r"]["speed"] == pytest.approx(walker.SPEED, rel=0.02)
    assert told["strides"]["r"]["stride_time"] == pytest.approx(walker.CYCLE, rel=0.02)
    assert told["residual"]["force"] < 2e-3


def test_wrong_usage_is_refused_in_words(tmp_path, straight):
    with pytest.raises(mubo.MuboError, match=r"\.csv, \.parquet, \.xlsx, \.mat, \.json, \.txt, \.sto"):
        straight.save(tmp_path / "cycles.xls")
    with pytest.raises(mubo.ModelError, match="subject"):
        mubo.load(EXAMPLES / "four_bar.toml").gait()


# The same walk in other laboratories


def same(model, straight, atol=1e-6):
    """The samples of all drivers and forces are those of the example: what follows from them is the same."""
    known = straight.run.model
    for name, driver in known.drivers.items():
        np.testing.assert_allclose(model.drivers[name].motion.value, driver.motion.value, atol=atol)
    for name, force in known.forces.items():
        law = force.options["torque" if name.endswith("_m") else "force"]
        other = model.forces[name].options["torque" if name.endswith("_m") else "force"]
        for word in ("first", "second", "moment") if name.endswith("_m") else ("",):
            one, two = (getattr(each, word) if word else each for each in (law, other))
            np.testing.assert_allclose(two.value, one.value, atol=1e-3)  # centres of pressure of 1e-6 m


def same_moments(other, straight, atol=1e-6):
    for name in ("hip_flexion_r_moment", "knee_angle_l_moment", "ankle_angle_r_power"):
        np.testing.assert_allclose(other.run[name], straight.run[name], atol=atol)


def turned(text, order, signs):
    """A .trc or .mot file whose axes are others: new x, y, z are old ones by `order` with `signs`."""
    storage = "endheader" in text
    lines = text.splitlines()
    first = 7 if storage else 6
    out = lines[:first]
    for line in lines[first:]:
        cells = line.split("\t")
        lead = 1 if storage else 2
        numbers = np.array([float(c) for c in cells[lead:]]).reshape(-1, 3)
        moved = numbers[:, order] * signs
        out.append("\t".join([*cells[:lead], *(f"{x:.6f}" for x in moved.ravel())]))
    return "\n".join(out) + "\n"


@pytest.mark.parametrize(
    ("order", "signs", "forward", "up"),
    [
        ((0, 2, 1), (1, -1, 1), "x", "z"),  # z up, as many laboratories have it
        ((2, 1, 0), (1, 1, -1), "-z", "y"),  # walking along −z
        ((0, 1, 2), (-1, 1, 1), "-x", "y"),  # left-handed, walking along −x
    ],
)
def test_axes_of_the_laboratory_do_not_matter(tmp_path, straight, order, signs, forward, up):
    model = MODEL.replace('forward = "x" ', f'forward = "{forward}" ').replace('up = "y"', f'up = "{up}"')
    files = {"markers": turned(MARKERS, order, np.array(signs)), "forces": turned(FORCES, order, np.array(signs))}
    same(mubo.load(written(tmp_path, model, **files)), straight)


def test_a_table_of_forces_in_other_units_and_names(tmp_path, straight):
    """kN and mm by the header, forces that name their columns, the force down as the plate feels it."""
    t = TIMES
    feet = walker.ground(t, walker.motion(t))
    columns = {"t [ms]": 1000 * t}
    for side in "rl":
        force, _, x = feet[side]
        columns |= {f"F{side} [kN]": force[0] / 1000, f"down_{side} [kN]": -force[1] / 1000}
        columns[f"cop_{side} [mm]"] = np.where(force[1] > 0, 1000 * x, np.nan)
    rows = np.column_stack(list(columns.values()))
    text = "\n".join([",".join(columns), *(",".join("" if np.isnan(v) else repr(float(v)) for v in r) for r in rows)])
    (tmp_path / "plates.csv").write_text(text + "\n")
    model = MODEL[: MODEL.index("[plate.right]")]
    for side in ("right", "left"):
        s = side[0]
        model += f'[plate.{side}]\nfile = "plates.csv"\nfoot = "{side}"\nforce = ["F{s}", "-down_{s}"]\n'
        model += f'point = ["cop_{s}"]\n'
    same(mubo.load(written(tmp_path, model)), straight)


def test_moments_about_the_origin_instead_of_a_centre_of_pressure(tmp_path, straight):
    """A left-handed laboratory has the other sign of a moment across the plane."""
    t = TIMES
    feet = walker.ground(t, walker.motion(t))
    for hand, sign in (("right", 1), ("left", -1)):
        held = [t, *(v for s in "rl" for v in (*feet[s][0], sign * feet[s][1]))]
        text = "time,rx,ry,Mrz,lx,ly,Mlz\n" + "\n".join(
            ",".join(map(repr, row)) for row in np.column_stack(held).tolist()
        )
        (tmp_path / "plates.csv").write_text(text + "\n")
        model = MODEL[: MODEL.index("[plate.right]")]
        for side in ("right", "left"):
            s = side[0]
            model += f'[plate.{side}]\nfile = "plates.csv"\nfoot = "{side}"\nforce = "{s}"\ntorque = "M{s}"\n'
            model += f'hand = "{hand}"\n'
        same(mubo.load(written(tmp_path, model)), straight)


def test_missing_frames_are_filled_and_told(tmp_path, straight):
    at = column("RKNE")

    def blank(k, cells):
        return [*cells[:at], "", "", "", *cells[at + 3 :]] if 60 <= k < 63 else cells

    model = mubo.load(written(tmp_path, markers=with_rows(MARKERS, blank)))
    assert model.drivers["knee_r_turn"].motion.notes()["filled"] == 3
    assert "filled" not in model.drivers["knee_l_turn"].motion.notes()
    same(model, straight, atol=0.2)  # degrees of the knee in the gap


@pytest.mark.parametrize("marker", ["RKNE", "LTOE", "RHEE"])
def test_one_blank_frame_of_a_fast_marker_is_no_jump(tmp_path, marker):
    """A marker of the swinging leg goes farther in one frame than its segment may change its length; every frame."""
    from mubo.formats.walk.swaps import Span, jump_notes

    t = walker.times()[:FRAMES]
    places = {name: np.asarray(place) for name, place in walker.markers(t).items()}
    leg = [f"{marker[0]}{joint}" for joint in ("HIP", "KNE", "ANK", "HEE", "TOE")]
    pairs = [(0, 1), (1, 2), (3, 4), (2, 3), (2, 4)]
    spans = [Span(f"{leg[a]}-{leg[b]}", (leg[a], leg[b])) for a, b in pairs]
    for k in range(1, len(t) - 1):
        blank = {**places, marker: places[marker].copy()}
        blank[marker][k] = np.nan
        assert not jump_notes("walker.trc", t, blank, spans, 1.0)


@pytest.mark.parametrize("seed", range(4))
def test_short_gaps_at_random_places_are_filled(tmp_path, seed):
    """Up to four frames are 0.1 s at 50 frames per second, `max_gap`; of any markers, some in one axis only."""
    rng = np.random.default_rng(seed)
    names = list(walker.markers(np.zeros(1)))
    lost = [(column(names[m]), int(rng.integers(1, FRAMES - 5)), int(rng.integers(1, 5))) for m in rng.permutation(12)]

    def blank(k, cells):
        for at, first, count in lost[:5]:
            if first <= k < first + count:
                cells[at : at + (3 if first % 2 else 1)] = [""] * (3 if first % 2 else 1)
        return cells

    mubo.load(written(tmp_path, markers=with_rows(MARKERS, blank)))


def test_a_gap_that_is_too_long_is_refused_as_a_gap(tmp_path):
    at = column("RKNE")

    def blank(k, cells):
        return [*cells[:at], "", "", "", *cells[at + 3 :]] if 20 <= k < 60 else cells

    refused(tmp_path, "RKNE", "no data from", "longer than max_gap", markers=with_rows(MARKERS, blank))


def test_table_and_figure_have_one_sign_of_moments(straight):
    from mubo.view.plot import plot

    found = mubo.load(EXAMPLES / "walker.toml").gait()
    figure = plot(found.run, [], kind="gait")
    for axes, joint in zip(figure.axes[3:6], ("hip_flexion_r", "knee_angle_r", "ankle_angle_r"), strict=True):
        drawn = next(line for line in axes.lines if line.get_label() == "right")
        assert np.array_equal(drawn.get_ydata(), found.mean(f"{joint}_moment"))


def test_noise_is_smoothed(tmp_path, straight):
    """Half a millimetre of noise: filtered at 8 Hz, moments stay within 0.15 N m/kg of the truth."""
    rng = np.random.default_rng(3)

    def shake(k, cells):
        return [*cells[:2], *(f"{float(c) + rng.normal(scale=0.5):.4f}" for c in cells[2:])]

    model = re.sub(r"smooth = .*", 'smooth = { butterworth = "8 Hz" }', MODEL)
    found = mubo.load(written(tmp_path, model, with_rows(MARKERS, shake))).gait()
    for name in ("knee_angle_r_moment", "hip_flexion_l_moment"):
        assert np.sqrt(np.mean((found.run[name] - straight.run[name])[15:-15] ** 2)) < 0.15
    assert found.run.model.bodies["thigh_r"].segment.spread > 1e-4
    assert found.run.summary["motion"]["knee_r_turn"]["cutoff"] == pytest.approx(8)


def test_one_leg_without_trunk(tmp_path, straight):
    """Knee and ankle are those of the whole body; the hip angle is the thigh's, and no residual is told."""
    model = re.sub(r"(left|trunk) = .*\n", "", MODEL)
    model = model[: model.index("[plate.left]")]
    found = mubo.load(written(tmp_path, model)).gait()
    same_names = ("knee_angle_r_moment", "ankle_angle_r_moment", "hip_flexion_r_moment")
    for name in same_names:
        np.testing.assert_allclose(found.run[name], straight.run[name], atol=1e-6)
    np.testing.assert_allclose(found.run["hip_flexion_r"], straight.run["thigh_r.phi"], atol=1e-6)
    assert found.residual is None
    assert "there is no trunk" in str(found)


def test_a_model_of_markers_reads_back_the_same(tmp_path):
    model = mubo.load(EXAMPLES / "walker.toml")
    model.save(tmp_path / "copy.toml")
    assert mubo.load(tmp_path / "copy.toml") == model


def test_absolute_drivers_tell_the_same_moments(tmp_path, straight):
    """Segment angles driven in the laboratory instead of joints: efforts are differences, moments are not."""
    model = mubo.load(written(tmp_path))
    drivers = dict(model.drivers)
    for side in "rl":
        hip, knee, ankle = (drivers[f"{word}_{side}_turn"].motion for word in ("hip", "knee", "ankle"))
        shank = tuple(np.subtract(hip.value, knee.value))
        foot = tuple(np.add(shank, ankle.value))
        for word, values in (("knee", shank), ("ankle", foot)):
            del model.drivers[f"{word}_{side}_turn"]
            body = {"knee": "shank", "ankle": "foot"}[word]
            model.driver(f"{body}_{side}_turn", f"{body}_{side}.phi", type(hip)(hip.time, values, hip.smooth))
    same_moments(model.gait(), straight)


# What is wrong


def test_subjects_that_cannot_be(tmp_path):
    refused(tmp_path, "mass", "must be positive", model=MODEL.replace('"70 kg"', "0"))
    refused(tmp_path, "height", "must be positive", model=MODEL.replace('"1.75 m"', "-1"))
    refused(tmp_path, "table", "winter", model=MODEL.replace('"winter"', '"wintr"'))
    refused(tmp_path, '"mass" is missing', model=MODEL.replace('mass = "70 kg"', ""))
    refused(tmp_path, "[subject]", model=re.sub(r"\[subject\]\n(.*\n){3}", "", MODEL))
    refused(tmp_path, "apart", model=MODEL.replace('"winter"', '"de_leva_male"'))


def test_unknown_segments_offer_the_nearest_word(tmp_path):
    model = '[subject]\nmass = 70\n[body.a]\npoints = { hip = [0, 0], knee = [0, -0.4] }\nsegment = "tigh"\n'
    refused(tmp_path, 'no segment "tigh"', "thigh", "line 5", model=model + '[driver.x]\nof = "a.phi"\nmotion = "t"\n')
    refused(
        tmp_path, 'point "ankle"', model=model.replace("tigh", "shank") + '[driver.x]\nof = "a.phi"\nmotion = "t"\n'
    )


def test_forces_without_a_foot(tmp_path):
    refused(tmp_path, 'no foot or body "rigt"', "right", model=MODEL.replace('foot = "right"\n', 'foot = "rigt"\n'))
    refused(tmp_path, "away from it", model=MODEL.replace('foot = "right"\n', 'foot = "left"\n'))


def test_plates_in_wrong_axes_or_units(tmp_path):
    down = turned(FORCES, (0, 1, 2), np.array([1, -1, 1]))
    refused(tmp_path, "points down", "up", forces=down)
    small = 'foot = "left"\nunits = { length = "mm" }\n'
    refused(tmp_path, "away from it", "units", model=MODEL.replace('foot = "left"\n', small))
    refused(tmp_path, "forward and up are both along y", model=MODEL.replace('forward = "x" ', 'forward = "y" '))
    refused(tmp_path, "axis of the laboratory", model=MODEL.replace('up = "y"', 'up = "w"'))
    refused(tmp_path, 'no column "ground_force_wx"', model=MODEL.replace('"ground_force_v"', '"ground_force_w"'))
    refused(tmp_path, '"point" is missing', model=re.sub(r"(point|torque) = .*\n", "", MODEL))


# Mistakes that are recognised by a law: weight, posture of a person, momentum


def scaled(factor, ends=("vx", "vy", "vz")):
    """The forces by a factor: as another unit or the other sense has them."""
    lines = FORCES.splitlines()
    words = lines[6].split("\t")
    rows = [
        [repr(factor * float(x)) if word.endswith(ends) else x for word, x in zip(words, line.split("\t"), strict=True)]
        for line in lines[7:]
    ]
    return "\n".join([*lines[:7], *("\t".join(row) for row in rows)]) + "\n"


WEIGHT = walker.MASS * walker.G


@pytest.mark.parametrize(("unit", "newtons"), [("kN", 1000.0), ("BW", WEIGHT), ("mN", 0.001)])
def test_forces_in_another_unit_are_named_and_taken(tmp_path, straight, unit, newtons):
    """A foot that walks bears 1 to 1.5 weights: 1.2 kN of 70 kg are no 1.2 N."""
    refused(tmp_path, f"looks like {unit}", f'force = "{unit}"', forces=scaled(1 / newtons))
    cured = re.sub(r'(point = ".*")', rf'\1\nunits = {{ force = "{unit}" }}', MODEL)
    same(mubo.load(written(tmp_path, cured, forces=scaled(1 / newtons))), straight)


@pytest.mark.parametrize(("unit", "newtons"), [("kgf", 9.80665), ("lbf", 4.4482216152605)])
def test_forces_that_are_a_few_times_too_small_are_named(tmp_path, unit, newtons):
    """By momentum the motion needs that many times the force measured."""
    found = mubo.load(written(tmp_path, forces=scaled(1 / newtons))).gait()
    assert found.residual.needed[1] == pytest.approx(newtons, rel=1e-3)
    assert f"its unit looks like {unit}" in str(found)


def test_a_wrong_mass_and_a_reversed_forward_force_are_named(tmp_path):
    found = mubo.load(written(tmp_path, MODEL.replace('"70 kg"', '"50 kg"'))).gait()
    assert found.residual.needed[1] == pytest.approx(50 / 70, rel=1e-3)
    assert "70 kg would agree" in str(found)
    found = mubo.load(written(tmp_path, forces=scaled(-1, "vx"))).gait()
    assert found.residual.needed[0] == pytest.approx(-1, rel=1e-2)
    assert "its sense is reversed" in str(found)


def test_gravity_up_is_refused(tmp_path):
    with pytest.raises(mubo.ModelError, match=r"gravity points up(?s:.*)gravity = \[0, -9.81\]"):
        mubo.load(written(tmp_path, MODEL.replace("-9.81", "9.81"))).gait()


def test_mirrored_markers_and_exchanged_heel_and_toe_are_named(tmp_path):
    mirrored = {"markers": turned(MARKERS, (0, 1, 2), np.array([-1, 1, 1]))}
    refused(tmp_path, "mirrored", 'forward = "-x"', "knee bends forwards", **mirrored)
    inverted = {"markers": turned(MARKERS, (0, 1, 2), np.array([1, -1, 1]))}
    refused(tmp_path, "hip is below the ankle", 'up = "-y"', **inverted)
    for side, letter in (("right", "R"), ("left", "L")):
        exchanged = MODEL.replace(
            f'heel = "{letter}HEE", toe = "{letter}TOE"', f'heel = "{letter}TOE", toe = "{letter}HEE"'
        )
        refused(
            tmp_path, f"{side} toe is behind", "heel and toe are exchanged", "knee bends backwards", model=exchanged
        )


# Masses of one's own beside [markers]

OWN = '\n[body.shank_r]\nmass = "4 kg"\ncenter = [0, -0.2]\npoints = { malleolus = [0.01, -0.43] }\n'


def test_a_segment_takes_its_own_mass_beside_the_markers(tmp_path, straight):
    """m and c are those given; I = m (g L)² by the mass given, as g = 0.302 of the table (Winter) states."""
    model = mubo.load(written(tmp_path, MODEL + OWN + '[point.ball]\nbody = "shank_r"\nat = "malleolus"\n'))
    body = model.bodies["shank_r"].whole
    assert body.mass == 4
    assert body.center == (0, -0.2)
    assert body.inertia[0] == pytest.approx(4 * (0.302 * walker.SHANK) ** 2, rel=1e-6)
    found = model.gait()
    assert "4.000 (given)" in str(found)
    # The force at the knee: by Newton the additional mass needs Δ(m a) at the centre of mass, its own and the table's.
    origin, turn = walker.motion(TIMES)["shank_r"]
    forces = [
        mass * (walker.carried(origin, turn, at)[2][1] + walker.G)
        for mass, at in ((4, (0, -0.2)), (walker.SEGMENTS["shank"].mass, walker.SEGMENTS["shank"].center))
    ]
    difference = walker.MASS * (found.run["knee_r_force_y"] - straight.run["knee_r_force_y"])
    np.testing.assert_allclose(difference[10:-10], (forces[0] - forces[1])[10:-10], atol=0.05)
    model.save(tmp_path / "copy.toml")
    assert mubo.load(tmp_path / "copy.toml") == model


def test_what_markers_give_is_not_given_twice(tmp_path):
    refused(tmp_path, "gives the angle", "body shank_r", model=MODEL + OWN + "angle = 3\n")
    refused(tmp_path, 'its point "knee"', model=MODEL + OWN.replace("malleolus", "knee"))


def test_swapped_markers_are_found(tmp_path):
    """Knee and ankle change places in frame 41: told with frame, time and both markers."""
    knee, ankle = column("RKNE"), column("RANK")

    def swap(k, cells):
        if 40 <= k < 50:
            cells[knee : knee + 3], cells[ankle : ankle + 3] = cells[ankle : ankle + 3], cells[knee : knee + 3]
        return cells

    refused(tmp_path, "frame 41", "t = 0.8", "RKNE", "RANK", "swapped", markers=with_rows(MARKERS, swap))


def test_left_and_right_swapped_and_a_lost_marker(tmp_path):
    right, left = column("RANK"), column("LANK")

    def swap(k, cells):
        if k >= 55:
            cells[right : right + 3], cells[left : left + 3] = cells[left : left + 3], cells[right : right + 3]
        return cells

    refused(tmp_path, "frame 56", "RANK", "LANK", markers=with_rows(MARKERS, swap))

    def lost(k, cells):
        return [*cells[:right], "0", "0", "0", *cells[right + 3 :]] if k == 30 else cells

    refused(tmp_path, "frame 31", "marker RANK", "blank", markers=with_rows(MARKERS, lost))


def test_markers_that_are_not_there(tmp_path):
    refused(tmp_path, 'no marker "RKNEE"', "RKNE", model=MODEL.replace('"RKNE"', '"RKNEE"'))
    refused(tmp_path, "heel is missing", model=MODEL.replace('heel = "RHEE", ', ""))
    refused(tmp_path, 'no "kne"', "knee", model=MODEL.replace('knee = "RKNE"', 'kne = "RKNE"'))
    refused(tmp_path, "there is no leg", model=re.sub(r"(right|left) = .*\n", "", MODEL))
    refused(tmp_path, '"file" is missing', model=MODEL.replace('file = "walker.trc"\n', ""))


def test_a_force_without_a_place(tmp_path):
    lines = FORCES.splitlines()
    cells = lines[40].split("\t")
    strong = next(k for k in (2, 11) if float(cells[k]) > 300)
    cells[strong + 2] = "nan"
    text = "\n".join([*lines[:40], "\t".join(cells), *lines[41:]]) + "\n"
    refused(tmp_path, "has no place at t = ", forces=text)


def test_without_gravity_or_cycles(tmp_path):
    model = mubo.load(written(tmp_path, MODEL.replace("gravity = [0, -9.81]", "")))
    with pytest.raises(mubo.ModelError, match="gravity"):
        model.gait()
    short = mubo.load(written(tmp_path)).gait(0.5, 1.0, 0.02)
    assert not short.ok
    assert "no whole cycle" in str(short)
    with pytest.raises(mubo.MuboError, match="no whole cycle"):
        short.run.plot(kind="gait")
    with pytest.raises(mubo.MuboError, match="there are no cycles"):
        short.mean("knee_angle")


def test_figures_of_a_walk_stand_clear_of_each_other():
    """The legs of each figure, two lines of six places, end before those of the next one begin."""
    from mubo.view.plot import plot

    axes = plot(mubo.load(EXAMPLES / "walker.toml").gait().run, [], kind="walk").axes[0]
    legs = [line.get_xdata() for line in axes.lines if len(line.get_xdata()) > 4]
    figures = [np.concatenate(legs[k : k + 2]) for k in range(0, len(legs), 2)]
    assert len(figures) == 11
    assert all(one.max() < other.min() for one, other in itertools.pairwise(figures))

"""Card decks: columns or blanks, more links than the thesis allows, paths, pictures and files."""

import json
import warnings

import numpy as np
import pytest
from conftest import DATA, EXAMPLES

import mubo
from mubo.solvers.columns.measures import add_measures
from mubo.view.scene import place, scene_of

NAMES = ("eleven_bar", "type1", "type2", "closure")


def parts(model):
    return model.origin, model.bodies, model.joints, model.drivers, model.analysis


@pytest.mark.parametrize("name", NAMES)
def test_columns_and_blanks_read_the_same(name, tmp_path):
    """Fixed columns, single blanks, and numbers joined only by their signs."""
    text = (DATA / f"okins_{name}.deck").read_text()
    fixed = mubo.load(DATA / f"okins_{name}.deck")
    free = tmp_path / "free.deck"
    free.write_text("\n".join(" ".join(line.replace("-", " -").split()) for line in text.splitlines()))
    assert parts(mubo.load(free)) == parts(fixed)
    commas = tmp_path / "commas.txt"
    commas.write_text("\r\n".join(",".join(line.replace("-", " -").split()) for line in text.splitlines()))
    assert parts(mubo.load(commas, "deck")) == parts(fixed)


def test_blank_fields_are_zero(tmp_path):
    """As the thesis allows: unused fields of NORDER and NCOUP may be blank."""
    lines = (DATA / "okins_eleven_bar.deck").read_text().splitlines()
    for k in range(5, 10):
        fields = [lines[k][3 * n : 3 * n + 3] for n in range(20)]
        lines[k] = "".join(text if int(text) else "   " for text in fields).rstrip()
    lines[10] = "  1 15"
    path = tmp_path / "blank.deck"
    path.write_text("\n".join(lines))
    held, right = parts(mubo.load(path)), parts(mubo.load(DATA / "okins_eleven_bar.deck"))
    assert held == right


def test_the_first_card_as_the_thesis_prints_it(tmp_path):
    lines = (DATA / "okins_eleven_bar.deck").read_text().splitlines()
    lines[0] = "10\t1\t9\t4\t18\t2.0\t-1.0\t0\t0\t1\t1\t0\t0\t0\t0\t0\t0\t25111"
    path = tmp_path / "printed.deck"
    path.write_text("\n".join(lines))
    assert parts(mubo.load(path)) == parts(mubo.load(DATA / "okins_eleven_bar.deck"))


def closed_four_bar(theta, lengths):
    """Coupler and rocker angle of a four-bar with C above the line B–D, in radians."""
    a, b, c, d = lengths
    bx, by = a * np.cos(theta), a * np.sin(theta)
    dx, dy = d - bx, -by
    reach = np.hypot(dx, dy)
    foot = (b * b - c * c + reach * reach) / (2 * reach)
    height = np.sqrt(b * b - foot * foot)
    cx, cy = bx + (foot * dx - height * dy) / reach, by + (foot * dy + height * dx) / reach
    return np.arctan2(cy - by, cx - bx), np.arctan2(cy, cx - d)


LENGTHS = (1.0, 2.2, 1.3, 2.4)


def chain(loops):
    """Four-bars in series, the rocker of each driving the next: a deck with 2 · loops links, and its angles at the
    start, rounded to a tenth of a degree as if read from a drawing."""
    a, b, c, d = LENGTHS
    lengths, angles, rows = [a, d], [80.0, 180.0], []
    theta = np.radians(80)
    for k in range(loops):
        coupler, rocker = closed_four_bar(theta, (a if k == 0 else c, b, c, d))
        number = len(lengths) + 1
        lengths += [b, c]
        angles += [round(np.degrees(coupler), 1), round(np.degrees(rocker), 1)]
        row = [0] * (4 * loops)
        row[4 * k], row[4 * k + 2] = number, -(number + 1)
        if k:
            row[4 * k - 2] = number - 1
        rows.append(row)
        theta = rocker
    signs = [1, 1] + [0, 0] * (loops - 1)
    first = [2 * loops, 2, 5, 3, len(lengths), 0.5, 1.0, *signs, 2, 0, 0, 0]
    cards = [first, [f"{x:.2f}" for x in lengths], [f"{x:.2f}" for x in angles], *rows]
    return "\n".join(" ".join(map(str, card)) for card in cards)


def test_more_than_ten_links(tmp_path):
    """Six four-bars in series, twelve links: against the closed form of a four-bar, one after the other."""
    path = tmp_path / "chain.deck"
    path.write_text(chain(6))
    run = mubo.load(path).kinematics()
    assert run.summary["status"] == "ok"
    theta = np.radians(run["crank.value"])
    for k in range(6):
        coupler, theta = closed_four_bar(theta, (LENGTHS[0] if k == 0 else LENGTHS[2], *LENGTHS[1:]))
        np.testing.assert_allclose(np.radians(run[f"z{2 * k + 3}.theta"]), coupler, atol=1e-11)
        np.testing.assert_allclose(np.radians(run[f"z{2 * k + 4}.theta"]), theta, atol=1e-11)
    scheme = mubo.load(path).kinematics(scheme="1964")
    assert scheme.summary["scheme_off"]["theta_deg"] < 0.5


BENT = """2 2 5 3 6 0.5 8.0 1 1 6 0 1 1
1.00 0.80 0.90 0.70 1.30 2.40
80.00 {} {} {} {} 180.00
2 3 -5 0 4
1 4 1
0.50
30.00
1 1 1 1
1 2 3 4
0 1 1 1
"""


def test_three_vectors_of_one_link_in_one_loop(tmp_path):
    """A coupler of three vectors behaves as the one vector that is their sum, and carries its coupler point."""
    bend = np.radians([40.0, 0.0, -35.0])
    whole = complex(np.sum(np.array([0.8, 0.9, 0.7]) * np.exp(1j * bend)))
    coupler, rocker = closed_four_bar(np.radians(80), (1.0, abs(whole), 1.3, 2.4))
    turn = coupler - np.angle(whole)
    path = tmp_path / "bent.deck"
    path.write_text(BENT.format(*(f"{x:.2f}" for x in [*np.degrees(bend + turn), np.degrees(rocker)])))
    run = mubo.load(path).kinematics()
    theta = np.radians(run["crank.value"])
    angle, rocker = closed_four_bar(theta, (1.0, abs(whole), 1.3, 2.4))
    # Angles within the link are read to a hundredth of a degree, so that the sum is not exactly `whole`.
    np.testing.assert_allclose(np.radians(run["z5.theta"]), rocker, atol=1e-3)
    tip = np.exp(1j * theta) + whole * np.exp(1j * (angle - np.angle(whole)))
    np.testing.assert_allclose(run["path1.x"] + 1j * run["path1.y"], tip, atol=1e-3)
    arm = 0.5 * np.exp(1j * np.radians(run["z4.theta"] + 30))
    found = run["coupler1.x"] + 1j * run["coupler1.y"]
    np.testing.assert_allclose(found, run["path1.x"] + 1j * run["path1.y"] + arm, atol=1e-12)


def test_velocities_are_the_slopes_of_positions():
    """By central differences of step 1 ms: points, angles and the ram's own vector."""
    deck = mubo.load(DATA / "okins_eleven_bar.deck")
    run = deck.kinematics(3.999, 4.001, 0.001)
    middle = 1
    for name in ("path1_z17", "path1_z9"):
        for slope, of in (("vx", "x"), ("vy", "y"), ("ax", "vx"), ("ay", "vy")):
            values = run[f"{name}.{of}"]
            assert (values[2] - values[0]) / 0.002 == pytest.approx(run[f"{name}.{slope}"][middle], abs=1e-6)
    for slope, of in (("omega", "theta"), ("alpha", "omega")):
        values = run[f"z15.{of}"]
        assert (values[2] - values[0]) / 0.002 == pytest.approx(run[f"z15.{slope}"][middle], abs=1e-5)


def test_other_times_and_late_starts():
    deck = mubo.load(DATA / "okins_eleven_bar.deck")
    whole, late = deck.kinematics(), deck.kinematics(8, 16, 4)
    np.testing.assert_allclose(late["z12.theta"][:3], whole["z12.theta"][[4, 6, 8]], atol=1e-10)
    fine = deck.kinematics(step=0.5)
    np.testing.assert_allclose(fine["z12.theta"][:33:4], whole["z12.theta"][:9], atol=1e-10)


def test_frame_vectors_may_be_written(tmp_path):
    """Behind the fields of the links, with their signs; then nothing is inferred."""
    lines = (DATA / "okins_type1.deck").read_text().splitlines()
    lines[-1] = "  2  0  3  0  4"
    path = tmp_path / "signed.deck"
    path.write_text("\n".join(lines))
    report = mubo.load(path).check()
    assert report.ok
    assert report.notes == ()
    assert report.loops[0].vectors == (1, 2, 3, 4)
    inferred = mubo.load(DATA / "okins_type1.deck").check()
    assert inferred.notes == ("signs of the frame vectors inferred from closure: L1 + z4",)


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_the_decks_of_the_thesis(name, command, tmp_path):
    done = command("examples", name)
    assert done.returncode == 0
    example, thesis = (
        mubo.load(path).origin.data.linkage for path in (tmp_path / f"{name}.deck", DATA / f"okins_{name}.deck")
    )
    assert example.lengths == thesis.lengths
    assert command("check", f"{name}.deck").returncode == 0
    ran = command("run", f"{name}.deck")
    assert ran.returncode == (3 if name == "type2" else 0), ran.stderr
    files = {p.name for p in (tmp_path / f"{name}_results").iterdir()}
    pictures = {"mechanism.png", "motion.png", "newton.png"}
    expected = {"closure.txt", "closure.json"} if name == "closure" else {"table.csv", "listing.txt", *pictures}
    assert expected <= files


def test_tables_and_pictures(command, tmp_path):
    deck = EXAMPLES / "eleven_bar.deck"
    done = command("kinematics", deck, "-o", "a.csv", "-o", "a.json", "-o", "a.txt", "--json")
    assert done.returncode == 0, done.stderr
    header = (tmp_path / "a.csv").read_text().splitlines()[0].split(",")
    assert {"t [s]", "z1.r", "z18.theta [deg]", "z18.omega [deg/s]", "path1_z16.vx", "path1.y", "ram.value"} <= set(
        header
    )
    table = json.loads((tmp_path / "a.json").read_text())
    assert table["units"]["z3.alpha"] == "deg/s^2"
    assert (tmp_path / "a.txt").read_text().splitlines()[19].split() == ["1", "26.80", "97.96"]  # exact, rounded
    assert command("compare", "a.csv", "a.json").returncode == 0
    for words in ([], ["path1_z16.x", "path1_z16.y"], ["z3.theta", "z3.omega"]):
        assert command("plot", deck, *words, "-o", "p.png").returncode == 0
        assert (tmp_path / "p.png").stat().st_size > 10_000


def test_the_scheme_on_the_command_line(command):
    done = command("kinematics", EXAMPLES / "eleven_bar.deck", "--scheme", "1964")
    assert done.returncode == 0
    assert "    1     26.80   97.99" in done.stdout  # eight digits, chopped: Table III
    assert "   1   2     .00    6.70" in done.stdout
    assert "the scheme of 1964 is off by up to 2.2 deg: z14 at step 9" in done.stdout
    wrong = command("kinematics", EXAMPLES / "four_bar.toml", "--scheme", "1964")
    assert wrong.returncode == 2


def test_the_scheme_starts_where_the_cards_have_the_links():
    with pytest.raises(mubo.ModelError, match="as the cards have the links, in mode 1; found mode 2"):
        mubo.load(EXAMPLES / "type2.deck").kinematics(scheme="1964", mode=2)


def test_the_drawing_hangs_together():
    """Every body of the eleven-bar is drawn at its pins, where another one is: ten links and the rod of the ram."""
    deck = mubo.load(EXAMPLES / "eleven_bar.deck")
    scene = scene_of(deck.kinematics())
    assert len(scene.poses) == 11
    pins = [joint.between for joint in deck.joints.values() if joint.kind == "revolute"]
    assert sum(len(between) - 1 for between in pins) == 15  # 3 * 11 - 2 * 15 - 2 of the slide = 1
    for row in (0, 8):
        for between in pins:
            ends = [reference.split(".") for reference in between]
            poses = [scene.poses[body][row] if body in scene.poses else (0, 0, 0) for body, _ in ends]
            first, *others = [
                place(np.array(pose), deck.bodies[body].points[name])[0]
                for pose, (body, name) in zip(poses, ends, strict=True)
            ]
            for other in others:
                np.testing.assert_allclose(other, first, atol=1e-9)


def test_modes_of_a_deck_are_drawn_and_run(command, tmp_path):
    """Crank 1, coupler 1.048, rocker 0.684, frame 1: the dyad z2-z3 has two positions, on both sides of its ends."""
    done = command("check", EXAMPLES / "type2.deck", "--modes", "-o", "modes.png")
    assert done.returncode == 0, done.stderr
    assert "2 assembly modes" in done.stdout
    assert (tmp_path / "modes.png").stat().st_size > 10_000
    deck = mubo.load(EXAMPLES / "type2.deck")
    one, two = (deck.kinematics(0, 1, 0.5, mode=mode) for mode in (1, 2))
    pins = [run["z1.r"] * np.exp(1j * np.radians(run["z1.theta"])) for run in (one, two)]
    np.testing.assert_allclose(*pins, rtol=1e-12)
    ends = [
        pin + run["z2.r"] * np.exp(1j * np.radians(run["z2.theta"])) for pin, run in zip(pins, (one, two), strict=True)
    ]
    frame = 1.0 - pins[0]  # from the crank's pin to the rocker's
    sides = [np.imag(np.conj(frame) * (end - pins[0])) for end in ends]
    np.testing.assert_allclose(sides[0], -sides[1], rtol=1e-9)
    assert all("by 0.02333 deg at most" in note for note in two.summary["warnings"] if "turning links" in note)


def test_the_loops_of_a_deck_are_drawn(command, tmp_path):
    """The mechanism has as many loops as the cards: five."""
    done = command("check", EXAMPLES / "eleven_bar.deck", "--loops", "-o", "loops.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "loops.png").stat().st_size > 10_000
    assert len(mubo.load(EXAMPLES / "eleven_bar.deck").loops().loops) == 5


def test_positions_along_the_circuit_of_a_deck_close_its_loops():
    """Lengths and angles of all vectors at every place of a circuit, the ram's among them: Σ ± r e^{iθ} = 0."""
    deck = mubo.load(EXAMPLES / "eleven_bar.deck")
    report, linkage = deck.modes(), deck.origin.data.linkage
    for mode in report.modes[:2]:
        columns = report.subject.columns(mode.path)
        add_measures(deck.build(), columns)
        z = {n: columns.raw(f"z{n}.r") * np.exp(1j * columns.raw(f"z{n}.theta")) for n in linkage.vectors}
        for loop in linkage.loops:
            gap = sum(np.sign(vector) * z[abs(vector)] for vector in loop.vectors)
            assert np.max(np.abs(gap)) < 1e-9
        assert np.ptp(np.abs(z[1])) > 1  # the ram moves
        assert abs(z[1][mode.row]) == pytest.approx(26.8)  # where the cards have it


def test_totals_of_a_deck_are_drawn(command, tmp_path):
    done = command("plot", EXAMPLES / "eleven_bar.deck", "--kind", "newton-totals", "-o", "totals.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "totals.png").stat().st_size > 5000


def test_a_deck_that_asks_for_every_point_shows_their_paths():
    """The eleven-bar asks for all points on its way; a path is drawn for each that moves, where the table has it."""
    run = mubo.load(EXAMPLES / "eleven_bar.deck").kinematics()
    scene = scene_of(run)
    assert len(scene.points) > 10
    rows = np.concatenate([[True], np.diff(run["t"]) > 0])
    for dot in (dot for dot in scene.points if dot.body in scene.poses):  # others are on the frame
        table = np.column_stack([run[f"{dot.name}.x"], run[f"{dot.name}.y"]])[rows]
        np.testing.assert_allclose(place(scene.poses[dot.body], dot.at)[:, 0], table, atol=1e-9)


def test_the_key_counts_the_cards_of_a_position(command):
    """Table III, part 1: two cards of THEAPP a pass, two of residues, fifteen points, one of the driver, two of θ, one
    of ω and one of α; an exact position has one set of approximations."""
    for scheme, first in (("exact", 24), ("1964", 24)):
        run = mubo.load(EXAMPLES / "eleven_bar.deck").kinematics(scheme=scheme, key=True)
        lines = run.listing.splitlines()
        key = [line for line in lines if line.startswith("#")]
        assert sum(int(line.split()[1]) for line in key[1:]) == first
        assert ("4 times" in key[1]) == (scheme == "1964")
        again = 6 if scheme == "1964" else 0
        assert len(lines) - len(key) == 18 * first + 17 * again
    assert "for card decks" in command("kinematics", EXAMPLES / "four_bar.toml", "--key").stderr


def test_exact_cards_have_residues_of_rounding():
    """Loops that are solved leave what rounding does: less than 1e-9 per cent, in ten fields of each card."""
    lines = mubo.load(EXAMPLES / "eleven_bar.deck").kinematics().listing.splitlines()
    for card in (lines[2], lines[3]):
        values = [float(card[k : k + 8].replace("E ", "E+")) for k in range(0, 80, 8)]
        assert max(map(abs, values)) < 1e-9


def test_several_data_sets_in_one_file(command, tmp_path):
    """MAIN reads the next data set where one is done: results are numbered, and `#2` names the second."""
    both = "".join((EXAMPLES / f"{name}.deck").read_text() for name in ("type2", "type1"))
    (tmp_path / "two.deck").write_text(both)
    done = command("run", "two.deck")
    assert done.returncode == 3  # the first locks, the second runs all the same
    assert "data set 2 of 2" in done.stdout
    for number, name in ((1, "type2"), (2, "type1")):
        alone = mubo.load(EXAMPLES / f"{name}.deck")
        listing = (tmp_path / f"two_results_{number}" / "listing.txt").read_text()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            assert listing == alone.kinematics().listing
    assert any("two.deck#2" in note for note in mubo.load(tmp_path / "two.deck").origin.notes)
    with pytest.raises(mubo.ModelError, match="no data set 3; the file holds 2 data sets"):
        mubo.load(tmp_path / "two.deck#3")
    (tmp_path / "two.deck").write_text(both + "1 2 3\n")
    with pytest.raises(mubo.ModelError, match="line 11: 1 card is left over"):
        mubo.load(tmp_path / "two.deck#2")
